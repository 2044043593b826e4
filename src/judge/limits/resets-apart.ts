import { counted, duration } from '../../base/kernel/format.js';
import {
  BOTH_ROUNDED_MS,
  BRIEF,
  FEWEST,
  isLongBySeconds,
  NEARLY,
  ROUNDED_UP_MS,
  soonestExitMs,
} from './bounds.js';
import { resetTime } from './clock.js';
import { firstRefusals, isWithinWindow } from './comebacks.js';
import { unixReset } from '../../base/interface/rate-headers.js';
import { countWhile } from '../../base/kernel/sorted.js';
import { leftOf, lone, timesOf, wasServed, type Sample } from './sample.js';
import type { KeyRun } from './key-run.js';
import { endOfWait } from './when-allowed.js';

/* Windows that are too short by their Resets. */

interface TooClose {
  readonly apartMs: number;
  readonly text: string;
}

export const tooCloseIn = (served: readonly Sample[], run: KeyRun): TooClose | null =>
  resetsApart(served, run) ?? (isLongBySeconds(run.figures) ? restarts(run) : null);

/**
 * k whole allowances between two refusals: k windows, and Resets as far apart. Of allowances that all came
 * after the first Reset, whatever the algorithm, except for rounding.
 */
function resetsApart(served: readonly Sample[], run: KeyRun): TooClose | null {
  // A Reset that is past or too far ahead names no end of a window: that is another fault.
  const spoken = firstRefusals(run).filter((one) => {
    const reset = resetTime(one, run.clock);
    const isNamed = reset === null || (reset.latest >= one.sentAt && isWithinWindow(one, reset, run));
    return unixReset(one.reset) !== null && isNamed;
  });
  const { sent, answered } = timesOf(served);
  const isLasting = lasting(run);
  const known = spoken.map((sample) => ({
    reset: unixReset(sample.reset) ?? 0,
    isOfWait: namesWait(sample, run),
    // Of those under way together some may have been served after it, unless nothing comes back so soon.
    before: isLasting(sample)
      ? countWhile(sent, (at) => at <= sample.sentAt)
      : countWhile(answered, (at) => at <= sample.sentAt),
    until: countWhile(sent, (at) => at < sample.answeredAt),
  }));
  const intervalMs = 1 / run.perMs;
  // A log that counts by parts forgets a whole part: a Reset names the end of one.
  const partMs = run.windowMs - soonestExitMs(run.figures);
  for (const later of known)
    for (const earlier of known) {
      if (earlier === later) break;
      const got = later.before - earlier.until;
      const windows = Math.floor((got + 1) / run.limit);
      // Of two limiters one may name when it is full, the other when its window ends.
      if (later.isOfWait !== earlier.isOfWait) continue;
      const apartMs = later.reset - earlier.reset;
      const leastMs = Math.max(
        windows * run.windowMs - ROUNDED_UP_MS - Math.max(partMs, intervalMs),
        Math.floor(got / run.limit) * run.windowMs - 2 * ROUNDED_UP_MS - intervalMs,
      );
      if (windows > 0 && apartMs < leastMs)
        return {
          apartMs,
          text: `${counted(windows, 'whole allowance')} between two Resets ${duration(apartMs)} apart`,
        };
    }
  return null;
}

/** Is true if the Reset of a refusal is the end of its wait, in whole seconds. */
function namesWait(refusal: Sample, { clock }: KeyRun): boolean {
  const [reset, end] = [resetTime(refusal, clock), endOfWait(refusal, clock)];
  return reset === null || end === null || reset.earliest - end.latest <= BOTH_ROUNDED_MS;
}

/** Returns whether a refusal announces that nothing comes back while other requests are open. */
function lasting({ clock, all }: KeyRun): (refusal: Sample) => boolean {
  let latest = -Infinity;
  const latestBy = all.map(({ answeredAt }) => (latest = Math.max(latest, answeredAt)));
  return (refusal) => {
    const beside = latestBy[countWhile(all, ({ sentAt }) => sentAt <= refusal.answeredAt) - 1] ?? -Infinity;
    const ends = [resetTime(refusal, clock), endOfWait(refusal, clock)];
    return ends.every((end) => end !== null && end.earliest > beside + ROUNDED_UP_MS);
  };
}

/**
 * A window that announces its whole length twice and begins anew sooner: Remaining jumps to the whole
 * allowance, with a Reset a window ahead. A bucket that refills by steps has small ones, or names the next.
 */
function restarts(run: KeyRun): TooClose | null {
  const { steady, figures, limit, windowMs, clock } = run;
  // Requests that are under way together overtake one another.
  const served = lone(steady.filter(wasServed));
  const starts = served.filter((sample, at) => {
    const before = served[at - 1];
    const left = leftOf(sample, figures);
    const reset = resetTime(sample, clock);
    if (before === undefined || left === null || reset === null) return false;
    const rise = left - (leftOf(before, figures) ?? left);
    const isWhole = left >= limit - 2 && rise >= FEWEST && rise > BRIEF * limit;
    return isWhole && reset.earliest - sample.answeredAt >= NEARLY * windowMs;
  });
  for (const [at, start] of starts.entries()) {
    const before = starts[at - 1];
    if (before === undefined) continue;
    const apartMs = start.answeredAt - before.sentAt;
    const resetsMs = (unixReset(start.reset) ?? 0) - (unixReset(before.reset) ?? 0);
    // Processes whose clocks differ come into the same window one after the other; a late one into its end.
    const isShorter = resetsMs > ROUNDED_UP_MS && resetsMs < windowMs - ROUNDED_UP_MS;
    if (apartMs < NEARLY * windowMs && isShorter)
      return {
        apartMs,
        text: `a whole allowance twice within ${duration(apartMs)}, each with a Reset a window ahead`,
      };
  }
  return null;
}
