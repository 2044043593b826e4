import { closest, distance } from 'fastest-levenshtein';

/** Returns the known name within two edits, or a third of the longer name's letters; undefined if none is so close. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const candidate = closest(name.toLowerCase(), known);
  const allowed = Math.max(2, Math.floor(Math.max(name.length, candidate.length) / 3));
  return distance(name.toLowerCase(), candidate.toLowerCase()) <= allowed ? candidate : undefined;
}
