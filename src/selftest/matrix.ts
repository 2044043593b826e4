import type { RequirementId } from '../contract/types.js';
import { evidenceIn, type Evidence } from '../report/causes/shown.js';
import type { Results } from '../verdict/results.js';
import type { Outcome } from '../verdict/verdict.js';

/** A server of the self-test: a single flaw, or a conformant way to differ, with what it declares. */
export type Subject =
  | {
      readonly kind: 'flaw';
      readonly name: string;
      readonly title: string;
      /** What must turn red, exactly. */
      readonly turns: readonly RequirementId[];
      /** What may turn red as well. */
      readonly also: readonly RequirementId[];
    }
  | {
      readonly kind: 'variant';
      readonly name: string;
      readonly title: string;
      readonly expect: 'conformant' | 'inconclusive';
      /** The should rows that it does not keep. */
      readonly warns: readonly RequirementId[];
      /** What may be left unestablished. */
      readonly clouds: readonly RequirementId[];
    };

/** How one subject fared: what should have been red and was not, and what was red, or unestablished, and should not have been. */
export interface MatrixRow {
  readonly subject: Subject;
  readonly red: readonly RequirementId[];
  readonly missed: readonly RequirementId[];
  readonly wronged: readonly RequirementId[];
  readonly clouded: readonly RequirementId[];
  readonly ok: boolean;
  readonly ms: number;
  /** What it showed, for runs that show the same. */
  readonly evidence: Evidence;
}

/** The kill matrix, and the rows of the ledger that no flaw turned red although they were there to be judged. */
export interface Matrix {
  readonly rows: readonly MatrixRow[];
  readonly unproven: readonly RequirementId[];
  readonly ok: boolean;
}

const RED: ReadonlySet<Outcome> = new Set<Outcome>(['failed', 'warned', 'error']);

/** Holds a run's results against what its subject declares. Pure. */
export function rowOf(subject: Subject, results: Pick<Results, 'requirements' | 'exchanges'>, ms: number): MatrixRow {
  const { requirements } = results;
  const red = requirements.filter(({ outcome }) => RED.has(outcome)).map(({ id }) => id);
  const unestablished = requirements
    .filter(({ outcome, level }) => outcome === 'inconclusive' && level !== 'open')
    .map(({ id }) => id);
  const wanted = subject.kind === 'flaw' ? subject.turns : subject.warns;
  const allowed = new Set([...wanted, ...(subject.kind === 'flaw' ? subject.also : [])]);
  const missed = subject.kind === 'flaw' ? wanted.filter((id) => !red.includes(id)) : [];
  const wronged = red.filter((id) => !allowed.has(id));
  // What rests on a broken row cannot be established, and which that are hangs on the moment; a sound server leaves nothing open
  // but what it declares.
  const clouded = subject.kind === 'flaw' ? [] : unestablished.filter((id) => !subject.clouds.includes(id));
  const ok = missed.length + wronged.length + clouded.length === 0;
  return { subject, red, missed, wronged, clouded, ok, ms, evidence: evidenceIn(results) };
}

/** Whether all that is amiss with a row is that something was could not be determined: nothing red that should not be, no breach passed over. */
export function isOnlyUnestablished(row: MatrixRow, { requirements }: Pick<Results, 'requirements'>): boolean {
  const open = new Set(requirements.filter(({ outcome }) => outcome === 'inconclusive').map(({ id }) => id));
  return !row.ok && row.wronged.length === 0 && row.missed.every((id) => open.has(id));
}

const union = <T>(one: readonly T[], other: readonly T[]): readonly T[] => [...new Set([...one, ...other])];

/** What both halves showed; a requirement has passed where it failed in neither. */
const bothOf = (one: Evidence, other: Evidence): Evidence => {
  const shown = { ...one.shown, ...other.shown };
  const unlessShown = (ids: ReadonlySet<string>) => [...ids].filter((id) => !(id in shown));
  return {
    shown,
    passed: new Set([...unlessShown(one.passed), ...unlessShown(other.passed)]),
    open: new Set([...unlessShown(one.open), ...unlessShown(other.open)]),
    asked: new Set([...one.asked, ...other.asked]),
  };
};

/** Both trials of one subject as one row, where the suites and load were put to it. */
function together(rows: readonly MatrixRow[]): readonly MatrixRow[] {
  const found = new Map<string, MatrixRow>();
  for (const row of rows) {
    const name = `${row.subject.kind} ${row.subject.name}`;
    const known = found.get(name);
    found.set(
      name,
      known === undefined
        ? row
        : {
            subject: known.subject,
            red: union(known.red, row.red),
            missed: union(known.missed, row.missed),
            wronged: union(known.wronged, row.wronged),
            clouded: union(known.clouded, row.clouded),
            ok: known.ok && row.ok,
            ms: known.ms + row.ms,
            evidence: bothOf(known.evidence, row.evidence),
          },
    );
  }
  return [...found.values()];
}

/**
 * The matrix of all rows, one for each subject.
 * @param judgeable the ids that some flaw has to turn red
 */
export function matrixOf(trials: readonly MatrixRow[], judgeable: readonly RequirementId[]): Matrix {
  const rows = together(trials);
  const proven = new Set(
    rows.flatMap(({ subject, red }) => (subject.kind === 'flaw' ? subject.turns.filter((id) => red.includes(id)) : [])),
  );
  const unproven = judgeable.filter((id) => !proven.has(id));
  return { rows, unproven, ok: unproven.length === 0 && rows.every(({ ok }) => ok) };
}
