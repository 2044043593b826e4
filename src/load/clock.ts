import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../exchange/connection.js';

/** The senders' own time: what tells it, and what waits for it. */
export interface Clock {
  /** Unix ms with a fraction, never going back. */
  readonly now: () => number;
  /** Waits until then, never for less; false when it was interrupted before. */
  readonly sleepUntil: (at: number, signal: AbortSignal) => Promise<boolean>;
}

/** The longest that a timer holds (2^31 - 1 ms); a longer one would be over at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The time that passes on this machine, and by which its connections note when they sent and were answered. */
export const machineClock: Clock = {
  now,
  async sleepUntil(at, signal) {
    // A timer may be a millisecond early, and a request that comes before its time proves nothing.
    for (let left = at - now(); left > 0 && !signal.aborted; left = at - now()) {
      try {
        await sleep(Math.min(LONGEST_TIMER_MS, Math.ceil(left)), undefined, { signal });
      } catch {
        return false;
      }
    }
    return !signal.aborted;
  },
};
