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
  const [from, to] = [valuesBySubject(before), valuesBySubject(after)];
  const subjects = [...new Set([...from.keys(), ...to.keys()])].filter(
    (subject) => from.get(subject) !== to.get(subject),
  );
  return subjects.length === 0 ? undefined : { before: listed(from, subjects), after: listed(to, subjects) };
}

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
