/** Values of one run, one for each block of some seconds, in order. All above 0. */
export type Blocks = readonly number[];

/** Difference of a figure between two runs, as shares: 0.1 is 10 % more in the later run. */
export interface Difference {
  /** 95 % interval. */
  readonly low: number;
  readonly high: number;
  /** Smallest difference that these runs would have shown in 9 of 10 cases. */
  readonly shown: number;
}

/** Fewest blocks of each run for an interval. */
const LEAST_BLOCKS = 8;
/** Standard normal: 97.5 % for the interval, and 90 % for what it would have shown. */
const Z_INTERVAL = 1.96;
const Z_POWER = 1.2816;

/**
 * Returns the difference of two runs with an interval; null where a run is too short. Seconds of one run depend on each
 * other, so it compares blocks of several seconds, by the mean of their logarithms (Welch). What blocks still share with
 * their neighbours widens the interval. Pure.
 */
export function differenceOf(before: Blocks, after: Blocks): Difference | null {
  const [one, other] = [before, after].map(estimateOf);
  if (!one || !other) return null;
  const error = Math.sqrt(one.variance + other.variance);
  // Welch and Satterthwaite: the variances come from few blocks.
  const freedom =
    (one.variance + other.variance) ** 2 / (one.variance ** 2 / one.freedom + other.variance ** 2 / other.freedom);
  const t = error === 0 ? Z_INTERVAL : studentOf(Math.max(1, freedom));
  const change = other.mean - one.mean;
  return {
    low: Math.expm1(change - t * error),
    high: Math.expm1(change + t * error),
    shown: Math.expm1((t + Z_POWER) * error),
  };
}

function estimateOf(blocks: Blocks) {
  const count = blocks.length;
  if (count < LEAST_BLOCKS || blocks.some((value) => value <= 0)) return null;
  const logs = blocks.map(Math.log);
  const mean = logs.reduce((sum, value) => sum + value, 0) / count;
  const rests = logs.map((value) => value - mean);
  const square = rests.reduce((sum, value) => sum + value * value, 0);
  const next = rests.slice(1).reduce((sum, value, at) => sum + value * (rests[at] ?? 0), 0);
  // The estimate itself is low by about 1 / count.
  const shared = Math.min(0.8, Math.max(0, square === 0 ? 0 : next / square + 1 / count));
  const widened = (1 + shared) / (1 - shared);
  return { mean, variance: ((square / (count - 1)) * widened) / count, freedom: (count - 1) / widened };
}

/** Returns the 97.5 % point of Student's distribution (Cornish and Fisher's expansion; within 1 % from 3 on). */
function studentOf(freedom: number): number {
  const z = Z_INTERVAL;
  return (
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3)
  );
}
