import { onceEach } from '../../base/kernel/once-each.js';
import { matches, type KnownPage } from '../checks/listing-asked.js';
import { idsOn } from '../checks/listing.js';
import { animalsIn, type PetView } from '../checks/pets.js';
import type { Animal, World } from './world.js';

/** What the store surely holds, and which of it a page lacks. */

/**
 * Longest time that an animal may take to show, ms. The interface names none (variants eventual-listings,
 * listings-late).
 */
export const PATIENCE_MS = 2000;

/** An animal that the store surely holds. */
export interface KnownAnimal {
  readonly pet: PetView;
  /** Time from when the store holds it, Unix ms; -Infinity for those of the run's first listing. */
  readonly since: number;
  readonly own: boolean;
  /**
   * True if others change its status, so that it matches a filter only at times (variant
   * status-changed-between-listings).
   */
  readonly changes: boolean;
}

export const knownAnimals = onceEach(({ animals }: World): readonly KnownAnimal[] =>
  [...animals.values()].flatMap((animal) => {
    const { since, own, statuses } = animal;
    if (since === null) return [];
    return [
      { pet: provenView(animal), since, own: own !== null, changes: own === null && statuses.size > 1 },
    ];
  }),
);

/**
 * Returns an animal as its newest proof shows it. Another response may have a wrong status (flaw
 * fetched-status-reset).
 */
const provenView = ({ id, newest, own, listed, fetched }: Animal): PetView =>
  listed?.newest ?? (own && animalsIn(own.exchange).find((pet) => pet.id === id)) ?? fetched?.pet ?? newest;

/**
 * Returns the animals that a page lacks although they were known for long enough. A cache or a replica may be
 * late.
 */
export function missingIn(
  page: KnownPage,
  known: readonly KnownAnimal[],
  graceMs = PATIENCE_MS,
): readonly KnownAnimal[] {
  const shown = idsOn(page);
  return known.filter(
    ({ pet, since, changes }) =>
      since + graceMs <= page.exchange.sentAt &&
      !shown.has(pet.id) &&
      matches(pet, page) &&
      (page.status === undefined || !changes),
  );
}

/** Returns the time of the newest animal that a page lacks, Unix ms; null if it lacks none. */
export function lacksSince(page: KnownPage, world: World): number | null {
  const missing = missingIn(page, knownAnimals(world), -Infinity);
  return missing.length > 0 ? Math.max(...missing.map(({ since }) => since)) : null;
}

export const showsAll = (page: KnownPage, animals: readonly PetView[]): boolean => {
  const shown = idsOn(page);
  return animals.every((pet) => shown.has(pet.id) || !matches(pet, page));
};

export const showsForeign = (page: KnownPage, world: World): boolean =>
  showsAll(
    page,
    knownAnimals(world).flatMap(({ pet, own }) => (own ? [] : [pet])),
  );
