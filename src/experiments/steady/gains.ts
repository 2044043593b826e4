import { mayHaveCounted, speaksOfDay, wasRefused, wasServed } from '../../limits/answers.js';
import { mayHaveRefilled, minuteMs, refillIntervalMs, worstSpan } from '../../limits/bounds.js';
import { cameBack } from '../../limits/came-back.js';
import type { Sample } from '../../limits/sample.js';
import type { Figures, KeySeries } from '../../limits/series.js';

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

/** A bucket may be rounded, and a retry and a probe are the run's own. */
export const OWN_PROBES = 3;

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
export const NEARLY_ALL = 0.9;

/**
 * Whether a burst that got less than the allowance got nearly all of it: then a steady run would not notice what is
 * missing, and a burst after two windows without a request decides first.
 */
export const gotNearlyAll = (key: KeySeries, all: readonly Sample[]): boolean =>
  gains(key, all).some(({ served, usedBefore }) => served + usedBefore >= NEARLY_ALL * key.figures.perMinute);
