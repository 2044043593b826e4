import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js';
import type { OperationRecord, Counts } from '../log/capacity-record.js';
import { LATENCIES, type LatencyMetric } from '../scenario/threshold.js';

/** An hour in microseconds: longer than any request may take. */
const LONGEST_US = 3_600_000_000;
/** Three figures are as many as a latency deserves. */
const DIGITS = 3;

/** A histogram of times in microseconds, empty. */
export const newHistogram = (): Histogram =>
  build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: LONGEST_US,
    numberOfSignificantValueDigits: DIGITS,
    bitBucketSize: 32,
    useWebAssembly: false,
  });

/** Records a time in ms. */
export const recordMs = (histogram: Histogram, ms: number): void =>
  histogram.recordValue(Math.min(LONGEST_US, Math.max(1, Math.round(ms * 1000))));

/** Percentiles in ms; 0 of an empty histogram. */
export type Percentiles = Readonly<Record<LatencyMetric, number>>;

const SHARES: Readonly<Record<Exclude<LatencyMetric, 'max'>, number>> = {
  p50: 50,
  p90: 90,
  p95: 95,
  p99: 99,
  p999: 99.9,
};

/** One percentile in ms, to the microsecond. */
export const percentileMs = (histogram: Histogram, metric: LatencyMetric): number =>
  histogram.totalCount === 0
    ? 0
    : (metric === 'max' ? histogram.maxValue : histogram.getValueAtPercentile(SHARES[metric])) / 1000;

/** The percentiles that reports name. */
export const percentilesOf = (histogram: Histogram): Percentiles =>
  Object.fromEntries(LATENCIES.map((metric) => [metric, percentileMs(histogram, metric)])) as Percentiles;

/** The sum of some histograms: counts are added, never averaged. */
export function sumOf(histograms: readonly Histogram[]): Histogram {
  const sum = newHistogram();
  for (const each of histograms) sum.add(each);
  return sum;
}

/** The times of errors, of some operations together. */
export const failedIn = (operations: readonly Pick<OperationRecord, 'failed'>[], of: 'latency' | 'least'): Histogram =>
  sumOf(operations.flatMap(({ failed }) => (failed === undefined ? [] : [decoded(failed[of])])));

/** A histogram as text for a log, in the format that every HdrHistogram reads. */
export const encoded = (histogram: Histogram): string => encodeIntoCompressedBase64(histogram);

/** The inverse of `encoded`. Throws for a text that is none. */
export const decoded = (text: string): Histogram => decodeFromCompressedBase64(text, 32, false);

/** Numbers of some things, added. */
export const sum = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((total, one) => total + of(one), 0);

/** Numbers by name, added name by name. */
export function sumByName<Name extends string>(
  all: readonly Readonly<Partial<Record<Name, number>>>[],
): Partial<Record<Name, number>> {
  const added: Partial<Record<Name, number>> = {};
  for (const [name, count] of all.flatMap((one) => Object.entries(one) as [Name, number][]))
    added[name] = (added[name] ?? 0) + count;
  return added;
}

/** Counts, added status by status. */
export const sumOfCounts = (all: readonly Counts[]): Counts => ({
  sent: sum(all, ({ sent }) => sent),
  served: sum(all, ({ served }) => served),
  refused: sum(all, ({ refused }) => refused),
  errors: sum(all, ({ errors }) => errors),
  violations: sum(all, ({ violations }) => violations),
  byStatus: sumByName(all.map(({ byStatus }) => byStatus)) as Counts['byStatus'],
});
