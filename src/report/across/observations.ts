import type { RequirementResult } from '../../verdict/results.js';

/** The observed values of one requirement that differ between two runs, as text. */
export interface ObservationChange {
  readonly before: string;
  readonly after: string;
}

/** The values that differ, by what was asked; undefined when all are the same. Their order and exchanges do not count. */
export function observationChanges(
  before: RequirementResult | undefined,
  after: RequirementResult | undefined,
): ObservationChange | undefined {
  const id = after?.id ?? before?.id;
  const [from, to] = [valuesBySubject(before), valuesBySubject(after)];
  const subjects = [...new Set([...from.keys(), ...to.keys()])].filter(
    (subject) => essence(id, from.get(subject)) !== essence(id, to.get(subject)),
  );
  return subjects.length === 0 ? undefined : { before: listed(from, subjects), after: listed(to, subjects) };
}

/** Of these the first clause says what the target does, and the others with which figures this one run shows it. */
const WITH_FIGURES: ReadonlySet<string | undefined> = new Set(['rate-algorithm']);

/** A time that was measured: no two runs have the same. */
const MEASURED = /\d[\d.,]* (?:ms|s|min|h)\b/g;

/** What of a value is the target's doing and not the run's: a comparison that always finds something is not read. */
const essence = (id: string | undefined, value: string | undefined): string | undefined =>
  (WITH_FIGURES.has(id) ? value?.split(';')[0] : value)?.replaceAll(MEASURED, 'a time');

/** Several values may have been seen for one subject: as a set, in an order of their own. */
function valuesBySubject(row: RequirementResult | undefined): ReadonlyMap<string, string> {
  const values = new Map<string, Set<string>>();
  for (const { subject = '', value } of row?.observed ?? [])
    values.set(subject, (values.get(subject) ?? new Set()).add(value));
  return new Map([...values].map(([subject, seen]) => [subject, [...seen].toSorted().join(', ')]));
}

const listed = (values: ReadonlyMap<string, string>, subjects: readonly string[]): string =>
  subjects
    .map((subject) => {
      const value = values.get(subject) ?? 'not seen';
      return subject === '' ? value : `${subject}: ${value}`;
    })
    .join('; ');
