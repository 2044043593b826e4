import { grouped } from '../format/format.js';
import type { Requirement, RequirementId } from '../contract/types.js';
import type { Results } from '../verdict/results.js';
import type { Outcome } from '../verdict/verdict.js';
import { requiredCountOf } from '../words/required-count.js';

type Seen<State extends string> = ReturnType<typeof seen<State>>;
/** Start of the current state, the state before it, and its stability. */
export type Tendency<State extends string> = ReturnType<typeof tendencyOf<State>>;

/** Returns the tendency of a state from run to run, oldest first. Pure. */
function tendencyOf<State extends string>(judged: readonly Seen<State>[]) {
  const begins = judged.flatMap(({ state }, at) => (at === 0 || judged[at - 1]?.state !== state ? [at] : []));
  const [from, before] = [begins.at(-1), begins.at(-2)];
  const first = from === undefined ? undefined : judged[from];
  return {
    judged: judged.length,
    /** Newest stretch; null where no run judged it. */
    last: first && from !== undefined ? { state: first.state, from: first.run, runs: judged.length - from } : null,
    before: before === undefined ? null : (judged[before]?.state ?? null),
    changes: Math.max(0, begins.length - 1),
    flakyOn: unsteadyBuilds(judged),
  };
}

/** Returns builds with more than one state under the same conditions: the change was not in the server's code. */
function unsteadyBuilds(judged: readonly Seen<string>[]): readonly string[] {
  const named = judged.flatMap(({ state, build }) => (build === null ? [] : [{ ...build, state }]));
  const builds = grouped(named, ({ label, conditions }) => JSON.stringify([label, conditions])).values();
  const unsteady = [...builds].filter((all) => new Set(all.map(({ state }) => state)).size > 1);
  return [...new Set(unsteady.flatMap((all) => all.map(({ label }) => label)))];
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
/** One requirement over all runs of a target. */
export type HistoryRow = ReturnType<typeof historyRow>;
export type TargetHistory = ReturnType<typeof historyByTarget>[number];

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
export function historyByTarget({ runs, requirements }: History) {
  const targets = [...new Set(runs.map((run) => run.target))].toSorted();
  return targets.map((target) => {
    const own = runs.filter((run) => run.target === target);
    const known = requirements.filter(({ id }) => own.some((run) => run.outcomes.has(id)));
    return {
      target,
      runs: own,
      /** Without runs that never started, or that stopped early without a failure. */
      verdict: tendencyOf(own.flatMap((run) => (isJudged(run) ? [seen(run, run.verdict)] : []))),
      rows: known.map((requirement) => historyRow(requirement, own)),
    };
  });
}

const isJudged = ({ obstacle, complete, verdict }: HistoryRun): boolean =>
  obstacle === null && (complete || verdict === 'non-conformant');

const seen = <State extends string>(run: HistoryRun, state: State) => ({
  run,
  state,
  /** Build of the server and other conditions; null where the build was not named. */
  build: run.label === null ? null : { label: run.label, conditions: run.conditions },
});

function historyRow(requirement: HistoryRequirement, runs: readonly HistoryRun[]) {
  const { id } = requirement;
  const judged = runs.flatMap((run) => {
    const outcome = judgedOutcome(run, id);
    return outcome === undefined ? [] : [seen(run, outcome)];
  });
  return {
    ...requirement,
    /** One per run. */
    cells: runs.map((run): Cell => (run.obstacle === null ? (run.outcomes.get(id) ?? null) : 'not-started')),
    tendency: tendencyOf(judged),
  };
}

/** Returns outcomes that count for stability: not those out of scope, nor those that an incomplete run did not reach. */
function judgedOutcome({ outcomes, complete, obstacle }: HistoryRun, id: RequirementId): Outcome | undefined {
  const outcome = obstacle === null ? outcomes.get(id) : undefined;
  const isJudgement = outcome === 'passed' || outcome === 'failed' || outcome === 'warned';
  return isJudgement || (outcome === 'inconclusive' && complete) ? outcome : undefined;
}
