import type { Requirement, RequirementId } from '../contract/types.js';
import type { Results } from '../verdict/results.js';
import type { Outcome, Verdict } from '../verdict/verdict.js';
import { requiredCountOf } from '../words/required-count.js';

interface Seen<State extends string> {
  readonly run: HistoryRun;
  readonly state: State;
  /** Build of the server and other conditions; null where the build was not named. */
  readonly build: { readonly label: string; readonly conditions: string } | null;
}

interface Stretch<State extends string> {
  readonly state: State;
  readonly from: HistoryRun;
  readonly runs: number;
}

/** Start of the current state, the state before it, and its stability. */
export interface Tendency<State extends string> {
  readonly judged: number;
  /** Newest stretch; null where no run judged it. */
  readonly last: Stretch<State> | null;
  readonly before: State | null;
  readonly changes: number;
  /** Builds with more than one state under the same conditions: the change was not in the server's code. */
  readonly flakyOn: readonly string[];
}

/** Returns the tendency of a state from run to run, oldest first. Pure. */
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

/** Summary of one run in a history; its results.json is a thousand times as large. */
export type HistoryRun = ReturnType<typeof historyRun>;

export interface HistoryRequirement extends Pick<Requirement, 'id' | 'level' | 'part' | 'statement'> {
  /** Set for requirements of own suites, outside the interface. */
  readonly isOwn?: true;
}

/** Runs of a folder, oldest first. */
export interface History {
  readonly runs: readonly HistoryRun[];
  readonly requirements: readonly HistoryRequirement[];
  /** Unreadable runs with the reason: listed, never fatal. */
  readonly damaged: readonly { readonly folder: string; readonly problem: string }[];
  /** Number of load runs. They have thresholds, not requirements that a history could follow. */
  readonly loadRuns: number;
}

/** Result of a requirement in a run: an outcome, a run that never started, or null where unknown to the run. */
export type Cell = Outcome | 'not-started' | null;

export interface HistoryRow extends HistoryRequirement {
  /** One per run. */
  readonly cells: readonly Cell[];
  readonly tendency: Tendency<Outcome>;
}

export interface TargetHistory {
  readonly target: string;
  readonly runs: readonly HistoryRun[];
  /** Verdict from run to run, without runs that never started, or that stopped early without a failure. */
  readonly verdict: Tendency<Verdict>;
  /** In the order of the interface. */
  readonly rows: readonly HistoryRow[];
}

/**
 * Summarizes a run for a history.
 * @param folder of the run, relative to the history's folder
 * @param base address where that folder is published
 */
export function historyRun(folder: string, results: Results, base?: string) {
  const { target, scope, kit, obstacle } = results;
  const busiest = results.load
    .flatMap(({ latency }) => latency ?? [])
    .toSorted((a, b) => b.count - a.count)
    .at(0);
  const { failed, inScope } = requiredCountOf(results);
  return {
    folder,
    ...(base !== undefined && { base }),
    target: target.name,
    startedAt: results.startedAt,
    durationMs: results.durationMs,
    verdict: results.verdict,
    complete: results.complete,
    obstacle: obstacle?.message ?? null,
    scope: scopeOf(scope.selection),
    label: results.label ?? null,
    /** Everything except the server that may change a result. */
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
    /** In ms, of the load profile with the most responses; null without load. */
    latency: busiest ? { p50: busiest.p50, p99: busiest.p99 } : null,
    outcomes: new Map(
      [...results.requirements, ...(results.own?.requirements ?? [])].map(({ id, outcome }) => [id, outcome]),
    ),
  };
}

function scopeOf(selection: Results['scope']['selection']): 'all' | 'suites' | 'load' | 'part' | 'selection' {
  if (selection === null) return 'all';
  if (selection.part !== undefined) return 'part';
  return selection.only !== undefined && Object.keys(selection).length === 1 ? selection.only : 'selection';
}

/** Groups a history by target, sorted by name: a matrix of requirements and runs each. Pure. */
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

/** Returns outcomes that count for stability: not those out of scope, nor those that an incomplete run did not reach. */
function judgedOutcome({ outcomes, complete, obstacle }: HistoryRun, id: RequirementId): Outcome | undefined {
  const outcome = obstacle === null ? outcomes.get(id) : undefined;
  const isJudgement = outcome === 'passed' || outcome === 'failed' || outcome === 'warned';
  return isJudgement || (outcome === 'inconclusive' && complete) ? outcome : undefined;
}
