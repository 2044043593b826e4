import type { OperationName, PlanName } from '../base/interface/types.js';
import { counted, grouped, sum } from '../base/kernel/format.js';
import type { CapacityResults, PhaseResult } from './capacity-shape.js';
import type { Phase } from '../wire/scenario/scenario.js';
import { LATENCIES } from '../wire/scenario/threshold.js';
import { blocksOf } from './blocks.js';
import { driftsOf } from './drift.js';
import { journeysOf } from './journey-meter.js';
import { STANDSTILL_MS } from '../wire/exchange/stalls.js';
import { standstillWords } from './health.js';
import { healthIn, isWholeSecond, percentilesBy, rateIn, sumByName, sumOfCounts } from './figures.js';
import { askedOf } from './describe.js';
import type { CapacityLog, CapacityPhaseRecord, FindRecord } from '../log/capacity-record.js';
import type { ViolationCount } from '../log/load-shapes.js';
import { judgeThreshold, lengthOf, measuredIn, throughputOf } from './thresholds.js';
import { unansweredPhases } from './unanswered.js';

/** Pure: the same log gives the same results. */
export function capacityOf(log: CapacityLog, footer: { readonly aborted?: boolean } | null): CapacityResults {
  const {
    scenario: { scenario, slice, keys, leftOut },
    agents,
    phases,
    find,
  } = log;
  const drift = driftsOf(scenario.phases, log.seconds);
  const evidence = {
    phases,
    planned: scenario.phases.map(({ name }) => name),
    aborted: footer?.aborted === true,
    waiting: new Map(
      phases.flatMap((phase) =>
        phase.intended === null
          ? [[phase.phase, { ms: lengthOf(phase), gaps: phase.gaps ?? [] }] as const]
          : [],
      ),
    ),
  };
  const [problem] = [
    ...(agents?.problems ?? []),
    // A part knows nothing about the others: thresholds are judged on the whole.
    ...(slice.count > 1
      ? [`this is part ${slice.index + 1} of ${slice.count}, and all parts together decide`]
      : []),
  ];
  return {
    scenario: scenario.name,
    asked: askedOf(scenario, keys),
    phases: phases.map((phase) => phaseResult(phase, log)),
    thresholds: [
      ...scenario.thresholds.map((threshold) => judgeThreshold(threshold, evidence)),
      // A search goes beyond what the server carries on purpose.
      ...(find ? [] : unansweredPhases(phases)),
    ].map((result) =>
      problem === undefined ? result : { ...result, outcome: 'inconclusive', reason: problem },
    ),
    violations: violationsIn(phases),
    generator: {
      ...healthIn(phases),
      ...(log.scenario.machine !== undefined && { machine: log.scenario.machine }),
    },
    agents: agents?.agents ?? [],
    ...(agents && agents.problems.length > 0 && { problems: agents.problems }),
    ...(slice.count > 1 && { part: { index: slice.index + 1, count: slice.count } }),
    ...(drift.length > 0 && { drift }),
    ...(find && { find: findResult(find) }),
    remarks: leftOut.map(
      ({ operation, journey, reason }) => `${journey ?? operation} was left out, because ${reason}`,
    ),
  };
}

function phaseResult(record: CapacityPhaseRecord, log: CapacityLog): PhaseResult {
  const { operations: order } = log.scenario.scenario;
  const place = (name: OperationName): number => order.findIndex(({ operation }) => operation === name);
  const measured = measuredIn([record], null);
  const planned = log.scenario.scenario.phases.find(({ name }) => name === record.phase);
  const blocks = record.whole ? blocksOf(planned, log.seconds) : null;
  const counts = sumOfCounts(record.operations);
  return {
    name: record.phase,
    intended: record.intended ?? measured.intended,
    ...counts,
    dropped: measured.dropped,
    ...(record.journeys && { journeys: journeysOf(record.journeys, blocks?.of) }),
    ...(record.again !== undefined && { again: record.again }),
    ...(record.shortPages !== undefined && { shortPages: record.shortPages }),
    ...(record.intended === null && { closed: waitingIn(record, planned) }),
    ...(blocks && { blocks: blocks.whole }),
    perSecond: throughputOf(measured),
    latencyMs: percentilesBy(measured.percentile, LATENCIES),
    serviceMs: percentilesBy(measured.servicePercentile, LATENCIES),
    // In the scenario's order, not in that of sending.
    operations: record.operations
      .toSorted((one, other) => place(one.operation) - place(other.operation))
      .map(({ operation, ...rest }) => {
        const own = measuredIn([record], operation);
        // A single operation is the phase.
        const ownBlocks = record.operations.length > 1 ? blocks?.of({ operation }) : undefined;
        return {
          operation,
          ...(ownBlocks && { blocks: ownBlocks }),
          ...sumOfCounts([rest]),
          latencyMs: percentilesBy(own.percentile, LATENCIES),
          serviceMs: percentilesBy(own.servicePercentile, LATENCIES),
        };
      }),
    saturated: record.saturated && { ...record.saturated, perSecond: ownLimitOf(record, log) },
    ...(record.exhausted && { exhausted: record.exhausted }),
    whole: record.whole,
    ...(record.causes && { causes: record.causes }),
    ...(record.stopped && { stopped: record.stopped }),
    remarks: [
      ...(record.causes ?? []).map(
        ({ cause, count: times }) => `${counted(times, 'request')} failed: ${cause}`,
      ),
      // The rest of a standstill that another phase has is no longer than other programs delay.
      ...((record.stoodMs ?? 0) < STANDSTILL_MS
        ? []
        : [standstillWords(record.stoodMs ?? 0, record.stoodBy === undefined ? [] : [record.stoodBy])]),
      ...record.remarks,
    ],
  };
}

/**
 * Returns what the generator sends at most per second: what it sent where more was due and nothing else held
 * it back. 0 where that is unknown, also because it sent more in another second.
 */
function ownLimitOf(
  { saturated, droppedFull, droppedHeld = 0 }: CapacityPhaseRecord,
  { seconds }: CapacityLog,
): number {
  const { perSecond = 0, agent } = saturated ?? {};
  if (droppedFull + droppedHeld > 0) return 0;
  // Seconds of several agents are added, so they say nothing about one.
  if (agent !== undefined) return perSecond;
  const most = Math.max(0, ...seconds.filter(isWholeSecond).map((second) => rateIn(second, second.sent)));
  return Math.round(most) > perSecond ? 0 : perSecond;
}

function waitingIn(record: CapacityPhaseRecord, planned: Phase | undefined) {
  const { gaps = [] } = record;
  return {
    connections: planned?.kind === 'closed' ? planned.connections : 0,
    seconds: inSeconds(lengthOf(record)),
    silentSeconds: inSeconds(sum(gaps, ({ ms }) => ms)),
    gaps: gaps.length,
  };
}

const inSeconds = (ms: number): number => Math.round(ms) / 1000;

function violationsIn(phases: readonly CapacityPhaseRecord[]): readonly ViolationCount[] {
  const all = phases.flatMap(({ violations }) => violations);
  const kinds = grouped(all, ({ exchange, message, requirement }) => exchange + message + requirement);
  return [...kinds.values()]
    .flatMap((same) => same.slice(-1).map((last) => ({ ...last, count: sum(same, ({ count }) => count) })))
    .toSorted((one, other) => other.count - one.count);
}

function findResult(record: FindRecord) {
  const { type: _, ...result } = record;
  return result;
}

export const capacityByKey = ({ phases }: CapacityLog): Readonly<Partial<Record<PlanName, number>>> =>
  sumByName(phases.map(({ byKey }) => byKey));

/**
 * Counts responses that found no animal. The run fetches only listed ones, so a listed animal was missing, or
 * other clients removed it; without a violation nothing shows which.
 */
export const notFound = (phases: readonly Pick<PhaseResult, 'byStatus'>[]): number =>
  sum(phases, ({ byStatus }) => (byStatus[404] ?? 0) + (byStatus[410] ?? 0));

export const shortPagesIn = (phases: readonly Pick<PhaseResult, 'shortPages'>[]): number =>
  sum(phases, ({ shortPages = 0 }) => shortPages);

/**
 * Returns a load run's verdict: non-conformant for a violation or missed threshold, inconclusive for an open
 * one.
 */
export function capacityVerdict(
  { phases, thresholds, violations, problems, part, find }: CapacityResults,
  complete: boolean,
): 'conformant' | 'non-conformant' | 'inconclusive' {
  if (violations.length > 0 || thresholds.some(({ outcome }) => outcome === 'missed'))
    return 'non-conformant';
  if (find?.answer.kind === 'none') return 'non-conformant';
  const served = sum(phases, (phase) => phase.served);
  // In a search, what steps beyond the limit showed is its result.
  const beyond = new Set(
    find?.steps.flatMap(({ phase, outcome }) => (outcome === 'misses' ? [phase] : [])) ?? [],
  );
  const within = phases.filter(({ name }) => !beyond.has(name));
  const isOpen =
    !complete ||
    (find !== undefined && find.answer.kind !== 'found') ||
    part !== undefined ||
    problems !== undefined ||
    served === 0 ||
    notFound(within) > 0 ||
    shortPagesIn(within) > 0 ||
    thresholds.some(({ outcome }) => outcome === 'inconclusive');
  return isOpen ? 'inconclusive' : 'conformant';
}
