import { MOST_REFUSED, STEADY_SHARE } from '../../judge/limits/asked.js';
import { wasServed } from '../../judge/limits/sample.js';
import type { KeyPlayer } from './key-player.js';

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
 * Share of what a burst got by which late requests are caught up: half of what the pace leaves free. The
 * other half is for latency that varies, so that no limiter sees more than it allows.
 */
const CAUGHT_UP = (1 - STEADY_SHARE) / 2;

/** Sends evenly, however long responses take. What is late is sent as soon as possible, within bounds. */
export async function sendEvenly(
  { session, lab, record, limit }: KeyPlayer,
  { gapMs, until = Infinity, next, send }: Pace,
): Promise<void> {
  const got = record.asked.filter((one) => one.question === 'whole' && wasServed(one)).length;
  const caughtUpMs = Math.max(1, CAUGHT_UP * Math.min(got, limit)) * gapMs;
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
    due = Math.max(at, now - caughtUpMs) + gapMs;
    if (now - due > gapMs) await lab.nextTurn();
  }
  await settled();
  if (faults.length > 0) throw faults[0];
}
