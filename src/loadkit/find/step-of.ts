import type { CapacityPhaseRecord, FindStep } from '../../log/capacity-record.js';
import { valueText, type Threshold } from '../../wire/scenario/threshold.js';
import { judgeThreshold, measuredIn, throughputOf } from '../thresholds.js';
import { count, counted, trimmed } from '../../base/kernel/format.js';
import { isOwnLimit } from '../health.js';
import type { Move } from './search.js';

/**
 * Share of its load that a step has to serve. With less, the server falls behind or refuses, though the conditions may
 * still hold: without it, a search on errors alone would end far beyond the capacity.
 */
const LEAST_SERVED = 0.9;
/** Largest share of arrivals that the generator itself may drop: as near as a search comes to a rate. */
const MOST_LOST = 0.05;

/** Returns a step of a search from the record of its phase. Pure. */
export function stepOf(
  record: CapacityPhaseRecord,
  { role, perSecond, seconds }: Extract<Move, { kind: 'step' }>,
  conditions: readonly Threshold[],
): FindStep {
  const measured = measuredIn([record], null);
  const throughput = throughputOf(measured);
  // Without a processor the generator stalls, which thresholds allow for. Delays of the generator only make figures
  // worse: conditions that are met hold, as long as it sent nearly all.
  const evidence = { phases: [{ ...record, saturated: null }], planned: [record.phase], aborted: false };
  const results = conditions.map((condition) => judgeThreshold(condition, evidence));
  const missed = results.filter(({ outcome }) => outcome === 'missed');
  const isMet = results.every(({ outcome }) => outcome === 'met');
  const isSlow = measured.droppedOwn > measured.intended * MOST_LOST;
  const isOwn =
    record.exhausted !== undefined || isSlow || (record.saturated !== null && !isMet && isOwnLimit(record.saturated));
  const served = measured.ms === 0 ? 1 : throughput / perSecond;
  const reasons = [
    ...missed.map((result) => `${metricIn(result.text)} was ${valueText(result)}`),
    ...(record.droppedFull > 0
      ? [`${count(record.droppedFull)} requests were not sent, because too many had no response`]
      : []),
    ...(served < LEAST_SERVED ? [`only ${trimmed(throughput, 1)}/s were served`] : []),
    ...limitsIn(measured.byStatus),
  ];
  // A condition that could not be judged, with no limit in sight, is the generator's doing.
  const isOpen = results.some(({ outcome }) => outcome === 'inconclusive');
  const isLimited = missed.length > 0 || record.droppedFull > 0 || served < LEAST_SERVED;
  const isUnanswered = (measured.byStatus['none'] ?? 0) > 0 && isOpen;
  const outcome = isOwn ? 'generator' : isLimited || isUnanswered ? 'misses' : isOpen ? 'generator' : 'holds';
  return {
    phase: record.phase,
    role,
    perSecond,
    seconds,
    sent: measured.sent,
    throughput,
    p50: measured.percentile('p50') ?? 0,
    p99: measured.percentile('p99') ?? 0,
    errors: measured.settled === 0 ? 0 : measured.errors / measured.settled,
    outcome,
    reasons: outcome === 'misses' ? reasons : [],
  };
}

const metricIn = (text: string): string => text.split(/\s*[<>=]/)[0] ?? text;

/** Names refusals and failures, the limits that a server shows beside its latency. */
const limitsIn = (byStatus: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(byStatus).flatMap(([status, amount]) => {
    if (status === 'none') return [`${counted(amount, 'request')} got no response`];
    return status === '429' || Number(status) >= 500
      ? [`${counted(amount, 'response')} ${amount === 1 ? 'was' : 'were'} ${status}`]
      : [];
  });
