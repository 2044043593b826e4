import type { RequirementId } from '../../base/interface/types.js';
import type { Outcome } from '../../judge/verdict.js';
import type { RequirementResult } from '../../outcome/results/results.js';
import { byReason, type ReasonGroup } from '../../outcome/words/reasons.js';
import { hasOutcome } from '../../outcome/words/required-count.js';
import { faultsIn, rowsOf, type RowsOfFault } from './faults.js';
import type { RowView } from './row-view.js';

/** Rows of a run, of a part of the interface or of own suites, as every report divides them. */
export interface RowGroup {
  /** All rows, in the order of the interface. Each member below has a row at most once. */
  readonly rows: readonly RowView[];
  /** Rows at which the kit itself failed. */
  readonly kitFaults: readonly RowView[];
  /** Failed rows by fault: those that are news first, otherwise in the order of the interface. */
  readonly faults: readonly Fault[];
  /** Warned rows by fault, in the same order. */
  readonly warnings: readonly Fault[];
  /** Inconclusive rows by reason, the most frequent first, without those that a failed row blocks. */
  readonly open: readonly ReasonGroup<RowView>[];
  /** Inconclusive rows that a failed row blocks. */
  readonly blocked: readonly RowView[];
  /** Rows whose deviation a baseline accepts, whatever their outcome. The members above leave them out. */
  readonly accepted: readonly RowView[];
  readonly untested: readonly RowView[];
}

/** A fault: one entry of a report, with the other rows in which it shows below it. */
export interface Fault extends RowsOfFault<RowView> {
  /** Rows that could not be judged because of it, in the order of the interface. */
  readonly blocks: readonly RowView[];
  readonly isNew: boolean;
}

/**
 * Divides rows. Pure.
 *
 * @param results the rows as results.json has them, in the order of the interface
 * @param views all rows of the run, by id
 */
export function rowGroup(
  results: readonly RequirementResult[],
  views: ReadonlyMap<RequirementId, RowView>,
): RowGroup {
  const rows = results.flatMap(({ id }) => views.get(id) ?? []);
  const having = (wanted: Outcome): readonly RowView[] => rows.filter((row) => hasOutcome(row, wanted));
  const faultsOf = (wanted: Outcome): readonly Fault[] =>
    faultsIn(results.filter((row) => hasOutcome(row, wanted)))
      .flatMap((fault) => faultOf(fault, views))
      .toSorted((one, other) => Number(other.isNew) - Number(one.isNew));
  const inconclusive = having('inconclusive');
  return {
    rows,
    kitFaults: having('error'),
    faults: faultsOf('failed'),
    warnings: faultsOf('warned'),
    open: byReason(inconclusive.filter(({ blockedBy }) => blockedBy.length === 0)),
    blocked: inconclusive.filter(({ blockedBy }) => blockedBy.length > 0),
    accepted: rows.filter(({ acceptedUntil }) => acceptedUntil !== undefined),
    untested: having('not-applicable'),
  };
}

function faultOf(
  fault: RowsOfFault<RequirementResult>,
  views: ReadonlyMap<RequirementId, RowView>,
): readonly Fault[] {
  const shown = (rows: readonly RequirementResult[]): readonly RowView[] =>
    rows.flatMap(({ id }) => views.get(id) ?? []);
  const [lead] = shown([fault.lead]);
  if (lead === undefined) return [];
  const ids = new Set(rowsOf(fault).map(({ id }) => id));
  const inRows = shown(rowsOf(fault));
  return [
    {
      lead,
      isFamily: fault.isFamily,
      others: shown(fault.others).toSorted((one, other) => Number(other.isNew) - Number(one.isNew)),
      isNew: inRows.some(({ isNew }) => isNew),
      blocks: [...views.values()].filter(
        (row) => hasOutcome(row, 'inconclusive') && row.blockedBy.some((id) => ids.has(id)),
      ),
    },
  ];
}
