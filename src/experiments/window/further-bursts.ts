import { OWN_PROBES, mostInOneWindow, isLongBySeconds, minuteMs } from '../../limits/bounds.js';
import { largestClump } from '../../limits/came-back.js';
import type { KeySeries, Figures } from '../../limits/series.js';
import { beatOf, windowBreach } from './window-breach.js';
import { atTheEnd, type Bursts, served, windowProgress } from './window-progress.js';
import { bySending, wasServed, wasRefused, type Sample } from '../../limits/sample.js';
import type { ServerClock } from '../../limits/clock.js';
import { plainInteger, readReset } from '../../limits/headers/header-number.js';
import { servedBy } from '../../limits/over-served.js';
import { isWithinReach, letsBackAt } from '../../limits/headers/retry-after.js';
import { isInMilliseconds, leeway } from '../../limits/timing.js';

/**
 * All bursts of a key in the order of time. The one in parallel, with the single requests that were served before it,
 * stands for a burst as well, but where it got more than the allowance by itself: another row is charged with that.
 */
export function burstsOf({ burst, window, concurrent, recoveries, figures }: KeySeries): Bursts {
  const single = window?.bursts ?? (burst === null ? [] : [burst.samples]);
  const inParallel = bySending(concurrent?.samples ?? []);
  const [first] = inParallel;
  const known = largestClump(bySending(single.flat()), figures);
  const evenly = mostInOneWindow(figures, atTheEnd(inParallel) - (first?.sentAt ?? 0));
  const isExcess = served(inParallel) > evenly + beatOf(figures, known);
  if (first === undefined || isExcess) return single;
  const sent = new Set(single.flat());
  const returns = recoveries
    .flatMap(({ retry, resetRetry }) => [retry, resetRetry])
    .filter((sample) => sample !== null)
    .filter((sample) => wasServed(sample) && !sent.has(sample) && sample.sentAt < first.sentAt);
  return [...single, bySending([...returns, ...inParallel])].toSorted(
    ([one], [other]) => (one?.sentAt ?? 0) - (other?.sentAt ?? 0),
  );
}

/**
 * When the concurrent burst may begin, so that every sound limiter but a sliding counter has what it is judged by back:
 * where it comes back bit by bit, when `rate-window` needs its last burst; at once where the last answer says that all is
 * back; else a window after all but a few of the requests that still count.
 * @param bursts those sent, each to its refusal, the first one first
 * @param latest the last answer that the key got
 */
export function nextBurstAt(
  bursts: readonly (readonly Sample[])[],
  latest: Sample,
  figures: Figures,
  clock: ServerClock | null,
  earlier: readonly Sample[],
): number {
  const progress = windowProgress(bursts, figures, clock, earlier);
  if (progress.kind === 'drained') return Math.max(progress.at, latest.answeredAt);
  const isBack = wasServed(latest) && (plainInteger(latest.remaining) ?? 0) >= figures.perMinute - OWN_PROBES;
  if (isBack) return latest.answeredAt;
  const served = bursts.flat().filter(wasServed);
  const last = served.at(-1 - OWN_PROBES) ?? served.at(-1) ?? latest;
  return Math.max(last.answeredAt + minuteMs(figures) + leeway(figures), latest.answeredAt);
}

/**
 * Whether a retry was served in the window that follows that of the first burst by their Resets, with all of the allowance
 * back, as on the edge of the clock: then the requests in parallel are the next burst.
 */
export function isNextWindow(first: Sample | undefined, retry: Sample, figures: Figures): boolean {
  if (first === undefined) return false;
  const [before, after] = [readReset(first.reset), readReset(retry.reset)];
  if (!isLongBySeconds(figures) || before?.unit !== 'unix-seconds' || after?.unit !== 'unix-seconds') return false;
  const left = plainInteger(retry.remaining) ?? 0;
  return left >= figures.perMinute - OWN_PROBES && after.unixMs - before.unixMs >= minuteMs(figures) - ROUNDED_MS;
}

/** Both ends of a window are told in whole seconds. */
const ROUNDED_MS = 2000;

/**
 * When to burst again for `rate-window`: where the last refusal lets the client back before a window could have passed.
 * Null when it is decided, when the requests in parallel are the next burst, or when nothing more may be sent.
 * @param bursts those sent, the first one first; of the second there may be but its first answer
 * @param earlier what was sent with the key before them, in the order of sending
 */
export function burstsAgain(
  bursts: readonly (readonly Sample[])[],
  figures: Figures,
  clock: ServerClock | null,
  earlier: readonly Sample[],
): number | null {
  const [first] = bursts[0] ?? [];
  const refusal = bursts.at(-1)?.find(wasRefused);
  const wholes = bursts.filter((samples) => 2 * samples.filter(wasServed).length > figures.perMinute).length;
  if (first === undefined || refusal === undefined || wholes > MOST_MORE_BURSTS) return null;
  if (isInMilliseconds(refusal, figures, clock)) return null;
  if (windowBreach(bursts, figures, earlier) !== null) return null;
  const progress = windowProgress(bursts, figures, clock, earlier);
  const reached = (at: number): number | null => (isWithinReach(at, refusal.answeredAt, figures) ? at : null);
  if (progress.kind === 'open') return reached(progress.at);
  const at = letsBackAt(refusal, clock);
  if (at === null || bursts.length > MOST_MORE_BURSTS) return null;
  // More came back than evenly, yet no more than at a beat: another burst tells whether that beat is the plan's.
  const { kind } = servedBy(bySending(bursts.flat()), figures);
  return kind === 'at-a-beat' || kind === 'in-doubt' ? reached(Math.max(at, refusal.answeredAt)) : null;
}

/**
 * In `n` windows and a part of one at most `(n + 2) * L` may be served. A window a sixth as long shows after two bursts
 * more, one half as long after four (five in two windows), one of three quarters after five (six in less than four).
 */
const MOST_MORE_BURSTS = 5;
