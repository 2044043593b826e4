import type { Drift } from './capacity-shape.js';
import type { Phase } from '../wire/scenario/scenario.js';
import type { SecondRecord } from '../log/capacity-record.js';
import { isWholeSecond } from './figures.js';

/** Shortest phase with a trend, ms: in less, caches and compilers still warm up. */
const LEAST_MS = 300_000;
/** Seconds at the beginning of a phase that are left out, ms. */
const WARM_MS = 30_000;
/** Number of pieces of a phase. Seconds depend on their neighbours; pieces of 10 s or more hardly do. */
const PIECES = 30;
/**
 * Width of the interval in standard deviations of Kendall's statistic: 99.9 % of steady runs are within it. A
 * run has several phases and figures, and a sentence on a trend has to be sure.
 */
const DEVIATIONS = 3.29;
/** Smallest change that is reported: less is nothing to act on. */
const LEAST_CHANGE = 0.03;

/** Returns the figures that changed steadily, with intervals; empty where nothing is sure. Pure. */
export function driftsOf(phases: readonly Phase[], seconds: readonly SecondRecord[]): readonly Drift[] {
  return phases.flatMap((phase) => {
    // On a ramp the load changes, and latency with it.
    if (phase.kind === 'open' && phase.from !== phase.to) return [];
    const own = seconds.filter((second) => second.phase === phase.name && isWholeSecond(second));
    return METRICS.flatMap(([metric, valueOf]) => {
      const values = own.flatMap((second) => {
        const value = valueOf(second);
        return value > 0 ? [{ at: second.at, value }] : [];
      });
      const trend = trendOf(values);
      return trend ? [{ phase: phase.name, metric, ...trend }] : [];
    });
  });
}

const METRICS: readonly (readonly [Drift['metric'], (second: SecondRecord) => number])[] = [
  ['p50', ({ p50 }) => p50],
  ['p99', ({ p99 }) => p99],
];

interface Moment {
  /** Unix ms. */
  readonly at: number;
  readonly value: number;
}

/**
 * Returns the change of positive values over their time, with an interval; null where they may be steady. The
 * slopes between all pairs of pieces give the interval (Theil and Sen, with Kendall's variance), so that
 * single slow seconds decide nothing. Pure.
 */
export function trendOf(values: readonly Moment[]): Omit<Drift, 'phase' | 'metric'> | null {
  const [begin, end] = [(values[0]?.at ?? 0) + WARM_MS, values.at(-1)?.at ?? 0];
  if (end - begin < LEAST_MS - WARM_MS) return null;
  const pieceMs = (end - begin) / PIECES;
  const pieces = Array.from({ length: PIECES }, (): number[] => []);
  for (const { at, value } of values)
    if (at >= begin) pieces[Math.min(PIECES - 1, Math.floor((at - begin) / pieceMs))]?.push(Math.log(value));
  const points = pieces.flatMap((logs, place) => (logs.length === 0 ? [] : [{ place, log: median(logs) }]));
  const count = points.length;
  // A pause of the server leaves holes.
  if (count < PIECES / 2) return null;
  const slopes = points
    .flatMap((one, at) =>
      points.slice(at + 1).map((later) => (later.log - one.log) / (later.place - one.place)),
    )
    .toSorted((a, b) => a - b);
  const deviation = Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
  const out = Math.floor((slopes.length - DEVIATIONS * deviation) / 2);
  const [least, most] = [slopes[out], slopes[slopes.length - 1 - out]];
  if (out < 0 || least === undefined || most === undefined) return null;
  const [low, high] = [least, most].map((slope) => Math.expm1(slope * (PIECES - 1)));
  if (low === undefined || high === undefined) return null;
  const isSure = low > LEAST_CHANGE || high < -LEAST_CHANGE;
  return isSure ? { low, high, ms: end - begin } : null;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [one = 0, other = 0] = [sorted[middle], sorted[sorted.length - 1 - middle]];
  return (one + other) / 2;
}
