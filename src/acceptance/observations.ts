import type { RequirementResult } from '../verdict/results.js';

/** Values that two runs observed for the same subject; null where a run observed none. */
export interface ObservedValue {
  /** Subject of the observation; empty where the row has only one. */
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Returns the values that differ, by subject, regardless of order and exchanges. */
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

/** Rows whose first clause describes the target; the other clauses are figures of one run. */
const WITH_FIGURES: ReadonlySet<string | undefined> = new Set(['rate-algorithm']);

/** A measured time, different in every run. */
const MEASURED = /\d[\d.,]* (?:ms|s|min|h)\b/g;

/** Returns the part of a value that depends on the target, not on the run. Otherwise every comparison would differ. */
const essence = (id: string | undefined, value: string | undefined): string | undefined =>
  (WITH_FIGURES.has(id) ? value?.split(';')[0] : value)?.replaceAll(MEASURED, 'a time');

/** Collects values by subject. One subject may have several: a sorted set. */
function valuesBySubject(row: RequirementResult | undefined): ReadonlyMap<string, string> {
  const values = new Map<string, Set<string>>();
  for (const { subject = '', value } of row?.observed ?? [])
    values.set(subject, (values.get(subject) ?? new Set()).add(value));
  return new Map([...values].map(([subject, seen]) => [subject, [...seen].toSorted().join(', ')]));
}

/** Returns one run's side of differing values, as one text. */
export const observedText = (values: readonly ObservedValue[], side: 'before' | 'after'): string =>
  values
    .map(({ subject, [side]: value }) =>
      subject === '' ? (value ?? 'not seen') : `${subject}: ${value ?? 'not seen'}`,
    )
    .join('; ');
