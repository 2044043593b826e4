import { MOST_REFUSED } from '../../judge/limits/asked.js';
import type { KeyPlayer } from './key-player.js';

/** Requests of one key at even intervals. */
interface Pace {
  readonly gapMs: number;
  /** When the last request is due at the latest, Unix ms; without it, `next` ends them. */
  readonly until?: number;
  /**
   * Is asked before each request that is due, and may wait. Returns when that request is due now; null for
   * none. `settled` waits for the responses to those under way.
   */
  readonly next: (due: number, settled: () => Promise<unknown>) => number | null | Promise<number | null>;
  readonly send: (intendedAt: number) => Promise<unknown>;
}

/**
 * Sends evenly, however long responses take. A late request is caught up by one gap at most, so that no two
 * windows of a limiter see more than the plan.
 */
export async function sendEvenly(
  { session, lab }: KeyPlayer,
  { gapMs, until = Infinity, next, send }: Pace,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const faults: unknown[] = [];
  const settled = (): Promise<unknown> => Promise.all(underWay);
  // Until one is refused or lost as many may be open as may be refused in a row: a distant target needs them.
  const isFull = (): boolean =>
    underWay.size > 0 && (session.unserved() === 0 ? underWay.size >= MOST_REFUSED : session.room() < 1);
  for (let due = lab.now(); due < until && faults.length === 0;) {
    if (!(await lab.sleepUntil(due, lab.signal))) break;
    while (isFull()) await Promise.race(underWay);
    const at = await next(due, settled);
    if (at === null) break;
    const now = lab.now();
    const ended = send(at)
      .catch((error: unknown) => void faults.push(error))
      .then(() => void underWay.delete(ended));
    underWay.add(ended);
    due = Math.max(at, now - gapMs) + gapMs;
    if (now - due > gapMs) await lab.nextTurn();
  }
  await settled();
  if (faults.length > 0) throw faults[0];
}
