import type { RequirementId } from '../../base/interface/types.js';
import { grouped } from '../../base/kernel/format.js';
import { faultsOf, mayTurn, type Flaw, type Variant } from '../index.js';
import type { Results } from '../../outcome/results/results.js';
import { likelyCauses } from '../../report/causes/likely.js';
import type { Outcome } from '../../judge/verdict.js';

/** A server of the self-test: one flaw, or one conformant variant, with its declaration. */
export type Subject =
  | ({ readonly kind: 'flaw' } & Pick<Flaw, 'name' | 'title' | 'turns' | 'families' | 'also'>)
  | ({ readonly kind: 'variant' } & Pick<Variant, 'name' | 'title' | 'expect' | 'warns' | 'clouds'>);

/**
 * Result of one subject. Against its declaration, `missed` is not red, `wronged` is red and `clouded` is
 * open.
 */
export interface MatrixRow {
  readonly subject: Subject;
  readonly red: readonly RequirementId[];
  readonly missed: readonly RequirementId[];
  readonly wronged: readonly RequirementId[];
  readonly clouded: readonly RequirementId[];
  /** Names of the likely causes that a run of it gives. */
  readonly causes: readonly string[];
  readonly ok: boolean;
  readonly ms: number;
}

/** Kill matrix, with the requirements that no flaw turned red although they can be judged. */
export interface Matrix {
  readonly rows: readonly MatrixRow[];
  readonly unproven: readonly RequirementId[];
  readonly ok: boolean;
}

const RED: ReadonlySet<Outcome> = new Set<Outcome>(['failed', 'warned', 'error']);

/** Compares a run's results with its subject's declaration. Pure. */
export function rowOf(
  subject: Subject,
  results: Pick<Results, 'requirements' | 'exchanges'>,
  ms: number,
): MatrixRow {
  const { requirements } = results;
  const red = requirements.filter(({ outcome }) => RED.has(outcome)).map(({ id }) => id);
  const unestablished = requirements
    .filter(({ outcome, level }) => outcome === 'inconclusive' && level !== 'open')
    .map(({ id }) => id);
  const allowed = subject.kind === 'flaw' ? mayTurn(subject) : new Set(subject.warns);
  const missed = subject.kind === 'flaw' ? missedBy(subject, red) : [];
  const wronged = red.filter((id) => !allowed.has(id));
  // Requirements that depend on a violated one may be inconclusive; which ones depends on timing. A correct server
  // leaves open only what it declares.
  const clouded = subject.kind === 'flaw' ? [] : unestablished.filter((id) => !subject.clouds.includes(id));
  const ok = missed.length + wronged.length + clouded.length === 0;
  const causes = likelyCauses(results, results.exchanges).map(({ name }) => name);
  return { subject, red, missed, wronged, clouded, causes, ok, ms };
}

function missedBy(
  flaw: Pick<Flaw, 'turns' | 'families'>,
  red: readonly RequirementId[],
): readonly RequirementId[] {
  if (flaw.turns.length > 0) return flaw.turns.filter((id) => !red.includes(id));
  return faultsOf(flaw)
    .filter((rows) => !rows.some((id) => red.includes(id)))
    .flat();
}

/** Is true if a row's only fault is an inconclusive requirement: nothing wrongly red, no violation missed. */
export function isOnlyUnestablished(
  row: MatrixRow,
  { requirements }: Pick<Results, 'requirements'>,
): boolean {
  const open = new Set(requirements.filter(({ outcome }) => outcome === 'inconclusive').map(({ id }) => id));
  return !row.ok && row.wronged.length === 0 && row.missed.every((id) => open.has(id));
}

const union = <T>(one: readonly T[], other: readonly T[]): readonly T[] => [...new Set([...one, ...other])];

/** Joins both trials of a subject, with suites and with load, into one row. */
const together = (one: MatrixRow, other: MatrixRow): MatrixRow => ({
  subject: one.subject,
  red: union(one.red, other.red),
  missed: union(one.missed, other.missed),
  wronged: union(one.wronged, other.wronged),
  clouded: union(one.clouded, other.clouded),
  causes: union(one.causes, other.causes),
  ok: one.ok && other.ok,
  ms: one.ms + other.ms,
});

/**
 * Builds the matrix of all rows, one per subject.
 *
 * @param judgeable ids that some flaw must turn red
 */
export function matrixOf(trials: readonly MatrixRow[], judgeable: readonly RequirementId[]): Matrix {
  const bySubject = grouped(trials, ({ subject }) => `${subject.kind} ${subject.name}`);
  const rows = [...bySubject.values()].map((each) => each.reduce(together));
  const proven = new Set(
    rows.flatMap(({ subject, red }) =>
      subject.kind === 'flaw' ? red.filter((id) => mayTurn(subject).has(id)) : [],
    ),
  );
  const unproven = judgeable.filter((id) => !proven.has(id));
  return { rows, unproven, ok: unproven.length === 0 && rows.every(({ ok }) => ok) };
}
