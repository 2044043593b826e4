import { isDeepStrictEqual } from 'node:util';
import type { RequirementId } from '../../base/interface/types.js';
import { onceEach } from '../../base/kernel/once-each.js';
import type { RequirementResult, Results } from '../results/results.js';
import { isTraffic } from '../words/traffic.js';
import { changeOf, isLeftOut, isOfFindings } from './row-change.js';
import { isJudged, lastJudged, rowOverRuns } from './row-over-runs.js';
import { isOneEnvironment } from './environments.js';

type Row = RequirementResult | undefined;

/** What a run may try. */
export type Extent = Pick<Results, 'scope'>;

/** A requirement's result, and the run that has it. */
export interface RowResult {
  readonly row: Row;
  readonly run: Results;
}

/** Rows of a run by their id. */
export const rowsIn = onceEach(
  ({ requirements }: Pick<Results, 'requirements'>): ReadonlyMap<RequirementId, RequirementResult> =>
    new Map(requirements.map((row) => [row.id, row])),
);

/** Returns how a row changed from an earlier result; null where it did not. */
export const changeBetween = (was: RowResult, now: RowResult, lastPass: () => Row) =>
  changeOf(was.row, now.row, lastPass, {
    doubt: isTraffic(now.run) && !isTraffic(was.run) ? NOT_SENT_AGAIN : null,
    isRepeated: isRepetition(now.run),
  });

const NOT_SENT_AGAIN = 'traffic may not have the request that failed';

/** Is true for a run that repeated the requests that showed each failure it judges. */
export const isRepetition = ({ scope }: Extent): boolean => scope.selection?.lastFailed === true;

/** What a row's runs showed. */
interface Shown {
  /** Newest judged result, except narrower ones that leave open whether a failure is fixed. */
  readonly settled?: RowResult;
  /** Passes that may show the usual coverage, oldest first. */
  readonly passes: readonly RowResult[];
}

const NOTHING: Shown = { passes: [] };

/**
 * Returns what a row's results in several runs showed.
 *
 * @param results oldest first
 * @param later a run that is compared with them: in its own scope, what earlier runs left out is not open
 */
export const shownBy = (results: readonly RowResult[], later?: Results): Shown =>
  results.reduce<Shown>((so, next) => {
    const { row, run } = next;
    const isInScope = later !== undefined && isSameScope(run, later);
    if (!isJudged(row?.outcome) || (!isInScope && leavesOpen(so, next))) return so;
    const isUsual = row?.outcome === 'passed' && !isRepetition(run);
    return { settled: next, passes: isUsual ? [...so.passes, next] : so.passes };
  }, NOTHING);

/** Is true for a result of another scope that shows no more than a part of a settled failure. */
function leavesOpen({ settled, passes }: Shown, next: RowResult): boolean {
  if (settled === undefined || isSameScope(settled.run, next.run)) return false;
  const kind = changeBetween(settled, next, usual(passes, settled))?.kind;
  if (kind === 'not-confirmed') return true;
  const isNarrower = !triesAsMuch(next.run, settled.run) && !isRepetition(next.run);
  return isNarrower && settled.row?.outcome === 'failed' && (kind ?? 'failing-less') === 'failing-less';
}

/**
 * Follows the rows of an earlier run through other runs.
 *
 * @param others other runs of the target, oldest first
 * @param isByRow true to compare each row with its own last result, in whichever run; false to compare with
 *   `before` where that selected the row
 */
export function rowHistory(before: Results, others: () => readonly Results[], isByRow: boolean) {
  let runs: readonly Results[] | undefined;
  const over = (id: RequirementId) => {
    // Read only where a row asks for it: a folder may hold hundreds of runs.
    runs ??= [
      ...others().filter((run) => !run.obstacle && isOneEnvironment(run.target, before.target)),
      before,
    ].toSorted((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt));
    return rowOverRuns(id, runs, (run) => {
      const row = rowsIn(run).get(id);
      return row === undefined || isLeftOut(row) ? null : row.outcome;
    });
  };
  const resultIn = (id: RequirementId, run: Results = before): RowResult => ({
    row: rowsIn(run).get(id),
    run,
  });
  const shown = (id: RequirementId, later?: Results): Shown =>
    shownBy(
      over(id).states.map(({ run }) => resultIn(id, run)),
      later,
    );

  /** Returns the result that a judged row is compared with: that of `before` where it still holds. */
  const lastOf = (id: RequirementId, { run }: RowResult): RowResult => {
    const own = resultIn(id);
    const { settled = own, passes } = shown(id, run);
    const holds = isJudged(own.row?.outcome) && changeBetween(own, settled, usual(passes, own)) === null;
    return holds ? own : settled;
  };
  return {
    /** Returns the result that a row of the later run is compared with. */
    comparedWith: (id: RequirementId, now: RowResult): RowResult => {
      const own = resultIn(id);
      if (isByRow && !isLeftOut(now.row)) {
        if (isJudged(now.row?.outcome)) return lastOf(id, now);
        const last = over(id).states.findLast(({ outcome }) => outcome !== null);
        return resultIn(id, last?.run);
      }
      if (isJudged(own.row?.outcome) || isLeftOut(own.row)) return own;
      return isJudged(now.row?.outcome) ? resultIn(id, lastJudged(over(id))?.run) : own;
    },
    /** Returns how a row changed from an earlier result; null where it did not. */
    changeFrom: (id: RequirementId, was: RowResult, now: RowResult) => {
      const change = changeBetween(was, now, usual(shown(id).passes, was));
      if (!change || !isOfFindings(change) || change.kind === 'failing-less') return change;
      // What no earlier run tried is no new finding.
      const tried = over(id).states.filter(({ outcome }) => isJudged(outcome));
      return tried.some(({ run }) => triesAsMuch(run, now.run)) ? change : null;
    },
  };
}

/** A pass of a run that tries less than the failed one shows nothing of what that one usually tests. */
const usual =
  (passes: readonly RowResult[], { run }: RowResult) =>
  (): Row =>
    passes.findLast((pass) => triesAsMuch(pass.run, run))?.row;

export function triesAsMuch({ scope: one }: Extent, { scope: other }: Extent): boolean {
  if (other.writes && !one.writes) return false;
  const isOfRows = other.selection?.lastFailed === true || other.selection?.requirements !== undefined;
  if (one.selection === null || isDeepStrictEqual(one.selection, other.selection)) return true;
  return isOfRows && one.selection.quick !== true;
}

export const isSameScope = (one: Extent, other: Extent): boolean =>
  one.scope.writes === other.scope.writes && isDeepStrictEqual(one.scope.selection, other.scope.selection);
