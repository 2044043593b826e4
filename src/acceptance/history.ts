import type { Level, Part, RequirementId } from '../contract/types.js';
import type { Results } from '../verdict/results.js';
import type { Outcome, Verdict } from '../verdict/verdict.js';
import { mustsOf } from '../words/musts.js';

/** One state of something in one run that judged it. */
interface Seen<State extends string> {
  readonly run: HistoryRun;
  readonly state: State;
  /** The server's build and what else was the same; null where the build was not named. */
  readonly build: { readonly label: string; readonly conditions: string } | null;
}

/** A stretch of runs in which a state did not change. */
interface Stretch<State extends string> {
  readonly state: State;
  /** The run in which it began. */
  readonly from: HistoryRun;
  readonly runs: number;
}

/** Since when something is as it is, what it was before, and how steady that is. */
export interface Tendency<State extends string> {
  /** In how many runs it was judged at all. */
  readonly judged: number;
  /** The newest stretch; null where no run judged it. */
  readonly last: Stretch<State> | null;
  /** What it was before that; null where it has always been the same. */
  readonly before: State | null;
  readonly changes: number;
  /** The builds that showed more than one state under the same conditions: what changed was not the server's code. */
  readonly flakyOn: readonly string[];
}

/** The tendency of what was judged from run to run, oldest first. Pure. */
function tendencyOf<State extends string>(judged: readonly Seen<State>[]): Tendency<State> {
  const begins = judged.flatMap(({ state }, at) => (at === 0 || judged[at - 1]?.state !== state ? [at] : []));
  const [from, before] = [begins.at(-1), begins.at(-2)];
  const first = from === undefined ? undefined : judged[from];
  return {
    judged: judged.length,
    last: first && from !== undefined ? { state: first.state, from: first.run, runs: judged.length - from } : null,
    before: before === undefined ? null : (judged[before]?.state ?? null),
    changes: Math.max(0, begins.length - 1),
    flakyOn: unsteadyBuilds(judged),
  };
}

function unsteadyBuilds<State extends string>(judged: readonly Seen<State>[]): readonly string[] {
  const builds = new Map<string, { readonly label: string; readonly states: Set<State> }>();
  for (const { state, build } of judged) {
    if (build === null) continue;
    const key = JSON.stringify([build.label, build.conditions]);
    const known = builds.get(key) ?? { label: build.label, states: new Set() };
    builds.set(key, { ...known, states: known.states.add(state) });
  }
  return [...new Set([...builds.values()].flatMap(({ label, states }) => (states.size > 1 ? [label] : [])))];
}

/** What a history keeps of one run; a results.json is a thousand times as large. */
export interface HistoryRun {
  /** The run's folder, relative to the folder of the history. */
  readonly folder: string;
  /** The address under which that folder is published, where one was named. */
  readonly base?: string;
  readonly target: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly verdict: Verdict;
  readonly complete: boolean;
  /** Why it never started, a sentence; null where it did. */
  readonly obstacle: string | null;
  /** What of the kit was run. */
  readonly scope: 'all' | 'suites' | 'load' | 'part' | 'selection';
  /** The server's build as it was named; null where nobody said. */
  readonly label: string | null;
  /** All but the server that may make a difference: kit, interface, address, plans, selection, writes, windows. */
  readonly conditions: string;
  readonly musts: { readonly failed: number; readonly inScope: number };
  readonly requests: number;
  /** In ms, of the load profile with the most answers; null where there was no load. */
  readonly latency: { readonly p50: number; readonly p99: number } | null;
  readonly outcomes: ReadonlyMap<RequirementId, Outcome>;
}

/** What a requirement says, as the newest run that knows it has it. */
export interface HistoryRequirement {
  readonly id: RequirementId;
  readonly level: Level;
  readonly part: Part;
  readonly statement: string;
  /** Whether it is of somebody's own suites, and none of the interface's. */
  readonly isOwn?: true;
}

/** A folder of runs, oldest first. */
export interface History {
  readonly runs: readonly HistoryRun[];
  readonly requirements: readonly HistoryRequirement[];
  /** Runs that could not be read, and why: listed, never fatal. */
  readonly damaged: readonly { readonly folder: string; readonly problem: string }[];
  /** Load runs, which have thresholds and no row that a history could follow. */
  readonly loadRuns: number;
}

/** What a run shows of a requirement: an outcome, that the run never started, or null where it does not know the requirement. */
export type Cell = Outcome | 'not-started' | null;

/** One requirement over all runs of a target. */
export interface HistoryRow extends HistoryRequirement {
  /** One a run. */
  readonly cells: readonly Cell[];
  readonly tendency: Tendency<Outcome>;
}

/** The runs of one target. */
export interface TargetHistory {
  readonly target: string;
  readonly runs: readonly HistoryRun[];
  /** The verdict from run to run; of what never started, or was cut short and shows no failure, there is none. */
  readonly verdict: Tendency<Verdict>;
  /** In the order of the interface. */
  readonly rows: readonly HistoryRow[];
}

/** What a history keeps of a run. */
export function historyRun(folder: string, results: Results): HistoryRun {
  const { target, scope, kit, obstacle } = results;
  const busiest = results.load
    .flatMap(({ latency }) => latency ?? [])
    .toSorted((a, b) => b.count - a.count)
    .at(0);
  const { failed, inScope } = mustsOf(results);
  return {
    folder,
    target: target.name,
    startedAt: results.startedAt,
    durationMs: results.durationMs,
    verdict: results.verdict,
    complete: results.complete,
    obstacle: obstacle?.message ?? null,
    scope: scopeOf(scope.selection),
    label: results.label ?? null,
    conditions: JSON.stringify([
      kit.version,
      results.interface.version,
      target.baseUrl,
      target.windows,
      scope.plans,
      scope.selection,
      scope.writes,
    ]),
    musts: { failed, inScope },
    requests: results.requests.total,
    latency: busiest ? { p50: busiest.p50, p99: busiest.p99 } : null,
    outcomes: new Map(
      [...results.requirements, ...(results.own?.requirements ?? [])].map(({ id, outcome }) => [id, outcome]),
    ),
  };
}

function scopeOf(selection: Results['scope']['selection']): HistoryRun['scope'] {
  if (selection === null) return 'all';
  if (selection.part !== undefined) return 'part';
  return selection.only !== undefined && Object.keys(selection).length === 1 ? selection.only : 'selection';
}

/** Requirement by run, a matrix a target, targets by name. Pure. */
export function historyByTarget({ runs, requirements }: History): readonly TargetHistory[] {
  const targets = [...new Set(runs.map((run) => run.target))].toSorted();
  return targets.map((target) => {
    const own = runs.filter((run) => run.target === target);
    const known = requirements.filter(({ id }) => own.some((run) => run.outcomes.has(id)));
    return {
      target,
      runs: own,
      verdict: tendencyOf(own.flatMap((run) => (isJudged(run) ? [seen(run, run.verdict)] : []))),
      rows: known.map((requirement) => historyRow(requirement, own)),
    };
  });
}

const isJudged = ({ obstacle, complete, verdict }: HistoryRun): boolean =>
  obstacle === null && (complete || verdict === 'non-conformant');

const seen = <State extends string>(run: HistoryRun, state: State): Seen<State> => ({
  run,
  state,
  build: run.label === null ? null : { label: run.label, conditions: run.conditions },
});

function historyRow(requirement: HistoryRequirement, runs: readonly HistoryRun[]): HistoryRow {
  const { id } = requirement;
  const judged = runs.flatMap((run) => {
    const outcome = judgedOutcome(run, id);
    return outcome === undefined ? [] : [seen(run, outcome)];
  });
  return {
    ...requirement,
    cells: runs.map((run) => (run.obstacle === null ? (run.outcomes.get(id) ?? null) : 'not-started')),
    tendency: tendencyOf(judged),
  };
}

/** What says something about the target's steadiness: not what was out of scope, nor what a cut run did not come to. */
function judgedOutcome({ outcomes, complete, obstacle }: HistoryRun, id: RequirementId): Outcome | undefined {
  const outcome = obstacle === null ? outcomes.get(id) : undefined;
  switch (outcome) {
    case 'passed':
    case 'failed':
    case 'warned':
      return outcome;
    case 'inconclusive':
      return complete ? outcome : undefined;
    case 'observed':
    case 'not-applicable':
    case 'error':
    case undefined:
      return undefined;
  }
}
