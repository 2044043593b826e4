import type { CapacityPhaseRecord, SecondRecord } from '../../log/capacity-record.js';
import type { FindStep } from '../../log/load-shapes.js';
import { valueText, type Threshold } from '../../wire/scenario/threshold.js';
import { notFound } from '../results.js';
import { judgeThreshold, measuredIn, throughputOf } from '../thresholds.js';
import { stoppedWords } from '../unanswered.js';
import { count, counted, grouped, sum, sumAll, trimmed } from '../../base/kernel/format.js';
import { isWholeSecond } from '../figures.js';
import { isOwnLimit } from '../health.js';
import type { Move } from './search.js';

/**
 * Share of what is sent in the later half of a step that has to be served in that time. With less, the server
 * falls behind or refuses, though the conditions may still hold: without it, a search by errors only would
 * end far beyond the capacity. The earlier half does not count: a server that takes long for each response
 * keeps up as well. A confirmation is longer, so a short stall at its end matters less.
 */
const LEAST_SERVED = 0.9;
const LEAST_CONFIRMED = 0.95;
/** Longest delay of the timer that ends the last second of a step, ms. */
const LATE_TICK_MS = 50;
/**
 * Share of responses that may break a requirement which the warm-up kept: as with errors, a single one is no
 * limit. A server that breaks it at any rate may do so twice as often, since a warm-up has few requests.
 */
const MOST_WRONG = 0.01;
const MORE_OFTEN = 2;
/** Largest share of arrivals that the generator itself may drop: as near as a search comes to a rate. */
const MOST_LOST = 0.05;

function wrongIn({ violations, shortPages = 0, operations }: CapacityPhaseRecord) {
  const settled = sum(operations, ({ byStatus }) => sumAll(Object.values(byStatus)));
  const broken = [...grouped(violations, ({ requirement }) => `broke ${requirement}`)];
  return [
    ...broken.map(([kind, all]) => ({ kind, times: sum(all, (one) => one.count) })),
    { kind: 'showed fewer than half of the animals', times: shortPages },
    { kind: 'found no animal', times: notFound(operations) },
  ].map((wrong) => ({ ...wrong, share: wrong.times / Math.max(1, settled) }));
}

/** Returns the share of what was sent in the later half of a phase that was served then; null if unknown. */
function servedLater(
  { phase, startedAt, finishedAt }: CapacityPhaseRecord,
  seconds: readonly SecondRecord[],
): number | null {
  const middle = (startedAt + finishedAt) / 2;
  const later = seconds.filter(
    (second) =>
      second.phase === phase &&
      isWholeSecond(second) &&
      second.at - second.ms >= middle &&
      second.at <= finishedAt + LATE_TICK_MS,
  );
  const sent = sum(later, (second) => second.sent);
  return sent === 0 ? null : sum(later, (second) => second.served) / sent;
}

interface Context {
  /** Record of the warm-up: what is wrong at any rate shows there; null without one. */
  readonly warm: CapacityPhaseRecord | null;
  readonly seconds: readonly SecondRecord[];
}

export function stepOf(
  record: CapacityPhaseRecord,
  { role, perSecond, seconds }: Extract<Move, { kind: 'step' }>,
  conditions: readonly Threshold[],
  { warm, seconds: all }: Context,
): FindStep {
  const measured = measuredIn([record], null);
  const throughput = throughputOf(measured);
  // Without a processor the generator stalls, which thresholds allow for. Delays of the generator only make figures
  // worse: conditions that are met hold, as long as it sent nearly all.
  const evidence = { phases: [{ ...record, saturated: null }], planned: [record.phase], aborted: false };
  const results = conditions.map((condition) => judgeThreshold(condition, { ...evidence, mayBeFew: true }));
  const missed = results.filter(({ outcome }) => outcome === 'missed');
  const isMet = results.every(({ outcome }) => outcome === 'met');
  const isSlow = measured.droppedOwn > measured.intended * MOST_LOST;
  const isOwn =
    record.exhausted !== undefined ||
    isSlow ||
    (record.saturated !== null && !isMet && isOwnLimit(record.saturated));
  const served = servedLater(record, all) ?? (measured.ms === 0 ? 1 : throughput / perSecond);
  const isBehind = served < (role === 'confirm' ? LEAST_CONFIRMED : LEAST_SERVED);
  const before = new Map(warm ? wrongIn(warm).map(({ kind, share }) => [kind, share]) : []);
  const wrong = wrongIn(record).filter(
    ({ kind, share }) => share > (before.get(kind) ?? 0) * MORE_OFTEN + MOST_WRONG,
  );
  const reasons = [
    ...(record.stopped ? [stoppedWords('it', record.stopped)] : []),
    ...wrong.map(({ kind, times }) => `${counted(times, 'response')} ${kind}`),
    ...missed.map((result) => `${metricIn(result.text)} was ${valueText(result)}`),
    ...(record.droppedFull > 0
      ? [`${count(record.droppedFull)} requests were not sent, because too many had no response`]
      : []),
    ...(isBehind ? [`only ${trimmed(throughput, 1)}/s were served`] : []),
    ...limitsIn(measured.byStatus),
  ];
  // A condition that could not be judged, with no limit in sight, is the generator's doing.
  const isOpen = results.some(({ outcome }) => outcome === 'inconclusive');
  const isLimited =
    record.stopped !== undefined ||
    wrong.length > 0 ||
    missed.length > 0 ||
    record.droppedFull > 0 ||
    isBehind;
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
    ...(record.stopped && outcome === 'misses' && { stopped: record.stopped }),
    reasons: outcome === 'misses' ? reasons : [],
  };
}

const metricIn = (text: string): string => text.split(/\s*[<>=]/)[0] ?? text;

/** Names refusals and failures, the limits that a server shows in addition to its latency. */
const limitsIn = (byStatus: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(byStatus).flatMap(([status, amount]) => {
    if (status === 'none') return [`${counted(amount, 'request')} got no complete response`];
    return status === '429' || Number(status) >= 500
      ? [`${counted(amount, 'response')} ${amount === 1 ? 'was' : 'were'} ${status}`]
      : [];
  });
