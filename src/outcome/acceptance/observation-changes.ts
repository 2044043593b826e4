import type { RequirementResult } from '../results/results.js';

type Row = RequirementResult | undefined;

/**
 * Returns the values that differ, by subject (empty where the row has only one), regardless of order and
 * exchanges.
 */
export function observationChanges(before: Row, after: Row) {
  const id = after?.id ?? before?.id;
  const [from, to] = [valuesBySubject(before), valuesBySubject(after)];
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((subject) => differs(id, from.get(subject), to.get(subject)))
    .map((subject) => ({ subject, before: from.get(subject) ?? null, after: to.get(subject) ?? null }));
}

/**
 * Rows that guess at the target from what was seen: their first clause names what fits, the others are
 * figures of one run. Two guesses differ only where nothing fits both; a run that could not determine it
 * differs from none.
 */
export const GUESSED: ReadonlySet<string | undefined> = new Set(['rate-algorithm']);
/** A measured time, different in every run. */
const MEASURED = /\d[\d.,]* (?:ms|s|min|h)\b/g;

/**
 * Returns whether values differ in what depends on the target, not on the run. Otherwise every comparison
 * would differ.
 */
function differs(id: string | undefined, one: string | undefined, other: string | undefined): boolean {
  if (!GUESSED.has(id)) return one?.replaceAll(MEASURED, 'a time') !== other?.replaceAll(MEASURED, 'a time');
  const [first, second] = [guessesIn(one), guessesIn(other)];
  return first.length > 0 && second.length > 0 && !first.some((guess) => second.includes(guess));
}

/**
 * Returns what fits: “Fits a fixed window, or a sliding window log; …” are two guesses; none where nothing
 * was shown.
 */
const guessesIn = (value = ''): readonly string[] => {
  const [, guesses] = /^Fits (?!no known)(.*)$/.exec(value.split(';', 1)[0] ?? '') ?? [];
  return guesses?.split(', or ') ?? [];
};

function valuesBySubject(row: Row): ReadonlyMap<string, string> {
  const values = new Map<string, Set<string>>();
  for (const { subject = '', value } of row?.observed ?? [])
    values.set(subject, (values.get(subject) ?? new Set()).add(value));
  return new Map([...values].map(([subject, seen]) => [subject, [...seen].toSorted().join(', ')]));
}

export const observedText = (
  values: ReturnType<typeof observationChanges>,
  side: 'before' | 'after',
): string =>
  values
    .map(({ subject, [side]: value }) =>
      subject === '' ? (value ?? 'not seen') : `${subject}: ${value ?? 'not seen'}`,
    )
    .join('; ');
