import type { LoadRun } from './load-history.js';
import { ofAnyRun } from './any-run.js';
import { isTraffic } from '../words/traffic.js';
import { shownBy } from './row-history.js';
import { isJudged as isJudgement, isOpen, rowOverRuns } from './row-over-runs.js';
import { grouped } from '../../base/kernel/format.js';
import type { Requirement, RequirementId } from '../../base/interface/types.js';
import type { RequirementResult, Results } from '../results/results.js';
import type { Outcome, Verdict } from '../../judge/verdict.js';
import { kindsBeyond, kindsOf } from '../results/finding-kind.js';
import { clockBound } from '../words/bounds.js';
import { scopedVerdictOf } from '../words/scoped-verdict.js';
import { requiredCountOf } from '../words/required-count.js';

type Seen<State extends string> = ReturnType<typeof seen<State>>;
export type Tendency<State extends string> = ReturnType<typeof tendencyOf<State>>;

/** Returns the tendency of a state from run to run, oldest first. Pure. */
function tendencyOf<State extends string>(judged: readonly Seen<State>[]) {
  const begins = judged.flatMap(({ state }, at) => (at === 0 || judged[at - 1]?.state !== state ? [at] : []));
  const [from, before] = [begins.at(-1), begins.at(-2)];
  const [first, newest] = [from === undefined ? undefined : judged[from], judged.at(-1)];
  return {
    judged: judged.length,
    /** Newest stretch; null where no run judged it. */
    last:
      first && newest && from !== undefined
        ? { state: first.state, from: first.run, newest: newest.run, runs: judged.length - from }
        : null,
    before: before === undefined ? null : (judged[before]?.state ?? null),
    /** State before the newest stretch, in the newest run that could tell; null without one. */
    known: judged.slice(0, from).findLast(({ state }) => state !== 'inconclusive')?.state ?? null,
    changes: Math.max(0, begins.length - 1),
    flakyOn: unsteadyBuilds(judged),
  };
}

/**
 * Returns builds with more than one state under the same conditions: the change was not in the server's code.
 * A run that was interrupted, or whose server stopped, leaves rows inconclusive, or passed by a few
 * responses, which says nothing about the build.
 */
function unsteadyBuilds(judged: readonly Seen<string>[]): readonly string[] {
  const named = judged.flatMap(({ run, state, build }) =>
    build === null || state === 'inconclusive' || run.isCut ? [] : [{ ...build, state }],
  );
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
  /** Load runs, oldest first. They have thresholds, not requirements that a history could follow. */
  readonly loadRuns: readonly LoadRun[];
}

/** Result of a requirement in a run: an outcome, a run that never started, or null where unknown to the run. */
export type Cell = Outcome | 'not-started' | null;
export type HistoryRow = ReturnType<typeof historyRow>;
export type TargetHistory = ReturnType<typeof historyByTarget>[number];

/**
 * @param folder of the run, relative to the history's folder
 * @param base address where that folder is published
 */
export function historyRun(folder: string, results: Results, base?: string) {
  const { target, scope, kit, obstacle } = results;
  const busiest = results.load
    .flatMap(({ profile, plan, latency }) => (latency ? [{ ...latency, of: `${profile} ${plan}` }] : []))
    .toSorted((a, b) => b.count - a.count)
    .at(0);
  const all = [...results.requirements, ...(results.own?.requirements ?? [])];
  const { failed, accepted, inScope, inconclusive, faults } = requiredCountOf(results);
  return {
    ...ofAnyRun(folder, results, base),
    durationMs: results.durationMs,
    scoped: scopedVerdictOf(results),
    /** True if a baseline was given and other deviations occurred than it accepts. */
    isUnmet: results.baseline?.met === false,
    obstacle: obstacle?.message ?? null,
    clock: clockBound(results),
    cause: results.cause?.text ?? null,
    /** True if it ended before its time, or the server did: what passed may have passed by a few responses. */
    isCut: !results.complete || results.cause?.code === 'server-stopped',
    scope: scopeOf(results),
    /** Equal for runs of the same scope, whose verdicts can be compared. */
    selection: JSON.stringify([scope.selection, results.sides?.map(({ side }) => side)]),
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
    musts: { failed, accepted, inScope, judged: inScope - inconclusive - faults },
    /** Rows whose result a baseline accepts. */
    accepted: new Set(
      results.requirements.flatMap(({ id, acceptedUntil }) => (acceptedUntil === undefined ? [] : [id])),
    ),
    requests: results.requests.total,
    /** In ms, of the load profile and plan with the most responses; null without load. */
    latency: busiest ? { p50: busiest.p50, p99: busiest.p99, of: busiest.of } : null,
    outcomes: new Map(all.map(({ id, outcome }) => [id, outcome])),
    /** Rows that the run could not test on this target, rather than those that nobody had selected. */
    setAside: new Set(
      results.requirements.flatMap(({ id, outcome, reason }) =>
        outcome === 'not-applicable' && reason?.code !== 'not-selected' ? [id] : [],
      ),
    ),
    extent: { scope, ...(results.sides && { sides: results.sides }) },
    /** What is compared of its rows. */
    rows: new Map(all.map((row) => [row.id, comparedPart(row)])),
  };
}

/** Returns a row with only what is compared between runs: of its findings their kinds. */
const comparedPart = ({ findings, ...row }: RequirementResult): RequirementResult => ({
  ...row,
  findings: findings.map(({ kind }) => ({ message: '', exchanges: [], ...(kind !== undefined && { kind }) })),
});

export type Scope = 'all' | 'suites' | 'load' | 'traffic' | 'selection';

function scopeOf(results: Results): Scope {
  const { selection } = results.scope;
  if (isTraffic(results)) return 'traffic';
  if (selection === null) return 'all';
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
      verdicts: verdictsOf(own),
      rows: known.map((requirement) => historyRow(requirement, own)),
    };
  });
}

/**
 * Returns the verdict of each scope that was run, the whole first: a part is not the whole. A hand-picked
 * selection counts only if it is the newest run. Without runs that judged too little for a verdict.
 */
function verdictsOf(runs: readonly HistoryRun[]) {
  const started = runs.filter(({ obstacle }) => obstacle === null);
  const newest = started.at(-1)?.selection;
  const scopes = [...grouped(started, ({ selection }) => selection).values()]
    .filter(([{ scope, selection }]) => scope !== 'selection' || selection === newest)
    .toSorted(([one], [other]) => SCOPE_ORDER.indexOf(one.scope) - SCOPE_ORDER.indexOf(other.scope));
  const verdicts = scopes.map((own) => ({
    scope: own[0].scope,
    tendency: tendencyOf(own.filter(isJudged).map((run) => seen(run, stateOf(run)))),
  }));
  const whole = verdicts.find(({ scope }) => scope === 'all')?.tendency.last?.newest;
  return verdicts.map((verdict) => {
    const newest = verdict.tendency.last?.newest;
    const isOlder = whole && newest && newest.startedAt < whole.startedAt;
    return {
      ...verdict,
      /** True for a part that had a worse verdict before a newer run of the whole. */
      isSuperseded: isOlder === true && troubleOf(newest) > troubleOf(whole),
    };
  });
}

/** Ranks a verdict: 2 with failures that no baseline accepts, or an unmet baseline, 1 without certainty. */
function troubleOf({ isUnmet, verdict, scoped }: HistoryRun): number {
  if (isUnmet || (verdict === 'non-conformant' && scoped.accepted === 0)) return 2;
  return verdict === 'inconclusive' && !scoped.isClean ? 1 : 0;
}

const SCOPE_ORDER: readonly Scope[] = ['all', 'suites', 'load', 'traffic', 'selection'];

/**
 * State of a verdict: a baseline makes another state of each verdict that does not meet it, and of “not
 * conformant” where it accepts all that fails.
 */
type VerdictState = Verdict | `unmet ${Verdict}` | 'accepted' | 'clean';

function stateOf({ verdict, scoped, isUnmet }: HistoryRun): VerdictState {
  if (isUnmet) return `unmet ${verdict}`;
  if (scoped.isClean) return 'clean';
  return scoped.accepted > 0 ? 'accepted' : verdict;
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
  const lastAside = runs.findLastIndex(({ obstacle, setAside }) => obstacle === null && setAside.has(id));
  const { states } = rowOverRuns(id, runs, shownIn);
  const seenIn = states.flatMap(({ run, outcome }, at) =>
    // A newer run knows that the row cannot be tested, so that it is not open any more.
    outcome === null ||
    (isOpen(outcome) && at < lastAside && !states.slice(at + 1).some((later) => later.outcome !== null))
      ? []
      : [seen(run, outcome)],
  );
  const shown = new Set(
    shownBy(seenIn.map(({ run }) => ({ row: run.rows.get(id), run: run.extent }))).map(({ run }) => run),
  );
  // A pass may leave open whether a failure is fixed.
  const judged = seenIn.filter(({ state, run }) => state !== 'passed' || shown.has(run.extent));
  // The newest run that judged anything may have left this row out.
  const newest = runs.findLast(({ obstacle }) => obstacle === null);
  const last = judged.at(-1);
  return {
    ...requirement,
    cells: runs.map((run): Cell => (run.obstacle === null ? (run.outcomes.get(id) ?? null) : 'not-started')),
    tendency: tendencyOf(judged),
    /**
     * Run since which it fails otherwise than in the run before; null where it fails in one way, or does not
     * fail.
     */
    otherwise: failingOtherwise(id, judged),
    /** True if a baseline accepts its newest result. */
    isAccepted: last?.run.accepted.has(id) === true,
    /** Newest run that judged it, where a newer one did not; null where the newest did. */
    lastTested: last && last.run !== newest ? last.run : null,
  };
}

/**
 * Returns the newest run of a row's newest failing stretch with a kind of finding that the run before did not
 * have.
 */
function failingOtherwise(id: RequirementId, judged: readonly Seen<Outcome>[]): HistoryRun | null {
  const kinds = judged.map(({ run }) => kindsOf(run.rows.get(id) ?? {}));
  for (let at = judged.length - 1; at > 0 && judged[at]?.state === 'failed'; at -= 1) {
    const [earlier, later] = [kinds[at - 1], kinds[at]];
    const isOther = earlier && later && kindsBeyond(later, earlier).length > 0;
    if (judged[at - 1]?.state === 'failed' && isOther) return judged[at]?.run ?? null;
  }
  return null;
}

/**
 * Returns an outcome that a run shows of a row: not one out of scope, nor unknown because an incomplete run
 * did not reach it.
 */
function shownIn({ outcomes, complete, obstacle }: HistoryRun, id: RequirementId): Outcome | null {
  const outcome = obstacle === null ? outcomes.get(id) : undefined;
  return isJudgement(outcome) || (isOpen(outcome) && complete) ? outcome : null;
}
