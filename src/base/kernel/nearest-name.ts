import { closest, distance } from 'fastest-levenshtein';

/**
 * Returns the known name within two edits, or a third of the longer name's letters; undefined if none is so
 * close.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const candidate = closest(name.toLowerCase(), known);
  const allowed = Math.max(2, Math.floor(Math.max(name.length, candidate.length) / 3));
  return distance(name.toLowerCase(), candidate.toLowerCase()) <= allowed ? candidate : undefined;
}

/** Returns a question for the nearest name, with a blank behind it; empty without one. */
export function suggestion(name: string, known: readonly string[], prefix = ''): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `Did you mean ${prefix}${nearest}? `;
}
