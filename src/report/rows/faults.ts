import { FAMILIES, familyOf } from '../../base/interface/families.js';
import type { RequirementId } from '../../base/interface/types.js';
import { essence } from '../../judge/findings/finding.js';
import type { ResultFinding } from '../../outcome/results/results.js';

export interface RedRow {
  readonly id: RequirementId;
  readonly findings: readonly ResultFinding[];
}

export interface RowsOfFault<Row> {
  /** The row with the plainest evidence, which stands for the fault. */
  readonly lead: Row;
  readonly others: readonly Row[];
  /** True if these have evidence of their own, as rows of one family; otherwise their findings are the lead's. */
  readonly isFamily: boolean;
}

export const rowsOf = <Row>({ lead, others }: RowsOfFault<Row>): readonly Row[] => [lead, ...others];

/**
 * Groups red rows by fault: rows of one family of limits, also an early 429 of requests that count double,
 * and other rows with equal findings. Each fault stands where its first row stood. Pure. The verdict still
 * counts rows.
 *
 * @param rows with their findings as the run recorded them, not merged
 */
export function faultsIn<Row extends RedRow>(rows: readonly Row[]): readonly RowsOfFault<Row>[] {
  const withoutFamily = rows.filter(({ id }) => familyOf(id) === null);
  const isDouble = rows.some(countsDouble);
  const families = Object.values<readonly RequirementId[]>(FAMILIES).map((ids) =>
    [
      ...ids.filter((id) => !isDouble || id !== EARLY_ROW),
      ...(isDouble && ids.includes(COUNTING_ROW) ? [EARLY_ROW] : []),
    ].flatMap((id) => rows.find((row) => row.id === id) ?? []),
  );
  const first = (members: readonly Row[]): number => Math.min(...members.map((row) => rows.indexOf(row)));
  return [
    ...withEqualFindings(withoutFamily).map((members) => ({ members, isFamily: false })),
    ...families.map((members) => ({ members, isFamily: true })),
  ]
    .toSorted((one, other) => first(one.members) - first(other.members))
    .flatMap(({ members: [lead, ...others], isFamily }) => (lead ? [{ lead, others, isFamily }] : []));
}

const COUNTING_ROW: RequirementId = 'rate-remaining-counts';
const EARLY_ROW: RequirementId = 'rate-not-early';

/**
 * Returns whether a row shows that requests count more than once. Then the allowance is used up early, which
 * is the same fault though the rows are in two families.
 */
const countsDouble = ({ id, findings }: RedRow): boolean =>
  id === COUNTING_ROW &&
  findings.length > 0 &&
  findings.every(({ kind }) => kind?.startsWith('series: tooFast') === true);

/** Groups rows with equal findings. The first row of each group shows all that the others show. */
function withEqualFindings<Row extends RedRow>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const groups: { readonly ways: ReadonlySet<string>; readonly members: Row[] }[] = [];
  for (const row of rows) {
    const ways = row.findings.map((one) => wayOf(row.id, one));
    const known = groups.find((group) => ways.length > 0 && ways.every((way) => group.ways.has(way)));
    if (known) known.members.push(row);
    else groups.push({ ways: new Set(ways), members: [row] });
  }
  return groups.map(({ members }) => members);
}

const isRefusal = (status: string | undefined): boolean => /^4\d\d$/.test(status ?? '');

/**
 * Returns what a finding has in common with others of the same fault. Requests that were not refused differ
 * by what is wrong with them: each is a check that the server lacks. Where an operation takes requests
 * without a valid key, it takes any, but a key in another place is another fault.
 */
function wayOf(row: RequirementId, finding: ResultFinding): string {
  const { expected, actual, kind = finding.message } = finding;
  if (!isRefusal(expected) || isRefusal(actual)) return JSON.stringify([essence(finding), expected, actual]);
  const isOfStranger = expected === '401' && row !== 'auth-header-only';
  return JSON.stringify([isOfStranger ? kind.split(' ', 1)[0] : kind, expected, actual]);
}
