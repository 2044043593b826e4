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
export type Extent = Pick<Results, 'scope' | 'sides'>;

/** A requirement's result, and the run that has it. */
export interface RowResult<Run extends Extent = Results> {
  readonly row: Row;
  readonly run: Run;
}

/** Rows of a run by their id. */
export const rowsIn = onceEach(
  ({ requirements }: Pick<Results, 'requirements'>): ReadonlyMap<RequirementId, RequirementResult> =>
    new Map(requirements.map((row) => [row.id, row])),
);

/** Returns how a row changed from an earlier result; null where it did not. */
const changeBetween = (was: RowResult<Extent>, now: RowResult<Extent>, lastPass: () => Row) =>
  changeOf(was.row, now.row, lastPass, {
    doubt: isTraffic(now.run) && !isTraffic(was.run) ? NOT_SENT_AGAIN : null,
    isRepeated: isRepetition(now.run),
  });

const NOT_SENT_AGAIN = 'traffic may not have the request that failed';

/** Is true for a run that repeated the requests that showed each failure it judges. */
const isRepetition = ({ scope }: Extent): boolean => scope.selection?.lastFailed === true;

/**
 * Returns those of a row's results that show how the target behaves: judged ones, except narrower ones that
 * leave open whether a failure is fixed. The last of them holds.
 *
 * @param results oldest first
 */
export const shownBy = <Run extends Extent>(results: readonly RowResult<Run>[]): readonly RowResult<Run>[] =>
  results.reduce<readonly RowResult<Run>[]>(
    (shown, next) => (isJudged(next.row?.outcome) && !leavesOpen(shown, next) ? [...shown, next] : shown),
    [],
  );

/** Is true for a result that shows no more than a part of a failure that holds. */
function leavesOpen(shown: readonly RowResult<Extent>[], next: RowResult<Extent>): boolean {
  const settled = shown.at(-1);
  if (settled === undefined) return false;
  const kind = changeBetween(settled, next, usual(shown, settled, next))?.kind;
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
  /** Returns the row's results, those that count, and how it changed between two of them. */
  const followed = (id: RequirementId) => {
    const results = over(id).states.map(({ run }) => resultIn(id, run));
    const shown = shownBy(results);
    const change = (was: RowResult, now: RowResult) => changeBetween(was, now, usual(shown, was, now));
    return { results, shown, change };
  };

  /** Returns the result that a judged row is compared with: that of `before` where it says the same. */
  const lastOf = (id: RequirementId, now: RowResult): RowResult => {
    const { results, shown, change } = followed(id);
    const own = resultIn(id);
    const settled = shown.at(-1) ?? own;
    const newest = results.findLast(({ row }) => isJudged(row?.outcome));
    const isLeftOpen = newest?.row?.outcome === 'passed' && !shown.includes(newest);
    // What the newest run left open is no news when the next one does.
    if (isLeftOpen && change(settled, now)?.kind === 'not-confirmed') return newest;
    const holds =
      isJudged(own.row?.outcome) &&
      change(own, settled) === null &&
      change(own, now)?.kind === change(settled, now)?.kind;
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
      const change = followed(id).change(was, now);
      if (!change || !isOfFindings(change) || change.kind === 'failing-less') return change;
      // What no earlier run tried is no new finding.
      const tried = over(id).states.filter(({ outcome }) => isJudged(outcome));
      return tried.some(({ run }) => triesAsMuch(run, now.run)) ? change : null;
    },
  };
}

/**
 * Returns the newest pass that shows what a failed row's scope usually tests: that of a run that tries as
 * much. Without one, all that a pass in the failure's own scope tests is usual.
 */
const usual =
  (shown: readonly RowResult<Extent>[], { run }: RowResult<Extent>, now: RowResult<Extent>) =>
  (): Row =>
    shown.findLast(
      (one) => one.row?.outcome === 'passed' && !isRepetition(one.run) && triesAsMuch(one.run, run),
    )?.row ?? (isSameScope(run, now.run) ? now.row : undefined);

function triesAsMuch({ scope: one }: Extent, { scope: other }: Extent): boolean {
  if (other.writes && !one.writes) return false;
  const isOfRows = other.selection?.lastFailed === true || other.selection?.requirements !== undefined;
  if (one.selection === null || isDeepStrictEqual(one.selection, other.selection)) return true;
  return isOfRows && one.selection.quick !== true;
}

const isSameScope = (one: Extent, other: Extent): boolean =>
  one.scope.writes === other.scope.writes && isDeepStrictEqual(one.scope.selection, other.scope.selection);
