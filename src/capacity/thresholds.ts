import type { Histogram } from 'hdr-histogram-js';
import type { OperationName } from '../contract/types.js';
import { sum, sumOfCounts } from './added.js';
import { decoded, percentileMs, sumOf } from './histogram.js';
import type { CapacityPhaseRecord, Counts } from '../log/capacity-record.js';
import { isLatency, keeps, type Condition, type Metric, type Threshold } from '../scenario/threshold.js';

/** What became of a threshold. */
export interface ThresholdResult {
  readonly text: string;
  /** In ms, as a share of 0 to 1, or as a number; null where there was nothing to measure. */
  readonly value: number | null;
  readonly unit: Condition['unit'];
  readonly outcome: 'met' | 'missed' | 'inconclusive';
  /** Why it is inconclusive. */
  readonly reason?: string;
}

/** What a threshold is held against: some phases, or one operation of them. */
export interface Measured extends Counts {
  readonly intended: number;
  readonly dropped: number;
  /** Of those dropped: what the generator was too late for, which no server has a part in. */
  readonly droppedLate: number;
  readonly ms: number;
  readonly latency: () => Histogram;
  /** The least that the server can have taken. */
  readonly least: () => Histogram;
}

/** The value of a metric; null where nothing was measured. Shares are of what was sent, and what is dropped of what was intended. */
export function valueOf(metric: Metric, unit: Condition['unit'], measured: Measured): number | null {
  if (isLatency(metric)) {
    const latency = measured.latency();
    return latency.totalCount === 0 ? null : percentileMs(latency, metric);
  }
  const share = (count: number, of: number): number | null =>
    unit === 'share' ? (of === 0 ? null : count / of) : count;
  switch (metric) {
    case 'errors':
      return share(measured.errors, measured.sent);
    case 'violations':
      return measured.violations;
    case 'dropped':
      return share(measured.dropped, measured.intended);
    case 'served':
      return measured.served;
    case 'perSecond':
      return measured.ms === 0 ? null : ratePerSecond(measured.served, measured.ms);
  }
}

const ratePerSecond = (count: number, ms: number): number => Math.round((count * 100_000) / ms) / 100;

/** Phases, or one operation of them, as one. */
export function measuredIn(phases: readonly CapacityPhaseRecord[], operation: OperationName | null): Measured {
  const parts = phases.flatMap(({ operations }) =>
    operations.filter((each) => operation === null || each.operation === operation),
  );
  const droppedLate = sum(phases, (phase) => phase.droppedLate);
  const dropped = droppedLate + sum(phases, (phase) => phase.droppedFull);
  const counts = sumOfCounts(parts);
  return {
    ...counts,
    intended: counts.sent + (operation === null ? dropped : 0),
    dropped: operation === null ? dropped : 0,
    // Any of them may have been this operation's.
    droppedLate,
    ms: sum(phases, ({ startedAt, finishedAt }) => Math.max(0, finishedAt - startedAt)),
    latency: () => sumOf(parts.map((part) => decoded(part.latency))),
    least: () => sumOf(parts.map((part) => decoded(part.least))),
  };
}

/**
 * Between which bounds the figure lies once all is allowed for that the generator was held up itself: what it sent late
 * might have been served, what it dropped late is no fault of the server, and an answer may have waited to be read. Only
 * what is dropped late is unknown; of answers that came, counts are what they are.
 */
function boundsOf(
  metric: Metric,
  unit: Condition['unit'],
  value: number,
  measured: Measured,
): readonly [number, number] {
  const { droppedLate, dropped, served, ms } = measured;
  if (isLatency(metric)) return [percentileMs(measured.least(), metric), value];
  if (metric === 'served') return [value, served + droppedLate];
  if (metric === 'perSecond') return [value, ratePerSecond(served + droppedLate, ms)];
  if (metric === 'dropped')
    return [valueOf(metric, unit, { ...measured, dropped: dropped - droppedLate }) ?? value, value];
  return [value, value];
}

/** What a run's thresholds are judged by. */
export interface Evidence {
  readonly phases: readonly CapacityPhaseRecord[];
  /** The names of all phases that were planned. */
  readonly planned: readonly string[];
  /** The scenario's own rule ended the run. */
  readonly aborted: boolean;
}

/** More of the arrivals than this without a connection: what was not sent is not known to have been quick. */
const FULL_SHARE = 0.01;

/** Judges a threshold. A generator that was itself the bottleneck makes it neither met nor missed. Pure. */
export function judgeThreshold(threshold: Threshold, { phases, planned, aborted }: Evidence): ThresholdResult {
  const { text, metric, unit, phase, operation } = threshold;
  const covered = phases.filter(({ phase: name }) => phase === null || name === phase);
  const wanted = phase === null ? planned : [phase];
  const measured = measuredIn(covered, operation);
  const value = valueOf(metric, unit, measured);
  const open = (reason: string): ThresholdResult => ({ text, value, unit, outcome: 'inconclusive', reason });
  const saturated = covered.find((each) => each.saturated !== null);
  if (saturated) {
    const { phase: where, saturated: since } = saturated;
    return open(
      `the generator${since?.agent === undefined ? '' : ` of ${since.agent}`} was saturated in the phase ${where}`,
    );
  }
  if (value === null) return open('nothing was measured');
  const bounds = boundsOf(metric, unit, value, measured);
  const isMet = bounds.every((bound) => keeps(bound, threshold));
  const isWhole = wanted.every((name) => covered.some((each) => each.phase === name && each.whole));
  // Between the bounds it may be kept: the generator's own hiccups decide nothing.
  const isOpen =
    !isMet && (threshold.comparison === '=' ? within(threshold.bound, bounds) : keepsAny(bounds, threshold));
  if (!isWhole && !(aborted && !isMet && !isOpen)) return open('the run was cut short');
  if (isOpen) return open(hiccup(metric, measured.droppedLate));
  const full = sum(covered, ({ droppedFull }) => droppedFull);
  if (isMet && isLatency(metric) && full > measured.intended * FULL_SHARE)
    return open('so many requests waited for an answer that others were not sent');
  return { text, value, unit, outcome: isMet ? 'met' : 'missed' };
}

const within = (value: number, [low, high]: readonly [number, number]): boolean => value >= low && value <= high;

const keepsAny = (bounds: readonly number[], condition: Condition): boolean =>
  bounds.some((bound) => keeps(bound, condition));

const hiccup = (metric: Metric, droppedLate: number): string =>
  isLatency(metric)
    ? 'the generator itself was held up for longer than by what it is missed'
    : `the generator itself was too late for ${droppedLate} of the requests, which decide it`;
