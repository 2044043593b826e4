import type { Level, Part, RequirementId } from '../../contract/types.js';
import type { Results } from '../../verdict/results.js';
import type { Outcome, Verdict } from '../../verdict/verdict.js';

/** What a history keeps of one run; a results.json is a thousand times as large. */
export interface HistoryRun {
  /** The run's folder, relative to the folder of the history. */
  readonly folder: string;
  readonly target: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly verdict: Verdict;
  readonly complete: boolean;
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
}

/** A folder of runs, oldest first. */
export interface History {
  readonly runs: readonly HistoryRun[];
  readonly requirements: readonly HistoryRequirement[];
  /** Runs that could not be read, and why: listed, never fatal. */
  readonly damaged: readonly { readonly folder: string; readonly problem: string }[];
}

/** One requirement over all runs of a target. */
export interface HistoryRow extends HistoryRequirement {
  /** One a run; null where the run does not know the requirement. */
  readonly cells: readonly (Outcome | null)[];
  /** How often the outcome changed from one run that judged it to the next. */
  readonly switches: number;
  /** It went and came back at least once with nobody able to say it was mended: worth a look. */
  readonly flaky: boolean;
}

/** The runs of one target. */
export interface TargetHistory {
  readonly target: string;
  readonly runs: readonly HistoryRun[];
  /** In the order of the interface. */
  readonly rows: readonly HistoryRow[];
}

/** A fault that appears switches once and its repair once more; only a third change cannot be one story. */
const FLAKY_FROM = 3;

/** What a history keeps of a run. */
export function historyRun(folder: string, results: Results): HistoryRun {
  const busiest = results.load
    .flatMap(({ latency }) => latency ?? [])
    .toSorted((a, b) => b.count - a.count)
    .at(0);
  return {
    folder,
    target: results.target.name,
    startedAt: results.startedAt,
    durationMs: results.durationMs,
    verdict: results.verdict,
    complete: results.complete,
    requests: results.requests.total,
    latency: busiest ? { p50: busiest.p50, p99: busiest.p99 } : null,
    outcomes: new Map(results.requirements.map(({ id, outcome }) => [id, outcome])),
  };
}

/** Requirement by run, a matrix a target, targets by name. Pure. */
export function historyByTarget({ runs, requirements }: History): readonly TargetHistory[] {
  const targets = [...new Set(runs.map((run) => run.target))].toSorted();
  return targets.map((target) => {
    const own = runs.filter((run) => run.target === target);
    const known = requirements.filter(({ id }) => own.some((run) => run.outcomes.has(id)));
    return { target, runs: own, rows: known.map((requirement) => historyRow(requirement, own)) };
  });
}

function historyRow(requirement: HistoryRequirement, runs: readonly HistoryRun[]): HistoryRow {
  const judged = runs.flatMap((run) => judgedOutcome(run, requirement.id) ?? []);
  const switches = judged.filter((outcome, index) => index > 0 && outcome !== judged[index - 1]).length;
  return {
    ...requirement,
    cells: runs.map((run) => run.outcomes.get(requirement.id) ?? null),
    switches,
    flaky: switches >= FLAKY_FROM,
  };
}

/** What says something about the target's steadiness: not what was out of scope, nor what a cut run did not come to. */
function judgedOutcome({ outcomes, complete }: HistoryRun, id: RequirementId): Outcome | undefined {
  const outcome = outcomes.get(id);
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
