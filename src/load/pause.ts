import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../exchange/connection.js';
import type { Journal } from '../log/journal.js';

/** Waits below this are too short for anybody to wonder about. */
const WORTH_SAYING_MS = 400;

/** The longest that a timer holds (2^31 - 1 ms); a longer one would be over at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Waits until a time (Unix ms of the senders' clock), and says in the log what for. False when the run was interrupted
 * before.
 */
export async function pauseUntil(at: number, what: string, journal: Journal, signal: AbortSignal): Promise<boolean> {
  const ms = at - now();
  if (signal.aborted) return false;
  if (ms <= 0) return true;
  if (ms >= WORTH_SAYING_MS) journal.append({ type: 'waiting', what, until: Date.now() + ms });
  // A timer may be a millisecond early, and a request that comes before its time proves nothing.
  for (let left = ms; left > 0; left = at - now()) {
    try {
      await sleep(Math.min(LONGEST_TIMER_MS, Math.ceil(left)), undefined, { signal });
    } catch {
      return false;
    }
  }
  return true;
}
