import { count, duration } from '../../base/kernel/format.js';
import { onceEach } from '../../base/kernel/once-each.js';
import { unixReset } from '../../base/interface/rate-headers.js';
import { NEARLY, ROUNDED_UP_MS, SLACK, soonestExitMs } from './bounds.js';
import { clearJumps, isForgotten, wholeOf, type Jump } from './jumps.js';
import type { KeyRun } from './key-run.js';
import { leftOf, lone, wasServed, type Sample } from './sample.js';
import { seen, type Shown } from './shown.js';

/* What only several counters show: somebody else on the key takes requests, and gives none back. */

/** Time in which more requests came back than one counter returns. */
export interface OverReturn {
  readonly back: number;
  readonly most: number;
  readonly tookMs: number;
}

/** Finds a Remaining that is that of another counter, each once. */
export const jumpsBetween = (run: KeyRun): readonly Jump[] =>
  clearJumps(run).filter((jump) => !isForgotten(jump, run));

/**
 * Finds the times in which more came back than all that a key holds and the refill since, whatever the
 * algorithm. What a window brings that begins by its Reset does not count: processes may reach its edge one
 * after the other.
 */
function overReturns({ all, figures, perMs, windowMs }: KeyRun, holds: number): readonly OverReturn[] {
  const isLone = new Set(lone(all));
  const found: OverReturn[] = [];
  let before: { readonly sample: Sample; readonly left: number } | null = null;
  let own = 0;
  let [back, from] = [0, 0];
  for (const sample of all) {
    if (wasServed(sample)) own += 1;
    // An operation may have a counter of its own.
    const left = sample.operation === 'listPets' && wasServed(sample) ? leftOf(sample, figures) : null;
    if (left === null || !isLone.has(sample)) continue;
    if (before !== null) {
      // A time that begins here shows more, if less came back before than the refill explains.
      if (back <= (before.sample.sentAt - from) * perMs) [back, from] = [0, before.sample.sentAt];
      if (!isNextWindow(before.sample, sample, windowMs)) back += Math.max(0, left + own - before.left);
      const tookMs = sample.answeredAt - from;
      const most = holds + SLACK + Math.floor(tookMs * perMs);
      if (back > most) {
        found.push({ back, most, tookMs });
        [back, from] = [0, sample.sentAt];
      }
    }
    before = { sample, left };
    own = 0;
  }
  return found;
}

const isNextWindow = (before: Sample, after: Sample, windowMs: number): boolean =>
  (unixReset(after.reset) ?? 0) - (unixReset(before.reset) ?? 0) >= NEARLY * windowMs - ROUNDED_UP_MS;

/** Finds such times of a key that holds as much as it ever showed. */
export const overReturnsOf = onceEach((run: KeyRun) => overReturns(run, wholeOf(run) + 1));

/**
 * Is true if what is left surely comes from several counters, though others use the key: they may hide how
 * much it holds, but with the run's own requests no more is left than the limit.
 */
export const hasSeveral = onceEach(
  (run: KeyRun): boolean =>
    jumpsBetween(run).filter((jump) => isBeyondLimit(jump, run)).length > 1 ||
    overReturns(run, run.limit).length > 1,
);

function isBeyondLimit({ after, left, rise }: Jump, { all, figures, limit }: KeyRun): boolean {
  const since = after.answeredAt - soonestExitMs(figures);
  const own = all.filter((one) => wasServed(one) && one.sentAt > since && one.answeredAt <= after.sentAt);
  return left + rise + own.length > limit + SLACK;
}

/** Finds a Remaining that rises to that of another counter, or more often than one counter returns requests. */
export function severalIn(run: KeyRun): Shown | null {
  const message = `${run.name}'s Remaining comes from several counters.`;
  const expected = 'Remaining that falls with each request until some come back';
  const of = (times: number, actual: string, most: number, got: number): Shown =>
    // A restart of the server may forget some of it.
    seen(
      times,
      message,
      { expected, actual, measured: { most, got, what: ['several'] } },
      `${actual}, once`,
      true,
    );
  const [jump, ...jumps] = jumpsBetween(run);
  const [over, ...more] = overReturnsOf(run);
  if (over !== undefined && (more.length > 0 || jump === undefined))
    return of(
      1 + more.length,
      `it rose by ${count(over.back)} in ${duration(over.tookMs)}, as at most ${count(over.most)} come back`,
      over.most,
      over.back,
    );
  if (jump === undefined) return null;
  const { before, after, left, rise } = jump;
  const pause = duration(after.sentAt - before.answeredAt);
  return of(
    1 + jumps.length,
    `it rose from ${count(left)} to ${count(left + rise)} in ${pause}`,
    left,
    left + rise,
  );
}
