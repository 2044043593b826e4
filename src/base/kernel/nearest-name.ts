import { closest, distance } from 'fastest-levenshtein';

/** Letters of a name of which two edits leave little: there two must be a swap. */
const SHORT = 4;

/**
 * Returns the known name within two edits, or a third of the longer name's letters; undefined if none is so
 * close.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const written = name.toLowerCase();
  const candidate = closest(written, known);
  const near = candidate.toLowerCase();
  const longer = Math.max(name.length, candidate.length);
  const edits = distance(written, near);
  if (longer <= SHORT && edits === 2) return sorted(written) === sorted(near) ? candidate : undefined;
  return edits <= Math.max(2, Math.floor(longer / 3)) ? candidate : undefined;
}

const sorted = (word: string): string => word.split('').toSorted().join('');

/** Returns a question for the nearest name, with a blank behind it; empty without one. */
export function suggestion(name: string, known: readonly string[], prefix = ''): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `Did you mean ${prefix}${nearest}? `;
}
