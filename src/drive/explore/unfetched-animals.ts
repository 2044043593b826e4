import { residents } from '../../judge/world/animals.js';
import type { World } from '../../judge/world/world.js';

/** Most animals from before the run that are fetched at the end, so that a large store takes no hour. */
const MOST_FETCHED = 200;

/** They take at most one request in so many. The others are for stories. */
const SHARE_FOR_FETCHES = 8;

export const requestsForUnfetched = (asked: number): number =>
  Math.min(MOST_FETCHED, Math.floor(asked / SHARE_FOR_FETCHES));

/**
 * Returns the ids of animals from before the run that no request fetched, evenly over the range of what
 * listings showed. Pure.
 *
 * @param fetched ids of the animals that were fetched, whatever the response
 */
export function unfetched(world: World, fetched: ReadonlySet<string>, most: number): readonly string[] {
  const left = residents(world).filter(({ id }) => !fetched.has(id));
  if (left.length <= most) return left.map(({ id }) => id);
  return Array.from(
    { length: most },
    (_, nth) => left[Math.floor(((nth + 0.5) * left.length) / most)],
  ).flatMap((animal) => animal?.id ?? []);
}

export function countResidents(world: World, fetched: ReadonlySet<string>) {
  const shown = residents(world);
  return { shown: shown.length, fetched: shown.filter(({ id }) => fetched.has(id)).length };
}
