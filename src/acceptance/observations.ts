import type { RequirementResult } from '../verdict/results.js';

/** What two runs saw where one and the same thing was asked; null where a run did not see it. */
export interface ObservedValue {
  /** What was asked; empty where there is but one question. */
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The values that differ, by what was asked; their order and exchanges do not count. */
export function observationChanges(
  before: RequirementResult | undefined,
  after: RequirementResult | undefined,
): readonly ObservedValue[] {
  const id = after?.id ?? before?.id;
  const [from, to] = [valuesBySubject(before), valuesBySubject(after)];
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((subject) => essence(id, from.get(subject)) !== essence(id, to.get(subject)))
    .map((subject) => ({ subject, before: from.get(subject) ?? null, after: to.get(subject) ?? null }));
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

/** What one of the two runs saw of the values that differ, as one text. */
export const observedText = (values: readonly ObservedValue[], side: 'before' | 'after'): string =>
  values
    .map(({ subject, [side]: value }) =>
      subject === '' ? (value ?? 'not seen') : `${subject}: ${value ?? 'not seen'}`,
    )
    .join('; ');
