import { essence } from '../../judge/findings/finding.js';
import { keptCounts } from '../../log/kept-counts.js';
import type { LogHeader, LogRecord, Obstacle } from '../../log/record.js';
import type { RunLog } from '../../log/run-log.js';
import { MOST_LATE_MS } from '../open-loop.js';
import type { CapacityPhaseRecord, ScenarioRecord } from '../../log/capacity-record.js';
import type { AgentRecord, ViolationCount } from '../../log/load-shapes.js';
import type { Scenario } from '../../wire/scenario/scenario.js';
import { placed } from '../../wire/scenario/schedule.js';
import { WHOLE } from '../../wire/scenario/slice.js';
import { droppedIn, healthIn } from '../figures.js';
import { decideRefusals } from './decide-refusals.js';
import { mergePhase, mergeSeconds } from './merge-figures.js';
import { findingInWhole, finishOfAll, idInWhole, preflightOfAll, whyOpen, type Part } from './part.js';
import { duration, grouped, sum } from '../../base/kernel/format.js';

export interface Whole {
  readonly header: LogHeader;
  /** null if no part began. */
  readonly scenario: Scenario | null;
  /** Expected number of parts. */
  readonly count: number;
  /** Start of the whole, Unix ms by the shared clock. */
  readonly beginsAt: number;
  /** Reason for an early end; null for a regular one. */
  readonly ended: string | null;
  /** True if the scenario's own rule ended it. */
  readonly aborted?: boolean;
  /** Problems outside the parts, as sentences without a full stop. */
  readonly problems: readonly string[];
  /** Facts on senders, by index, from outside the logs. */
  readonly senders: ReadonlyMap<number, Sender>;
  /** Obstacle that kept the whole from starting, if known. */
  readonly obstacle?: Obstacle;
}

/** Sender of a part; its name is null if none came. */
export type Sender = Pick<AgentRecord, 'offsetMs' | 'errorMs' | 'problem'> & { readonly name: string | null };

/**
 * Merges the logs of parts into the log of the whole, as one process would write it, with the senders. Pure.
 * It names missing or incomplete parts; they leave the whole open.
 */
export function mergeParts(parts: ReadonlyMap<number, Part>, whole: Whole): readonly LogRecord[] {
  const { header, scenario, count, beginsAt } = whole;
  const inOrder = [...parts].toSorted(([one], [other]) => one - other);
  const logs = inOrder.map(([, { log }]) => log);
  const facts = preflightOfAll(logs);
  const rule = logs.find(({ footer }) => footer?.aborted)?.footer;
  const ended = whole.ended ?? rule?.reason ?? null;
  const agents = Array.from({ length: count }, (_, index) =>
    agentOf(index, parts.get(index), whole, ended !== null),
  );
  const problems = [
    ...whole.problems,
    ...agents.flatMap(({ name, problem, part }) =>
      problem === null ? [] : [`${name === nameless(part - 1) ? name : `part ${part} (${name})`} ${problem}`],
    ),
  ];
  const scenarios = logs.flatMap(({ capacity }) => (capacity ? [capacity.scenario] : []));
  const kinds = kindsIn(inOrder);
  const isWhole = inOrder.length === count && logs.every(({ footer }) => footer?.complete === true);
  const reason = ended ?? whole.obstacle?.short ?? (isWhole ? null : (problems[0] ?? 'a part is incomplete'));
  const notStarted = scenarios.length === 0 ? logs.find(({ footer }) => footer?.obstacle) : undefined;
  const obstacle = whole.obstacle ?? notStarted?.footer?.obstacle;
  const seconds = logs.flatMap(({ capacity }, part) =>
    (capacity?.seconds ?? []).map((second) => ({
      part,
      second,
      endMs: second.at - (capacity?.scenario.startAt ?? 0),
    })),
  );
  const decided = decideRefusals(seconds, scenarios);
  return [
    header,
    ...(facts ? [{ type: 'preflight', facts } as const] : []),
    // All parts were ordered to begin, so the run began, even without any log.
    ...((scenarios.length > 0 || beginsAt > 0) && scenario
      ? [scenarioOf(scenarios, scenario, beginsAt)]
      : []),
    ...inOrder.flatMap(([index, { log }]) => evidenceOf(index, log, kinds)),
    ...mergeSeconds(
      seconds.map((one) => ({ ...one, second: decided.second(one.second) })),
      beginsAt,
    ),
    ...phasesOf(inOrder, whole, kinds).map(decided.phase),
    ...talliesOf(logs),
    { type: 'agents', agents, problems },
    {
      type: 'footer',
      complete: reason === null,
      reason,
      ...((whole.aborted ?? (whole.ended === null && rule !== undefined)) && { aborted: true }),
      finishedAt: finishOfAll(logs) ?? header.startedAt,
      ...(obstacle && { obstacle }),
    },
  ];
}

type Ordered = readonly (readonly [index: number, part: Part])[];

function agentOf(index: number, part: Part | undefined, { senders }: Whole, isEnded: boolean): AgentRecord {
  const sender = senders.get(index);
  const { capacity = null } = part?.log ?? {};
  const phases = capacity?.phases ?? [];
  const lateMs = capacity?.scenario.together?.lateMs ?? 0;
  return {
    name: sender?.name ?? part?.name ?? nameless(index),
    part: index + 1,
    offsetMs: sender?.offsetMs ?? null,
    errorMs: sender?.errorMs ?? null,
    sent: sum(phases, ({ operations }) => sum(operations, ({ sent }) => sent)),
    dropped: sum(phases, droppedIn),
    lateMs,
    ...healthIn(phases),
    problem: sender?.problem ?? problemOf(part, lateMs, isEnded),
  };
}

const nameless = (index: number): string => `part ${index + 1}`;

/** Reason why a part is incomplete. An end of the whole is no fault of a part. */
function problemOf(part: Part | undefined, lateMs: number, isEnded: boolean): string | null {
  if (!part) return 'is missing';
  const isStarted = !part.log.footer?.obstacle;
  if (isStarted && lateMs > MOST_LATE_MS) return `began ${duration(lateMs)} late`;
  return isStarted && isEnded ? null : whyOpen(part.log);
}

const kindName = (violation: ViolationCount): string =>
  `${violation.requirement} ${violation.operation} ${essence(violation)}`;

/** First violation of each kind, in order of parts, with the new id of its exchange. */
function kindsIn(parts: Ordered): ReadonlyMap<string, ViolationCount> {
  const kinds = new Map<string, ViolationCount>();
  for (const [index, { log }] of parts)
    for (const violation of log.capacity?.phases.flatMap(({ violations }) => violations) ?? [])
      if (!kinds.has(kindName(violation)))
        kinds.set(kindName(violation), { ...violation, exchange: idInWhole(violation.exchange, index + 1) });
  return kinds;
}

function phasesOf(
  parts: Ordered,
  { scenario, count, beginsAt }: Whole,
  kinds: ReadonlyMap<string, ViolationCount>,
): readonly CapacityPhaseRecord[] {
  return placed(scenario?.phases ?? []).flatMap((phase) => {
    const pieces = parts.flatMap(([, { name, log }]) =>
      (log.capacity?.phases ?? [])
        .filter((record) => record.phase === phase.phase.name)
        .map((record) => ({ name, startAt: log.capacity?.scenario.startAt ?? 0, record })),
    );
    if (pieces.length === 0) return [];
    const found = pieces.flatMap(({ record }) => record.violations);
    const violations = [...grouped(found, kindName)].flatMap(([kind, same]) => {
      const first = kinds.get(kind);
      return first ? [{ ...first, count: sum(same, (one) => one.count) }] : [];
    });
    return [mergePhase(phase, pieces, beginsAt, pieces.length === count, violations)];
  });
}

/** Exchanges and findings of a part. Of violations it keeps the first of each kind in the whole. */
function evidenceOf(
  index: number,
  log: RunLog,
  kinds: ReadonlyMap<string, ViolationCount>,
): readonly LogRecord[] {
  const firsts = new Set([...kinds.values()].map(({ exchange }) => exchange));
  const counted = new Set(
    (log.capacity?.phases ?? []).flatMap(({ violations }) => violations.map((one) => one.exchange)),
  );
  const isRepeated = (id: string): boolean => counted.has(id) && !firsts.has(idInWhole(id, index + 1));
  const exchanges = log.exchanges
    .filter(({ id }) => !isRepeated(id))
    .map((exchange) => ({ ...exchange, id: idInWhole(exchange.id, index + 1) }))
    .map((exchange): LogRecord => ({ type: 'exchange', exchange, kept: [] }));
  const findings = log.findings
    .filter((finding) => finding.kind !== 'violated' || !isRepeated(finding.exchanges[0] ?? ''))
    .map((finding): LogRecord => ({ type: 'finding', finding: findingInWhole(finding, index + 1) }));
  return [...exchanges, ...findings];
}

function scenarioOf(
  records: readonly ScenarioRecord[],
  scenario: Scenario,
  beginsAt: number,
): ScenarioRecord {
  const machines = [...new Set(records.flatMap(({ machine }) => machine ?? []))].toSorted();
  const leftOut = new Map(
    records.flatMap((record) => record.leftOut).map((one) => [JSON.stringify(one), one]),
  );
  return {
    type: 'scenario',
    scenario,
    slice: WHOLE,
    keys: [...new Set(records.flatMap(({ keys }) => keys))],
    leftOut: [...leftOut.values()],
    ...(machines.length > 0 && { machine: machines.join(', ') }),
    startAt: beginsAt,
  };
}

function talliesOf(logs: readonly RunLog[]): readonly LogRecord[] {
  const kept = keptCounts('capacity');
  for (const log of logs)
    for (const [requirement, count] of log.kept) {
      kept.add([requirement], count);
      for (const answer of log.shown.get(requirement) ?? []) kept.add([requirement], 0, answer);
    }
  return kept.records();
}
