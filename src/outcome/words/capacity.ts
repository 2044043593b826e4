import { traceOf } from '../../wire/exchange/headers.js';
import { ownLimit } from '../../wire/exchange/own-limits.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { isOwnLimit } from '../../loadkit/health.js';
import { machineOf } from '../../loadkit/machine.js';
import { essence } from '../../judge/findings/finding.js';
import { sumByName } from '../../loadkit/figures.js';
import { notFound, shortPagesIn } from '../../loadkit/results.js';
import type { CapacityResults, PhaseResult } from '../../loadkit/capacity-shape.js';
import { valueText } from '../../wire/scenario/threshold.js';
import type { Results } from '../results/results.js';
import { findSentence } from './find.js';
import {
  capital,
  count,
  counted,
  duration,
  grouped,
  latencyText,
  listed,
  listedUpTo,
  percentRange,
  sum,
  trimmed,
} from '../../base/kernel/format.js';

/** Formats a percentile; a dash where there was no response, which percentiles show by 0. */
export const percentileText = (ms: number): string => (ms === 0 ? '–' : latencyText(ms));

export type CapacityRun = Results & { readonly capacity: CapacityResults };

export const isCapacityRun = (results: Results): results is CapacityRun => results.capacity !== undefined;

/** Outcome whose glyph, colour and status show a threshold's outcome. */
export const THRESHOLD_OUTCOMES = { met: 'passed', missed: 'failed', inconclusive: 'inconclusive' } as const;

export const answersOf = (phases: readonly PhaseResult[]): number =>
  sum(phases, ({ byStatus }) =>
    sum(Object.entries(byStatus), ([status, amount]) => (status === 'none' ? 0 : amount)),
  );

/** One quotable sentence, without a full stop. */
export function capacityClause(results: CapacityRun): string {
  const { capacity, verdict, complete } = results;
  // A search that ended says so itself.
  const isSaid = capacity.problems !== undefined || capacity.find?.answer.kind === 'ended';
  const cut = complete || isSaid ? '' : 'The run was cut short: ';
  if (verdict === 'error')
    return `${capacity.scenario} has no verdict: the kit itself failed, not the target`;
  if (capacity.find)
    return `${cut}${capacity.scenario}: ${[findSentence(capacity.find), ...violationText(capacity)].join('; ')}`;
  const word = { conformant: 'kept', 'non-conformant': 'not kept', inconclusive: 'inconclusive' }[verdict];
  const reason = decisive(results);
  const clauses = [errors(capacity.phases), reason, ...figures(capacity, reason)].filter(Boolean);
  return `${cut}${capacity.scenario}: ${word}. ${capital(clauses.join('; '))}`;
}

const violationText = (capacity: CapacityResults): readonly string[] =>
  capacity.violations.length === 0 ? [] : [violationsIn(capacity)];

const violationsIn = ({ phases, violations }: CapacityResults): string =>
  `${
    violations.length === 0
      ? 'no violation'
      : counted(
          sum(phases, (phase) => phase.violations),
          'violation',
        )
  } in ` + counted(answersOf(phases), 'response');

/** Errors come before anything good: "2 of 200 responses were 500". Empty without any. */
function errors(phases: readonly PhaseResult[]): string {
  const byStatus = sumByName(phases.map((phase) => phase.byStatus));
  const answers = answersOf(phases);
  const { none = 0 } = byStatus;
  const faults = Object.entries(byStatus).flatMap(([status, amount = 0]) =>
    Number(status) >= 500 ? [{ what: status, amount }] : [],
  );
  const refused = sum(phases, (phase) => phase.errors) - none - sum(faults, ({ amount }) => amount);
  const missing = phases.some(({ violations }) => violations > 0) ? 0 : notFound(phases);
  const short = shortPagesIn(phases);
  const some = (amount: number, what: string): string =>
    amount === 0 ? '' : `${count(amount)} of ${counted(answers, 'response')} ${what}`;
  return [
    some(short, 'showed fewer than half of the animals that were there before the run'),
    some(missing, 'found no animal, and other clients may have removed it'),
    none === 0
      ? ''
      : `${count(none)} of ${counted(none + answers, 'request')} got no complete response${causeText(phases)}`,
    ...faults.map(({ what, amount }) => shareOfAnswers(amount, answers, what)),
    refused > 0 ? shareOfAnswers(refused, answers, '429 within the allowance') : '',
  ]
    .filter(Boolean)
    .join('; ');
}

/** Names the commonest cause of missing responses in brackets; empty where the phases name none. */
function causeText(phases: readonly PhaseResult[]): string {
  const causes = grouped(
    phases.flatMap((phase) => phase.causes ?? []),
    ({ cause }) => cause,
  );
  const [most] = [...causes]
    .map(([cause, all]) => ({ cause, times: sum(all, (one) => one.count) }))
    .toSorted((one, other) => other.times - one.times);
  if (most === undefined) return '';
  const isMost = most.times * 2 > sum([...causes.values()].flat(), (one) => one.count);
  const share = isMost ? 'mostly ' : 'most often ';
  return ` (${causes.size > 1 ? share : ''}${most.cause})`;
}

const shareOfAnswers = (amount: number, answers: number, what: string): string =>
  `${count(amount)} of ${counted(answers, 'response')} ${amount === 1 ? 'was' : 'were'} ${what}`;

const MOST_PROBLEMS = 2;

/**
 * Groups violations: the same on several operations is one fault. `exchange` and `trace` are of the first
 * response.
 */
export function violationKinds(
  { violations }: Pick<CapacityResults, 'violations'>,
  exchanges: readonly Exchange[] = [],
) {
  const kinds = grouped(violations, (one) => `${one.requirement} ${essence(one)}`);
  return [...kinds.values()].map((alike) => {
    const [{ requirement, message, exchange }] = alike;
    const byOperation = alike.toSorted((one, other) => other.count - one.count);
    const shown = exchanges.find(({ id }) => id === exchange);
    return {
      requirement,
      message,
      exchange,
      trace: shown ? traceOf(shown) : null,
      count: sum(alike, (each) => each.count),
      on:
        alike.length === 1
          ? ''
          : listed(byOperation.map((each) => `${count(each.count)} of ${each.operation}`)),
    };
  });
}

export type ViolationKind = ReturnType<typeof violationKinds>[number];

/** Count and place of a fault, with a trace id to find the first in the server's traces. */
export const shownText = (kind: ViolationKind): string =>
  `${timesText(kind)}${kind.trace === null ? '' : `; first: trace ${kind.trace}`}`;

export const timesText = ({ count: times, on }: ViolationKind): string =>
  `${counted(times, 'response')}${on === '' ? '' : `: ${on}`}`;

function decisive({ capacity, verdict, complete }: CapacityRun): string {
  const { thresholds, phases } = capacity;
  // One with a reason, such as a server that stopped, explains the others.
  const missed = thresholds
    .filter(({ outcome }) => outcome === 'missed')
    .toSorted((one, other) => Number(other.reason !== undefined) - Number(one.reason !== undefined));
  const open = thresholds.filter(({ outcome }) => outcome === 'inconclusive');
  if (verdict === 'non-conformant')
    return missed.length > 0
      ? `${count(missed.length)} of ${counted(thresholds.length, 'threshold')} missed: ${missed
          .slice(0, 2)
          .map((threshold) => threshold.reason ?? `${threshold.text} was ${valueText(threshold)}`)
          .join(', ')}`
      : violationText(capacity).join('');
  if (verdict !== 'inconclusive') return '';
  if (capacity.problems) return listedUpTo(capacity.problems, MOST_PROBLEMS);
  if (capacity.part)
    return `this is part ${capacity.part.index} of ${capacity.part.count}, and all parts together decide`;
  if (sum(phases, ({ sent }) => sent) === 0) return 'nothing was sent';
  if (sum(phases, ({ served }) => served) === 0) return 'no request succeeded';
  if (open.length > 0) {
    const reason = open[0]?.reason ?? 'the run was cut short';
    return `${count(open.length)} of ${counted(thresholds.length, 'threshold')} could not be determined, because ${reason}`;
  }
  return complete ? '' : 'not all planned requests were sent';
}

/** @param said before them, and not again */
function figures(capacity: CapacityResults, said: string): readonly string[] {
  const { phases, thresholds } = capacity;
  const answers = answersOf(phases);
  if (sum(phases, (phase) => phase.sent) === 0) return [];
  const open = phases.filter(({ closed }) => closed === undefined);
  const intended = sum(open, (phase) => phase.intended);
  const sent = sum(open, (phase) => phase.sent - (phase.again ?? 0));
  const refused = sum(phases, (phase) => phase.refused);
  const journeys = phases.flatMap((phase) => phase.journeys ?? []);
  const started = sum(journeys, (journey) => journey.started);
  const finished = sum(journeys, (journey) => journey.finished);
  const p99 = thresholds.find(({ text, value }) => /^p\d+ /.test(text) && value !== null);
  return [
    ...(open.length > 0 ? [`${count(sent)} of ${counted(intended, 'request')} sent on time`] : []),
    ...(started > 0 ? [`${count(finished)} of ${counted(started, 'journey')} finished`] : []),
    ...phases.flatMap(closedText),
    throughputText(phases),
    ...(refused > 0 ? [shareOfAnswers(refused, answers, '429 beyond the allowance')] : []),
    ...(p99 && p99.outcome !== 'inconclusive' && !said.includes(p99.text)
      ? [`${p99.text.split(' ')[0]} ${valueText(p99)}`]
      : []),
    violationsIn(capacity),
  ].filter((text) => text !== said);
}

/** Describes a closed loop by its waiting: it sends nothing meanwhile, so its latencies do not show a stall. */
function closedText({ sent, again = 0, latencyMs, closed }: PhaseResult): readonly string[] {
  if (closed === undefined || sent === 0) return [];
  const { connections, seconds, silentSeconds, gaps } = closed;
  const silent =
    silentSeconds === 0
      ? ''
      : `, no response for ${trimmed(silentSeconds, 1)} of ${trimmed(seconds, 1)} s` +
        (gaps > 1 ? ` in ${counted(gaps, 'gap')}` : '');
  const waiting = `longest wait ${percentileText(latencyMs.max)}${silent}`;
  return [
    `${counted(sent - again, 'request')} on ${counted(connections, 'connection')}, each sent after a response (${waiting})`,
  ];
}

function throughputText(phases: readonly PhaseResult[]): string {
  const [most] = phases.toSorted((one, other) => other.perSecond - one.perSecond);
  if (most === undefined) return '';
  return `throughput ${count(most.perSecond)}/s${phases.length === 1 || most.perSecond === 0 ? '' : ` at most, in ${most.name}`}`;
}

/** The generator is judged by seconds. */
const SECOND_MS = 1000;

/** A few sentences a phase; empty where the generator kept up. */
export const saturationSentences = ({ phases, thresholds }: CapacityResults): readonly string[] =>
  phases.flatMap(({ name, saturated, exhausted = [] }) => {
    const limits = exhausted.map(({ cause, count: times, agents }) => {
      const { words, remedy } = ownLimit(cause);
      return `${name}: ${counted(times, 'request')} not sent, because ${machineOf(agents)} ${words}. ${remedy}`;
    });
    if (saturated === null) return limits;
    const { agent, fromMs, perSecond, cpu } = saturated;
    const machine = agent === undefined ? 'this machine' : 'its machine';
    const since = fromMs < SECOND_MS ? 'its start' : duration(fromMs);
    return [
      ...limits,
      [
        `${name}: the generator${agent === undefined ? '' : ` of ${agent}`} was saturated from ${since} on.`,
        isOwnLimit(saturated)
          ? perSecond === 0
            ? ''
            : `${capital(machine)} sends at most about ${count(perSecond)} requests a second and checks every response.`
          : `It had ${trimmed(cpu ?? 0, 2)} of a processor, because of other programs or a CPU limit.` +
            ` How much ${machine} can send is unknown.`,
        ...(thresholds.length === 0 ? [] : ['Thresholds that cover this phase could not be determined.']),
      ]
        .filter(Boolean)
        .join(' '),
    ];
  });

const HOUR_MS = 3_600_000;

/** Describes figures that changed steadily, one sentence each: “hold: p99 rose by 8 to 11 % an hour.” */
export const driftSentences = ({ drift = [] }: Pick<CapacityResults, 'drift'>): readonly string[] =>
  drift.map(({ phase, metric, low, high, ms }) => {
    const isLong = ms >= HOUR_MS;
    const change = (share: number): number => (isLong ? (1 + share) ** (HOUR_MS / ms) - 1 : share);
    const range = percentRange(change(low), change(high));
    const time = isLong ? 'an hour' : `in its last ${duration(Math.round(ms / 1000) * 1000)}`;
    return `${phase}: ${metric} ${low > 0 ? 'rose' : 'fell'} by ${range} % ${time}.`;
  });

export const capacityRemarks = (capacity: CapacityResults): readonly string[] => {
  const { problems = [], part, remarks, find } = capacity;
  // In a search, what phases beyond the limit lost is its result.
  const phases = find ? [] : capacity.phases;
  return [
    ...problems.map((problem) => `${capital(problem)}.`),
    ...(find ? [] : saturationSentences(capacity)),
    part
      ? `This is part ${part.index} of ${part.count}. The report of the whole run judges all parts together.`
      : '',
    ...remarks.map((remark) => `${remark}.`),
    ...phases.flatMap(({ name, remarks: own }) => own.map((remark) => `${name}: ${remark}.`)),
  ].filter(Boolean);
};
