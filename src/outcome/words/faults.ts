import { FAMILIES, familyOf } from '../../base/interface/families.js';
import type { RequirementId } from '../../base/interface/types.js';
import type { ResultFinding } from '../results/results.js';
import { sameFault } from './findings.js';

/** What the grouping of red rows needs of a row. */
export interface RedRow {
  readonly id: RequirementId;
  readonly findings: readonly ResultFinding[];
}

/** A fault and the red rows in which it shows. */
export interface Fault<Row extends RedRow> {
  /** The row with the plainest evidence, which stands for the fault. */
  readonly lead: Row;
  /** Rows whose findings are the lead's: they add nothing. */
  readonly likewise: readonly Row[];
  /** Rows of the lead's family: the same fault shows in them, with evidence of their own. */
  readonly shows: readonly Row[];
}

/**
 * Groups red rows by fault: rows of one family of limits, and other rows with equal findings. Each fault stands where its
 * first row stood. Pure. The verdict still counts rows.
 */
export function faultsIn<Row extends RedRow>(rows: readonly Row[]): readonly Fault<Row>[] {
  const ownFamily = rows.filter(({ id }) => familyOf(id) === null);
  const families = Object.values(FAMILIES).map((ids: readonly RequirementId[]) =>
    ids.flatMap((id) => rows.find((row) => row.id === id) ?? []),
  );
  const first = (members: readonly Row[]): number => Math.min(...members.map((row) => rows.indexOf(row)));
  return [
    ...sameFault(ownFamily).map((members) => ({ members, isFamily: false })),
    ...families.map((members) => ({ members, isFamily: true })),
  ]
    .toSorted((one, other) => first(one.members) - first(other.members))
    .flatMap(({ members: [lead, ...others], isFamily }) =>
      lead ? [{ lead, likewise: isFamily ? [] : others, shows: isFamily ? others : [] }] : [],
    );
}

/** Returns the id of the row of a family that stands for a red row's fault; null where the row stands for itself. */
export function leadOfFault<Row extends RedRow>(
  id: RequirementId,
  faults: readonly Fault<Row>[],
): RequirementId | null {
  const fault = faults.find(({ shows }) => shows.some((row) => row.id === id));
  return fault?.lead.id ?? null;
}

/** Words before the finding of a row whose fault another row stands for. */
export const sameFaultWords = (lead: string): string => `the same fault as in ${lead}`;
