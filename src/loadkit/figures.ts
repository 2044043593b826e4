import { sum } from '../base/kernel/format.js';
import type { Histogram } from 'hdr-histogram-js';
import { encoded, percentileMs, sumOf, sumOfTexts } from '../log/histogram.js';
import type { LatencyMetric } from '../wire/scenario/threshold.js';
import type { CapacityPhaseRecord, OperationRecord, SecondRecord } from '../log/capacity-record.js';
import type { Counts } from '../log/load-shapes.js';

/** Times of a response: from the intended moment of sending, from the actual one, and the least of the server. */
export type TimeName = 'latency' | 'service' | 'least';

export const eachTime = <T>(of: (time: TimeName) => T): Readonly<Record<TimeName, T>> => ({
  latency: of('latency'),
  service: of('service'),
  least: of('least'),
});

export const failedIn = (operations: readonly Pick<OperationRecord, 'failed'>[], of: TimeName): Histogram =>
  sumOfTexts(operations.map(({ failed }) => failed?.[of]));

/** Returns only the amounts above 0, and the lists with entries: a record leaves out all others. */
export const occurring = <Of extends Readonly<Record<string, number | readonly unknown[]>>>(
  amounts: Of,
): Partial<Of> =>
  Object.fromEntries(
    Object.entries(amounts).filter(([, amount]) => (typeof amount === 'number' ? amount : amount.length) > 0),
  ) as Partial<Of>;

/** Shortest second that counts, ms: phases cut seconds at their edges, and shorter pieces give no rate. */
export const LEAST_SECOND_MS = 500;

export const isWholeSecond = ({ ms }: Pick<SecondRecord, 'ms'>): boolean => ms >= LEAST_SECOND_MS;

export const rateIn = ({ ms }: Pick<SecondRecord, 'ms'>, count: number): number =>
  (count * 1000) / Math.max(1, ms);

export const droppedIn = ({ droppedLate, droppedFull, droppedHeld = 0 }: CapacityPhaseRecord): number =>
  droppedLate + droppedFull + droppedHeld;

/** Returns the generator's health over some phases: the worst lag (ms), and share of a processor. */
export const healthIn = (phases: readonly CapacityPhaseRecord[]) => ({
  loopLagMs: Math.max(0, ...phases.map(({ lagMs }) => lagMs)),
  cpu: Math.max(0, ...phases.map(({ cpu }) => cpu)),
  saturated: phases.some(({ saturated, exhausted }) => saturated !== null || exhausted !== undefined),
});

/** Times of a second, ms: of everything that ended, and of what of it was not served. */
export interface SecondTimes {
  readonly latency: Histogram;
  readonly failed: Histogram;
}

export function withoutFailed({ latency, failed }: SecondTimes): Histogram {
  if (failed.totalCount === 0) return latency;
  const answered = sumOf([latency]);
  answered.subtract(failed);
  return answered;
}

/**
 * Returns percentiles in ms as thresholds judge them: quick errors and refusals do not lower them, and slow
 * ones do not drop out. null where nothing was served.
 */
export function judgedPercentiles({ latency, failed }: SecondTimes) {
  const answered = withoutFailed({ latency, failed });
  return (metric: LatencyMetric | number): number | null => {
    if (answered.totalCount === 0) return null;
    const ms = percentileMs(answered, metric);
    return answered === latency ? ms : Math.max(ms, percentileMs(latency, metric));
  };
}

/** 0 where nothing was served. */
export const percentilesBy = <Metric extends LatencyMetric>(
  percentile: ReturnType<typeof judgedPercentiles>,
  metrics: readonly Metric[],
) => Object.fromEntries(metrics.map((metric) => [metric, percentile(metric) ?? 0])) as Record<Metric, number>;

export const percentilesIn = <Metric extends LatencyMetric>(times: SecondTimes, metrics: readonly Metric[]) =>
  percentilesBy(judgedPercentiles(times), metrics);

/** Returns times as text: percentiles of parts cannot be merged. */
export const textsOfTimes = ({ latency, failed }: SecondTimes) => ({
  latency: encoded(latency),
  ...(failed.totalCount > 0 && { failed: encoded(failed) }),
});

export const timesOfTexts = (all: readonly Partial<Record<'latency' | 'failed', string>>[]): SecondTimes => ({
  latency: sumOfTexts(all.map(({ latency }) => latency)),
  failed: sumOfTexts(all.map(({ failed }) => failed)),
});

export const percentilesOfSecond = (times: SecondTimes) =>
  percentilesIn(times, ['p50', 'p90', 'p95', 'p99', 'max']);

/** @param isPart true if seconds of parts will be merged */
export const timesOfSecond = (times: SecondTimes, isPart = false) => ({
  ...percentilesIn(times, ['p50', 'p95', 'p99']),
  ...(isPart && textsOfTimes(times)),
});

export function sumByName<Name extends string>(
  all: readonly Readonly<Partial<Record<Name, number>>>[],
): Partial<Record<Name, number>> {
  const added: Partial<Record<Name, number>> = {};
  for (const [name, count] of all.flatMap((one) => Object.entries(one) as [Name, number][]))
    added[name] = (added[name] ?? 0) + count;
  return added;
}

export const sumOfCounts = (all: readonly Counts[]): Counts => ({
  sent: sum(all, ({ sent }) => sent),
  served: sum(all, ({ served }) => served),
  refused: sum(all, ({ refused }) => refused),
  errors: sum(all, ({ errors }) => errors),
  violations: sum(all, ({ violations }) => violations),
  byStatus: sumByName(all.map(({ byStatus }) => byStatus)) as Counts['byStatus'],
});
