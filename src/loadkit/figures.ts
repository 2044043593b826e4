import type { Histogram } from 'hdr-histogram-js';
import type { OperationName } from '../base/interface/types.js';
import { encoded, percentilesOf, sumOfTexts } from '../log/histogram.js';
import type { CapacityPhaseRecord, Counts, OperationRecord, SecondRecord } from '../log/capacity-record.js';

/** Returns the times of errors, over some operations. */
export const failedIn = (operations: readonly Pick<OperationRecord, 'failed'>[], of: 'latency' | 'least'): Histogram =>
  sumOfTexts(operations.map(({ failed }) => failed?.[of]));

/** Shortest second that counts, ms: phases cut seconds at their edges, and shorter pieces give no rate. */
export const LEAST_SECOND_MS = 500;

/** Is true if a second is long enough for a rate. */
export const isWholeSecond = ({ ms }: Pick<SecondRecord, 'ms'>): boolean => ms >= LEAST_SECOND_MS;

/** Returns a count of a second as a rate per second. */
export const rateIn = ({ ms }: Pick<SecondRecord, 'ms'>, count: number): number => (count * 1000) / Math.max(1, ms);

/** Returns how many arrivals of a phase were not sent, for whatever reason. */
export const droppedIn = ({ droppedLate, droppedFull, droppedHeld = 0 }: CapacityPhaseRecord): number =>
  droppedLate + droppedFull + droppedHeld;

/** Returns the generator's health over some phases: the worst lag (ms), and share of a processor. */
export const healthIn = (phases: readonly CapacityPhaseRecord[]) => ({
  loopLagMs: Math.max(0, ...phases.map(({ lagMs }) => lagMs)),
  cpu: Math.max(0, ...phases.map(({ cpu }) => cpu)),
  saturated: phases.some(({ saturated, exhausted }) => saturated !== null || exhausted !== undefined),
});

/** Returns the percentiles that the record of a second has. */
export function percentilesOfSecond(latency: Histogram) {
  const { p50, p90, p95, p99, max } = percentilesOf(latency);
  return { p50, p90, p95, p99, max };
}

/** Returns the record of an operation's second; `isPart` as for `timesOfSecond`. */
export function secondOfOperation(operation: OperationName, served: number, latency: Histogram, isPart = false) {
  return { operation, served, ...timesOfSecond(latency, isPart) };
}

/**
 * Returns the latencies of a second's responses.
 * @param isPart true if seconds of parts will be merged: percentiles cannot be
 */
export function timesOfSecond(latency: Histogram, isPart = false) {
  const { p50, p95, p99 } = percentilesOf(latency);
  return { p50, p95, p99, ...(isPart && { latency: encoded(latency) }) };
}

/** Adds numbers. */
export const sum = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((total, one) => total + of(one), 0);

export const sumAll = (all: Iterable<number>): number => sum([...all], (one) => one);

/** Adds numbers by name. */
export function sumByName<Name extends string>(
  all: readonly Readonly<Partial<Record<Name, number>>>[],
): Partial<Record<Name, number>> {
  const added: Partial<Record<Name, number>> = {};
  for (const [name, count] of all.flatMap((one) => Object.entries(one) as [Name, number][]))
    added[name] = (added[name] ?? 0) + count;
  return added;
}

/** Adds counts, by status code too. */
export const sumOfCounts = (all: readonly Counts[]): Counts => ({
  sent: sum(all, ({ sent }) => sent),
  served: sum(all, ({ served }) => served),
  refused: sum(all, ({ refused }) => refused),
  errors: sum(all, ({ errors }) => errors),
  violations: sum(all, ({ violations }) => violations),
  byStatus: sumByName(all.map(({ byStatus }) => byStatus)) as Counts['byStatus'],
});
