import { OWN_PROBES, minuteMs, mayHaveRefilled, refillIntervalMs, worstSpan } from '../../limits/bounds.js';
import { largestClump, cameBack } from '../../limits/came-back.js';
import { nothingRefills } from '../../limits/refill.js';
import type { FreshSeries, KeySeries, Figures } from '../../limits/series.js';
import { windowsSeen } from '../../limits/windows-seen.js';
import { SILENT_WINDOWS } from './steady-run.js';
import { bySending, speaksOfDay, wasRefused, wasServed, mayHaveCounted, type Sample } from '../../limits/sample.js';

/**
 * What a burst after two windows without a request says; null where it leaves the verdict to a steady run. Nothing sent before
 * still counts then, so a window, a log or a counter has all of its limit to give, and only a bucket may hold less. Where
 * nothing refills it is no bucket: the bound of `rate-429` is exactly the limit then, from below as from above.
 */
export function shownByFreshBurst(
  { figures, burst, recoveries, window }: KeySeries,
  { silentMs, samples }: FreshSeries,
): { readonly kind: 'all' | 'too-little'; readonly served: number } | null {
  const served = samples.filter(wasServed).length;
  const refusal = samples.find(wasRefused);
  const { pieces, visible } = windowsSeen(samples, figures);
  // A window that rolled over, an answer that was lost, the day's limit: each makes the count mean something else.
  const oneWindow = pieces.length === 1 && visible && silentMs >= SILENT_WINDOWS * minuteMs(figures);
  const whole = samples.every((sample) => wasServed(sample) || wasRefused(sample));
  if (!oneWindow || !whole || refusal === undefined || speaksOfDay(refusal, figures)) return null;
  if (served >= figures.perMinute) return { kind: 'all', served };
  // So much less a steady run notices, and a bucket that holds less passes it: what one burst of the window got from it,
  // with what others had got before, was nearly all.
  if (served < Math.floor(NEARLY_ALL * figures.perMinute)) return null;
  // Between two beats of a bucket nothing refills either: the retry tells, and so do the bursts after it.
  const retries = recoveries.flatMap(({ retry }) => retry ?? []);
  const before = new Set([...(burst?.samples ?? []), ...retries, ...(window?.bursts.flat() ?? [])]);
  const { size } = largestClump(bySending([...before]), figures);
  if (size > 0 || nothingRefills(samples, figures) === null) return null;
  return { kind: 'too-little', served };
}

/** One burst: how many it got, and how many of the same window the run had used before it. */
export interface Gain {
  readonly served: number;
  /** What the limiter must have held at least, never more than the plan: a burst was given some back meanwhile. */
  readonly held: number;
  readonly usedBefore: number;
  readonly first: Sample;
  readonly lastAnswer: number;
  /** Refused by 429 for the minute's sake. */
  readonly refused: boolean;
}

/** Requests of this key, within one window before, that a limiter may still count. */
function gain(samples: readonly Sample[], all: readonly Sample[], figures: Figures): Gain | null {
  const [first] = samples;
  if (first === undefined) return null;
  const own = new Set(samples);
  const since = first.sentAt - minuteMs(figures);
  const refusals = samples.filter(wasRefused);
  const served = samples.filter(wasServed);
  const worst = worstSpan(served, 1 / refillIntervalMs(figures));
  return {
    served: served.length,
    held: Math.max(
      0,
      Math.min(
        figures.perMinute,
        worst === null ? 0 : worst.count - mayHaveRefilled(figures, worst.to - worst.from),
        served.length - (cameBack(samples, figures)?.most ?? 0),
      ),
    ),
    usedBefore: all.filter(
      (old) => !own.has(old) && mayHaveCounted(old) && old.answeredAt >= since && old.sentAt < first.sentAt,
    ).length,
    first,
    lastAnswer: Math.max(...samples.map(({ answeredAt }) => answeredAt)),
    refused: refusals.length > 0 && !refusals.every((refusal) => speaksOfDay(refusal, figures)),
  };
}

/** The bursts of a key: the sequential one and the concurrent one. */
export function gains(key: KeySeries, all: readonly Sample[]): readonly Gain[] {
  const bursts = [key.burst?.samples ?? [], key.concurrent?.samples ?? []];
  return bursts.flatMap((samples) => {
    const found = gain(samples, all, key.figures);
    return found === null ? [] : [found];
  });
}

/**
 * Whether a burst, with what of its window had been used before, makes up the allowance. Where suites have used it, a
 * request or two of theirs stand in no series: what they ask beside the declared operations may count all the same.
 */
export const gotAll = ({ served, usedBefore }: Gain, { perMinute }: Figures): boolean =>
  served + usedBefore + (usedBefore > OWN_PROBES ? OWN_PROBES : 0) >= perMinute;

export const isShort = (found: Gain, figures: Figures): boolean => found.refused && !gotAll(found, figures);

/** Whether a burst got less than the allowance, so that only a steady run decides `rate-not-early`. */
export const gotLess = (key: KeySeries, all: readonly Sample[]): boolean =>
  gains(key, all).some((found) => isShort(found, key.figures));

/** A steady run at 95 % of the plan passes a limit that is so near to it; a little is left for what bursts are short of besides. */
const NEARLY_ALL = 0.9;

/**
 * Whether a burst that got less than the allowance got nearly all of it: then a steady run would not notice what is
 * missing, and a burst after two windows without a request decides first.
 */
export const gotNearlyAll = (key: KeySeries, all: readonly Sample[]): boolean =>
  gains(key, all).some(({ served, usedBefore }) => served + usedBefore >= NEARLY_ALL * key.figures.perMinute);
