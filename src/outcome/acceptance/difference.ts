import { sum, sumAll } from '../../base/kernel/format.js';
import { normalQuantile, studentTQuantile } from './quantiles.js';

/** Values of one run, one for each block of some seconds, in order. All above 0. */
export type Values = readonly number[];

/** Difference of a figure between runs, as shares: 0.1 is 10 % more in the later run. */
export interface Difference {
  readonly low: number;
  readonly high: number;
  /** Smallest difference that these runs would have shown in 9 of 10 cases. */
  readonly shown: number;
}

/** Fewest blocks of each run for an interval. */
const LEAST_BLOCKS = 8;
/** Standard normal, 90 %: for what an interval would have shown in 9 of 10 cases. */
const Z_POWER = normalQuantile(0.2);

/**
 * Returns the difference between a run and earlier ones with an interval; null where a run is too short.
 * Seconds of one run depend on each other, so it compares blocks of several seconds, by the mean of their
 * logarithms (Welch). What blocks still share with their neighbours widens the interval. Several earlier runs
 * also show how much runs of one server differ, which widens it too. Pure.
 *
 * @param alpha share of intervals that miss the true difference, e.g. 0.05
 */
export function differenceOf(before: readonly Values[], after: Values, alpha = 0.05): Difference | null {
  const later = estimateOf(after);
  const earlier = before.flatMap((values) => estimateOf(values) ?? []);
  if (later === null || earlier.length < before.length || earlier.length === 0) return null;
  const count = earlier.length;
  const meanOf = (of: (estimate: Estimate) => number): number => sum(earlier, of) / count;
  const [middle, within] = [meanOf(({ mean }) => mean), meanOf(({ variance }) => variance)];
  // What the runs differ by beyond the noise of each; a single run shows none of it.
  const spread = count === 1 ? 0 : (meanOf(({ mean }) => (mean - middle) ** 2) * count) / (count - 1);
  const parts = [
    { variance: Math.max(0, spread - within) * (1 + 1 / count), freedom: count - 1 },
    { variance: later.variance, freedom: later.freedom },
    ...earlier.map(({ variance, freedom }) => ({ variance: variance / count ** 2, freedom })),
  ].filter(({ variance }) => variance > 0);
  const variance = sum(parts, (part) => part.variance);
  const error = Math.sqrt(variance);
  // Welch and Satterthwaite: the variances come from few values.
  const freedom = variance ** 2 / sum(parts, (part) => part.variance ** 2 / part.freedom);
  const t = error === 0 ? 0 : studentTQuantile(alpha, freedom);
  const change = later.mean - middle;
  return {
    low: Math.expm1(change - t * error),
    high: Math.expm1(change + t * error),
    shown: Math.expm1((t + Z_POWER) * error),
  };
}

interface Estimate {
  readonly mean: number;
  readonly variance: number;
  readonly freedom: number;
}

function estimateOf(blocks: Values): Estimate | null {
  const count = blocks.length;
  if (count < LEAST_BLOCKS || blocks.some((value) => value <= 0)) return null;
  const logs = blocks.map(Math.log);
  const mean = sumAll(logs) / count;
  const rests = logs.map((value) => value - mean);
  const square = sum(rests, (value) => value * value);
  const next = rests.slice(1).reduce((sum, value, at) => sum + value * (rests[at] ?? 0), 0);
  // The estimate itself is low by about 1 / count.
  const shared = Math.min(0.8, Math.max(0, square === 0 ? 0 : next / square + 1 / count));
  const widened = (1 + shared) / (1 - shared);
  return { mean, variance: ((square / (count - 1)) * widened) / count, freedom: (count - 1) / widened };
}
