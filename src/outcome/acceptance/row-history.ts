import { isDeepStrictEqual } from 'node:util';
import type { RequirementId } from '../../base/interface/types.js';
import { onceEach } from '../../base/kernel/once-each.js';
import type { RequirementResult, Results } from '../results/results.js';
import { isTraffic } from '../words/traffic.js';
import { changeOf, isLeftOut } from './row-change.js';
import { isJudged, lastJudged, rowOverRuns } from './row-over-runs.js';
import { isOneEnvironment } from './environments.js';

type Row = RequirementResult | undefined;

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
const isRepetition = ({ scope }: Results): boolean => scope.selection?.lastFailed === true;

/** What a row's runs showed, in their order. */
interface Shown {
  /** Newest judged result, except passes of a narrower scope that leave open whether a failure is fixed. */
  readonly settled?: RowResult;
  readonly newest?: RowResult;
  /** Passes that may show the usual coverage, oldest first. */
  readonly passes: readonly RowResult[];
}

const NOTHING: Shown = { passes: [] };

/**
 * Returns what a row's results in several runs showed.
 *
 * @param results oldest first
 */
export const shownBy = (results: readonly RowResult[]): Shown =>
  results.reduce<Shown>((so, newest) => {
    const { row, run } = newest;
    if (!isJudged(row?.outcome)) return so;
    const passes = row?.outcome === 'passed' && !isRepetition(run) ? [...so.passes, newest] : so.passes;
    const isOpenStill =
      so.settled !== undefined &&
      !isSameScope(so.settled.run, run) &&
      changeBetween(so.settled, newest, usual(so.passes, so.settled))?.kind === 'not-confirmed';
    return isOpenStill ? { ...so, newest } : { settled: newest, newest, passes };
  }, NOTHING);

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
  const shown = (id: RequirementId): Shown => shownBy(over(id).states.map(({ run }) => resultIn(id, run)));

  /** Returns the result that a judged row is compared with, in whichever run. */
  const lastOf = (id: RequirementId, now: RowResult): RowResult => {
    const own = resultIn(id);
    const { settled = own, newest = own, passes } = shown(id);
    const isOfScope = isSameScope(before, now.run);
    if (isOfScope && isJudged(own.row?.outcome) && isOlder(settled.run, before)) return own;
    const changeFrom = (was: RowResult) => changeBetween(was, now, usual(passes, was));
    if (newest.run !== settled.run && now.row?.outcome === 'passed')
      return changeFrom(settled)?.kind === 'newly-passing' ? settled : newest;
    if (!isJudged(own.row?.outcome)) return settled;
    // A scope that shows only a part of a failure does not make the rest of it new.
    const isLike = own.row?.outcome === settled.row?.outcome && now.row?.outcome !== 'observed';
    return changeFrom(own) === null && (isLike || changeFrom(settled) === null) ? own : settled;
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
    /** Returns the newest pass that shows how much of a row is usually tested, where a result failed. */
    lastPass: (id: RequirementId, was: RowResult): Row => usual(shown(id).passes, was)(),
  };
}

/** A pass of a run that tries less than the failed one shows nothing of what that one usually tests. */
const usual =
  (passes: readonly RowResult[], { run }: RowResult) =>
  (): Row =>
    passes.findLast((pass) => triesAsMuch(pass.run, run))?.row;

function triesAsMuch({ scope: one }: Results, { scope: other }: Results): boolean {
  if (other.writes && !one.writes) return false;
  const isOfRows = other.selection?.lastFailed === true || other.selection?.requirements !== undefined;
  if (one.selection === null || isDeepStrictEqual(one.selection, other.selection)) return true;
  return isOfRows && one.selection.quick !== true;
}

const isOlder = (one: Results, other: Results): boolean =>
  Date.parse(one.startedAt) < Date.parse(other.startedAt);

const isSameScope = (one: Results, other: Results): boolean =>
  one.scope.writes === other.scope.writes && isDeepStrictEqual(one.scope.selection, other.scope.selection);
