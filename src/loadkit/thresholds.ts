import type { Histogram } from 'hdr-histogram-js';
import type { OperationName } from '../base/interface/types.js';
import { shareOf, sumOfTexts } from '../log/histogram.js';
import type { Gap } from './silence.js';
import { standstillWords } from './health.js';
import { machineOf } from './machine.js';
import {
  droppedIn,
  failedIn,
  judgedPercentiles,
  sumOfCounts,
  withoutFailed,
  type TimeName,
} from './figures.js';
import type { PhaseResult, ThresholdResult } from './capacity-shape.js';
import type { CapacityPhaseRecord, SecondRecord } from '../log/capacity-record.js';
import {
  isLatency,
  keeps,
  type Condition,
  type LatencyMetric,
  type Metric,
  type Threshold,
} from '../wire/scenario/threshold.js';
import type { Scenario } from '../wire/scenario/scenario.js';
import { ownLimit } from '../wire/exchange/own-limits.js';
import { count, counted, duration, sum, sumAll, trimmed } from '../base/kernel/format.js';

/** Figures for thresholds: of some phases, or of one operation. */
type Measured = ReturnType<typeof measuredIn>;

interface Figures extends Pick<
  Measured,
  'errors' | 'violations' | 'served' | 'inTime' | 'settled' | 'dropped' | 'intended' | 'ms'
> {
  readonly percentile: (metric: LatencyMetric) => number | null;
}

/**
 * Returns a metric's value; null without data. Shares: errors of all ended requests, dropped ones of all
 * intended.
 */
export function valueOf(
  { metric, unit }: Pick<Condition, 'metric' | 'unit'>,
  measured: Figures,
): number | null {
  if (isLatency(metric)) return measured.percentile(metric);
  const share = (count: number, of: number): number | null =>
    unit === 'share' ? (of === 0 ? null : count / of) : count;
  switch (metric) {
    case 'errors':
      return share(measured.errors, measured.settled);
    case 'violations':
      return measured.violations;
    case 'dropped':
      return share(measured.dropped, measured.intended);
    case 'served':
      return measured.served;
    case 'perSecond':
      return measured.ms === 0 ? null : throughputOf(measured);
  }
}

/** Returns successful responses per second, within the time of their phase; 0 without time. */
export const throughputOf = ({ inTime, ms }: Pick<Measured, 'inTime' | 'ms'>): number =>
  ms === 0 ? 0 : Math.round((inTime * 100_000) / ms) / 100;

/** Returns the time over which a phase counts, ms. */
export const lengthOf = ({
  startedAt,
  finishedAt,
  stopped,
}: Pick<CapacityPhaseRecord, 'startedAt' | 'finishedAt' | 'stopped'>): number =>
  stopped?.ofMs ?? Math.max(0, finishedAt - startedAt);

export function measuredIn(phases: readonly CapacityPhaseRecord[], operation: OperationName | null) {
  const parts = phases.flatMap(({ operations }) =>
    operations.filter((each) => operation === null || each.operation === operation),
  );
  const droppedHeld = sum(phases, (phase) => phase.droppedHeld ?? 0);
  const droppedOwn = droppedHeld + sum(phases, (phase) => phase.droppedLate);
  const dropped = sum(phases, droppedIn);
  const counts = sumOfCounts(parts);
  const settled = sumAll(Object.values(counts.byStatus));
  const inTime = sum(parts, (part) => part.inTime ?? part.served);
  const timesOf = (of: TimeName): Histogram => sumOfTexts(parts.map((part) => part[of]));
  /** Decodes the times when the first percentile is asked for. */
  const percentileOf = (of: TimeName) => {
    let judged: ReturnType<typeof judgedPercentiles> | undefined;
    return (metric: LatencyMetric | number): number | null => {
      judged ??= judgedPercentiles({ latency: timesOf(of), failed: failedIn(parts, of) });
      return judged(metric);
    };
  };
  return {
    ...counts,
    /** Successful responses within the time of their phase. An older log has only those to its arrivals. */
    inTime,
    /** A request without a connection was not sent, but due. */
    intended: Math.max(counts.sent, settled) + (operation === null ? dropped : 0),
    dropped: operation === null ? dropped : 0,
    /**
     * Dropped without the server's part: the generator was late, or its key had to wait. Any may be this
     * operation's.
     */
    droppedOwn,
    droppedHeld,
    /** Time of the phases; all of it where nothing answered any more. */
    ms: sum(phases, lengthOf),
    /** Time in which this machine stood still. An open loop drops what was due then. */
    stoodMs: sum(phases, ({ intended: due, stoodMs = 0 }) => (due === null ? stoodMs : 0)),
    stoodBy: [...new Set(phases.flatMap(({ stoodBy = [] }) => stoodBy))],
    /** Responses, and requests without one. */
    settled,
    answered: (): Histogram =>
      withoutFailed({ latency: timesOf('latency'), failed: failedIn(parts, 'latency') }),
    percentile: percentileOf('latency'),
    servicePercentile: percentileOf('service'),
    leastPercentile: percentileOf('least'),
  };
}

/**
 * Figures as they may be without the generator's own stalls. Late requests might have been allowed, dropped
 * ones are no fault of the server, and a response may have waited to be read. While the machine stood still,
 * a closed loop might have gone on as in the rest of its time. Only these requests are unknown; counts of
 * responses are exact.
 */
const withoutStalls = (measured: Measured): Figures => ({
  ...measured,
  served: measured.served * withoutStandstill(measured) + measured.droppedOwn,
  inTime: measured.inTime * withoutStandstill(measured) + measured.droppedOwn,
  dropped: measured.dropped - measured.droppedOwn,
  percentile: measured.leastPercentile,
});

/** Returns by which factor a closed loop might have sent more, had this machine not stood still. */
const withoutStandstill = ({ ms, stoodMs }: Measured): number =>
  stoodMs === 0 ? 1 : ms / Math.max(1, ms - stoodMs);

export interface Evidence {
  readonly phases: readonly CapacityPhaseRecord[];
  /** Names of all planned phases. */
  readonly planned: readonly string[];
  /** True if the scenario's own rule ended the run. */
  readonly aborted: boolean;
  /** True if a percentile of too few requests counts, as in a search, whose answer says so. */
  readonly mayBeFew?: boolean;
  /** Of closed phases by name: their waiting. */
  readonly waiting?: ReadonlyMap<string, Waiting>;
}

/** Length of a closed phase, and the times in which it waited and no response came, ms. */
export interface Waiting {
  readonly ms: number;
  readonly gaps: readonly Pick<Gap, 'ms'>[];
}

/** Fewest successful responses of which one in a thousand is one. */
const LEAST_FOR_P999 = 1000;

/** Returns the p999 of a phase, ms; 0 if so few requests were served that it is only the longest. */
export const knownP999 = ({ served, latencyMs }: Pick<PhaseResult, 'served' | 'latencyMs'>): number =>
  served < LEAST_FOR_P999 ? 0 : latencyMs.p999;

/** Largest share of arrivals without a connection: their times are unknown. */
const FULL_SHARE = 0.01;

/**
 * Largest share of requests without a response for which a latency is known: such a request is slower than
 * any percentile, whenever its connection broke.
 */
const mostUnanswered = (metric: LatencyMetric): number =>
  metric === 'max' ? FULL_SHARE : Math.max(FULL_SHARE, 1 - shareOf(metric));

/** Judges a threshold. If the generator was the bottleneck, it is inconclusive. Pure. */
export function judgeThreshold(threshold: Threshold, evidence: Evidence): ThresholdResult {
  const { phases, planned, aborted } = evidence;
  const { text, metric, unit, phase, operation } = threshold;
  const covered = phases.filter(({ phase: name }) => phase === null || name === phase);
  const wanted = phase === null ? planned : [phase];
  const measured = measuredIn(covered, operation);
  // What no request could show is not kept.
  const isNothing = measured.settled === 0 && (measured.intended === 0 || metric === 'violations');
  const value = isNothing ? null : valueOf(threshold, measured);
  const open = (reason: string): ThresholdResult => ({ text, value, unit, outcome: 'inconclusive', reason });
  const exhausted = covered.find((each) => each.exhausted !== undefined);
  if (exhausted) return open(exhaustedWords(exhausted));
  const saturated = covered.find((each) => each.saturated !== null);
  if (saturated) return open(saturatedWords(saturated));
  if (value === null) return open('nothing was measured');
  const bounds = [value, valueOf(threshold, withoutStalls(measured)) ?? value];
  const isMet = bounds.every((bound) => keeps(bound, threshold));
  const isWhole = wanted.every((name) => covered.some((each) => each.phase === name && each.whole));
  // Between the bounds it may be met: the generator's own hiccups decide nothing.
  const mayBeMet =
    threshold.comparison === '='
      ? threshold.bound >= Math.min(...bounds) && threshold.bound <= Math.max(...bounds)
      : bounds.some((bound) => keeps(bound, threshold));
  const isOpen = !isMet && mayBeMet;
  if (!isWhole && !(aborted && !isMet && !isOpen)) return open('the run was cut short');
  if (isOpen) return open(hiccup(metric, measured));
  const full = sum(covered, ({ droppedFull }) => droppedFull);
  if (isMet && isLatency(metric) && full > measured.intended * FULL_SHARE)
    return open('too many requests waited for a response, so others were not sent');
  const { none = 0 } = measured.byStatus;
  if (isMet && isLatency(metric) && none > measured.settled * mostUnanswered(metric))
    return open(
      `${count(none)} of ${counted(measured.settled, 'request')} got no complete response, so their latency is unknown`,
    );
  if (isMet && metric === 'p999' && evidence.mayBeFew !== true && measured.served < LEAST_FOR_P999)
    return open(
      `of ${counted(measured.served, 'successful response')} p999 is only the longest; it needs ${count(LEAST_FOR_P999)}`,
    );
  const stall = isMet ? stallWords(threshold, covered, evidence) : null;
  if (stall !== null) return open(stall);
  return { text, value, unit, outcome: isMet ? 'met' : 'missed' };
}

/**
 * Describes a stall that a percentile of a closed loop leaves out: for a larger share of the time than the
 * percentile leaves out, a new request would have waited longer than the bound. Requests of that time were
 * never sent. Null without one.
 */
function stallWords(
  { metric, bound }: Threshold,
  covered: readonly CapacityPhaseRecord[],
  { waiting = new Map() }: Evidence,
): string | null {
  // The longest wait has the stall in it.
  if (!isLatency(metric) || metric === 'max') return null;
  for (const { phase } of covered) {
    const { ms, gaps } = waiting.get(phase) ?? { ms: 0, gaps: [] };
    const beyond = sum(gaps, (gap) => Math.max(0, gap.ms - bound));
    if (beyond > ms * (1 - shareOf(metric)))
      return (
        `no response came for ${secondsText(sum(gaps, (gap) => gap.ms))} of ${secondsText(ms)} s of ${phase}, ` +
        `which ${metric} in a closed loop leaves out (a phase with a rate includes it)`
      );
  }
  return null;
}

export const secondsText = (ms: number): string => trimmed(ms / 1000, 1);

export const saturatedWords = ({ phase, saturated }: CapacityPhaseRecord): string =>
  `the generator${saturated?.agent === undefined ? '' : ` of ${saturated.agent}`} was saturated in the phase ${phase}`;

export const exhaustedWords = ({ phase, exhausted }: CapacityPhaseRecord): string => {
  const [first] = exhausted ?? [];
  const { words, remedy } = ownLimit(first?.cause);
  return `${machineOf(first?.agents)} ${words} in the phase ${phase}. ${remedy.replace(/\.$/, '')}`;
};

export const hiccup = (metric: Metric, { droppedOwn, droppedHeld, stoodMs, stoodBy }: Measured): string => {
  if (stoodMs > 0) return standstillWords(stoodMs, stoodBy);
  if (droppedHeld > 0) return `the key had to wait after a 429, so ${droppedHeld} requests were not sent`;
  return isLatency(metric)
    ? 'delays of the generator itself may explain the miss'
    : `the generator itself sent ${droppedOwn} requests too late, which may explain the miss`;
};

/**
 * Watches the scenario's own rule to stop: the condition held for the given time, in every second with data.
 * The result receives each second at its end, and returns a reason to stop the run, or null.
 */
export function abortWatch(rule: Scenario['abort']): (second: SecondRecord) => string | null {
  if (rule === null) return () => null;
  let heldMs = 0;
  return (second) => {
    const value = measuredOf(second, rule.when);
    if (value === null) return null;
    heldMs = keeps(value, rule.when) ? heldMs + second.ms : 0;
    return heldMs >= rule.afterSeconds * 1000
      ? `${rule.text} for ${duration(rule.afterSeconds * 1000)}`
      : null;
  };
}

/** Value of a condition's figure in one second; null without data. There p99 replaces p999. */
function measuredOf(second: SecondRecord, condition: Condition): number | null {
  const settled = sumAll(Object.values(second.byStatus));
  return valueOf(condition, {
    ...second,
    inTime: second.served,
    settled,
    // 0 where only errors came.
    percentile: (of) =>
      (of === 'p95' ? (second.p95 ?? second.p99) : second[of === 'p999' ? 'p99' : of]) || null,
  });
}
