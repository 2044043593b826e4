import { sideLine, CHANGE_KINDS, CHANGES, type Change, type Environments } from '../words/changes.js';
import { oneLine } from '../../base/kernel/visible.js';
import { counted, grouped } from '../../base/kernel/format.js';
import type { RequirementId } from '../../base/interface/types.js';
import type { RequirementResult, Results } from '../results/results.js';
import { kindsBeyond, kindsOf } from '../results/finding-kind.js';
import { compareCapacity } from './compare-capacity.js';
import { remarksOn } from './comparison-remarks.js';
import { observationChanges } from './observation-changes.js';
import { isLeftOut, isOfFindings } from './row-change.js';
import { rowHistory, rowsIn, type RowResult } from './row-history.js';
import type { SlowerRule } from './speed.js';
import { isJudged } from './row-over-runs.js';
import { isOneEnvironment } from './environments.js';

/** Results of both runs for one requirement; null where a run does not know it. */
export type BothSides = ReturnType<typeof bothSides>;
export type Comparison = ReturnType<typeof compareResults>;

/** Returns whether the later run has a failure, or misses a threshold, that the earlier one did not. Pure. */
export const hasNewFailure = ({ changes, capacity }: Pick<Comparison, 'changes' | 'capacity'>): boolean =>
  changes.some(({ kind }) => CHANGES[kind].isNewFailure) ||
  (capacity?.thresholds.some(({ outcome }) => outcome === 'missed') ?? false);

/**
 * Returns why two runs have nothing in common that could be compared, as a clause; null where they have.
 * Pure.
 */
export function whyNotCompared(
  comparison: Pick<Comparison, 'against' | 'run' | 'changes' | 'covered' | 'capacity'>,
): string | null {
  const { against, run, covered, capacity } = comparison;
  if (against.obstacle || run.obstacle) return 'a run never started';
  if (capacity?.whyNot) return capacity.whyNot;
  if (capacity?.found?.answer === 'unknown') return capacity.found.words.replace('cannot tell: ', '');
  if (capacity) return null;
  return covered.both > 0 || hasNewFailure(comparison) ? null : 'no requirement was judged in both';
}

type Row = RequirementResult | undefined;

interface MoreRuns {
  /** More earlier load runs, for the speed. */
  readonly baseline?: readonly Results[];
  /** Other runs of the target, oldest first: what the earlier run could not judge has its last outcome there. */
  readonly earlier?: () => readonly Results[];
  /**
   * True to compare each row with its own last result in all of these runs, which may be newer than the
   * earlier one: that was chosen only for its scope.
   */
  readonly isByRow?: boolean;
  /** Conditions on the speed of load runs. */
  readonly rules?: readonly SlowerRule[];
}

/** Compares a run with an earlier one, requirement by requirement. Pure. */
export function compareResults(
  before: Results,
  after: Results,
  { baseline = [], earlier = () => [], isByRow = false, rules = [] }: MoreRuns = {},
) {
  const now = rowsIn(after);
  const ids = [...new Set([...now.keys(), ...rowsIn(before).keys()])];
  // In a run that never started every row is inconclusive. That is one remark, not many changes.
  const isComparable = !before.obstacle && !after.obstacle;
  const environments =
    isByRow && isOneEnvironment(before.target, after.target) ? null : environmentsOf(before, after);
  // Two environments are compared as they were in these runs, and thresholds have no history.
  const isOverTime = environments === null && !before.capacity && !after.capacity;
  const history = rowHistory(before, isOverTime ? earlier : () => [], isByRow);
  const rows = (isComparable ? ids : []).map((id) => {
    const row = now.get(id);
    const was = history.comparedWith(id, { row, run: after });
    const change = history.changeFrom(id, was, { row, run: after });
    return { id, was, row, change: change && { id, ...change } };
  });
  const changes = rows.flatMap(({ change }) => change ?? []);
  const stillFailing = rows.filter(
    ({ was, row, change }) => change === null && was.row?.outcome === 'failed' && row?.outcome === 'failed',
  );
  const earlierLoads = baseline.flatMap(({ capacity }) => capacity ?? []);
  const capacity =
    before.capacity && after.capacity
      ? compareCapacity(before.capacity, after.capacity, earlierLoads, rules)
      : undefined;
  const shown = [...rows.filter(({ change }) => change !== null), ...stillFailing];
  return {
    against: before,
    run: after,
    /** More earlier runs, with which the speed is compared too. */
    baseline,
    /** Names of the two environments, where the runs have different addresses; null for two runs of one. */
    environments,
    /** In the order of `CHANGE_KINDS`; within a kind, in the order of the interface. */
    changes: CHANGE_KINDS.flatMap((kind) => changes.filter((change) => change.kind === kind)),
    /** Both results of each requirement that changed, or fails in both in the same way. */
    sides: new Map(
      shown.map(({ id, was, row, change }) => [
        id,
        change && isOfFindings(change)
          ? bothSides(id, withOwnFindings(was.row, row), withOwnFindings(row, was.row), was.run)
          : bothSides(id, was.row, row, was.run),
      ]),
    ),
    stillFailing: stillFailing.map(({ id }) => id),
    /** True if rows that changed, here or from `against`, or fail still have their last result in other runs. */
    isOfOthers: isOfOthers(before, rows, shown),
    since: runSince(before, rows, isOfOthers(before, rows, shown)),
    covered: coverageOf(rows),
    /** Reasons other than the target why the runs may differ, as sentences. */
    remarks: [...remarksOn(before, after, environments, capacity), ...fromHistory(before, rows)],
    own: isComparable ? ownChanges(before, after) : [],
    ...(capacity && { capacity }),
  };
}

function isOfOthers(before: Results, rows: readonly ComparedRow[], shown: readonly ComparedRow[]): boolean {
  // What `before` showed of these rows is out of date, also where nothing changed since.
  const outdated = rows.filter(
    ({ id, row }) =>
      isJudged(rowsIn(before).get(id)?.outcome) && isJudged(row?.outcome) && row?.outcome !== 'observed',
  );
  return [...shown, ...outdated].some(
    ({ was, change }) => was.run !== before && change?.kind !== 'observation-changed',
  );
}

/**
 * Returns the run since which the changes happened: the earlier one, or where rows have their last result in
 * others, the oldest that a changed row is compared with. Without a change nothing changed since the newest.
 */
function runSince(before: Results, rows: readonly ComparedRow[], isOfOthers: boolean): Results {
  if (!isOfOthers) return before;
  const inOrder = (some: readonly ComparedRow[]) =>
    some
      .map(({ was }) => was.run)
      .toSorted((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt));
  return inOrder(rows.filter(({ change }) => change !== null)).at(0) ?? inOrder(rows).at(-1) ?? before;
}

/** Says which rows are compared with other runs than the earlier one, as sentences. */
function fromHistory(before: Results, rows: readonly ComparedRow[]): readonly string[] {
  const others = rows.filter(({ was, row }) => was.run !== before && isJudged(row?.outcome));
  const newer = others.filter(({ id }) => isJudged(rowsIn(before).get(id)?.outcome)).length;
  const left = others.length - newer;
  return [
    ...(left === 0
      ? []
      : [
          `The earlier run did not judge ${counted(left, 'requirement')}: ` +
            `${left === 1 ? 'it is compared with its' : 'they are compared with their'} last result in another run.`,
        ]),
    ...(newer === 0
      ? []
      : [
          `Another run judged ${counted(newer, 'requirement')} after the earlier one: ` +
            `${newer === 1 ? 'it is' : 'they are'} compared with that result.`,
        ]),
  ];
}

/** A row of both runs, with the earlier result that it is compared with. */
interface ComparedRow {
  readonly id: RequirementId;
  readonly was: RowResult;
  readonly row: Row;
  readonly change: Change | null;
}

function coverageOf(rows: readonly ComparedRow[]) {
  const of = grouped(rows, ({ was, row }) => {
    const [wasJudged, nowJudged] = [isJudged(was.row?.outcome), isJudged(row?.outcome)];
    if (wasJudged && nowJudged) return 'both';
    if (wasJudged && isLeftOut(row)) return 'before';
    return nowJudged && isLeftOut(was.row) ? 'after' : 'neither';
  });
  const amountOf = (all: readonly ComparedRow[] = []) => ({
    all: all.length,
    required: all.filter(({ was, row }) => (row ?? was.row)?.level === 'must').length,
  });
  const both = of.get('both') ?? [];
  return {
    both: both.length,
    same: both.filter(({ change }) => change === null).length,
    /** Judged in one, and not selected in the other. */
    onlyBefore: amountOf(of.get('before')),
    onlyAfter: amountOf(of.get('after')),
    /** Not compared for other reasons. */
    neither: (of.get('neither') ?? []).filter(({ change }) => change === null).length,
  };
}

/**
 * Returns the names of two environments; two targets may share a name, and then their addresses distinguish
 * them.
 */
function environmentsOf({ target: one }: Results, { target: other }: Results): Environments | null {
  if (one.baseUrl === other.baseUrl) return null;
  return one.name === other.name
    ? [oneLine(one.baseUrl), oneLine(other.baseUrl)]
    : [oneLine(one.name), oneLine(other.name)];
}

/** Returns changed outcomes in own suites. They say nothing about the interface or a trend. */
function ownChanges(before: Results, after: Results) {
  const [earlier, later] = [rowsIn(before.own ?? NONE), rowsIn(after.own ?? NONE)];
  return [...new Set([...later.keys(), ...earlier.keys()])].flatMap((id) => {
    const [from, to] = [earlier.get(id) ?? null, later.get(id) ?? null];
    return from?.outcome === to?.outcome ? [] : [{ id, before: sideLine(from), after: sideLine(to) }];
  });
}

const NONE = { requirements: [] };

const bothSides = (id: RequirementId, before: Row, after: Row, beforeIn: Results) => ({
  id,
  statement: after?.statement ?? before?.statement ?? '',
  before: before ?? null,
  /** The run of `before`: the earlier one, or one before it that judged the row last. */
  beforeIn,
  after: after ?? null,
  observed: observationChanges(before, after),
});

/** Returns a result with only the findings that the other run does not have; with all where there are none. */
function withOwnFindings(row: Row, other: Row): Row {
  const kinds = other ? kindsOf(other) : null;
  const own =
    row?.findings.filter(
      ({ kind }) => kind !== undefined && kinds && kindsBeyond([kind], kinds).length > 0,
    ) ?? [];
  return row && own.length > 0 ? { ...row, findings: own } : row;
}
