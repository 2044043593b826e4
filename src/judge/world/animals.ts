import type { PetStatus } from '../../base/interface/contract.js';
import { onceEach } from '../../base/kernel/once-each.js';
import { answeredAt } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Added, Taken } from '../checks/animals.js';
import { isNamedIn } from '../checks/leftovers.js';
import { petsOf } from '../checks/listing.js';
import { animalsIn, hasStatus, type PetView } from '../checks/pets.js';
import type { Animal, Sighting, World } from './world.js';

/**
 * Is true if an animal has a status in the newest response, or else in its creation or a fetch: listings may
 * leave the status out (flaw listed-status-never-shown).
 */
export function isKnownAs({ newest, own, fetched }: Animal, status: PetStatus): boolean {
  if (newest.status !== undefined) return hasStatus(newest, status);
  const created = own?.reading.ok ? own.reading.value : null;
  return [created, fetched?.pet].some((pet) => pet && hasStatus(pet, status));
}

export const countAnimals = ({ animals }: World, status?: PetStatus): number =>
  [...animals.values()].filter((animal) => status === undefined || isKnownAs(animal, status)).length;

/** Rows that need many of one status add the fewest there. */
export const mostCommonStatus = (world: World, statuses: readonly PetStatus[]): PetStatus =>
  statuses.reduce((best, status) =>
    countAnimals(world, status) > countAnimals(world, best) ? status : best,
  );

/** Is true for the id of an animal that the store surely holds. */
export const isKnown = (id: string, { animals, met }: World): boolean =>
  met.has(id) || (animals.get(id)?.since ?? null) !== null;

/**
 * Returns the run's animal with an id; null for an animal of others, and if a response could show either of
 * several.
 */
export function ownAnimal(id: string, { animals, shared }: World): Added | null {
  const own = animals.get(id)?.own ?? null;
  return own?.reading.ok && !shared.has(id) ? own : null;
}

/** Returns the run's animals with a readable id, by id. */
export const ownAnimals = ({ animals }: World): readonly (readonly [id: string, animal: Added])[] =>
  [...animals.values()].flatMap(({ id, own }) => (own?.reading.ok ? [[id, own] as const] : []));

/** An animal that others added and a listing showed. */
export interface Resident extends Animal {
  readonly listed: NonNullable<Animal['listed']>;
}

const isResident = (animal: Animal): animal is Resident => animal.own === null && animal.listed !== null;

/** In order of their first appearance. */
export const residents = onceEach(({ animals }: World): readonly Resident[] =>
  [...animals.values()].filter(isResident),
);

export function resident(id: string, { animals }: World): Resident | null {
  const animal = animals.get(id);
  return animal && isResident(animal) ? animal : null;
}

/**
 * Returns the first fetch of an animal, or else its first listing: others change a status, but never a name
 * or a category.
 */
export const firstReading = ({ fetched, listed }: Resident): Sighting => fetched ?? listed.first;

export const listedAs = (id: string, { animals }: World): PetView | null =>
  animals.get(id)?.listed?.newest ?? null;

export const isChanging = (id: string, { animals }: World): boolean =>
  (animals.get(id)?.statuses.size ?? 0) > 1;

/** Returns the ids of animals that responses other than filtered listings show with several statuses. */
const changedIds = onceEach(({ shown, pages }: World): ReadonlySet<string> => {
  const single = shown
    .filter(({ exchange }) => exchange.operation !== 'listPets')
    .flatMap(({ pets }) => pets);
  const listed = pages.filter(({ status }) => status === undefined).flatMap(petsOf);
  const first = new Map<string, unknown>();
  return new Set(
    [...single, ...listed].flatMap(({ id, status }) => {
      if (id === null || status === undefined) return [];
      if (!first.has(id)) first.set(id, status);
      return first.get(id) === status ? [] : [id];
    }),
  );
});

/** Is true if the status of an animal of others changes: others do that. */
export const othersChangeStatuses = (world: World): boolean =>
  [...changedIds(world)].some((id) => (world.animals.get(id)?.own ?? null) === null);

/** Returns the ids of the run's animals whose status does not change. */
export const steadyIds = (world: World): ReadonlySet<string> =>
  new Set([...addedIds(world)].filter((id) => !changedIds(world).has(id)));

/**
 * Returns the animal with an id that was shown before a creation was sent; undefined if none was. A response
 * that overlaps the creation may show the new animal itself.
 */
export function shownBefore(id: string, creation: Exchange, { shown }: World): Taken | undefined {
  for (const { exchange, pets } of shown.toReversed()) {
    const pet = answeredAt(exchange) <= creation.sentAt ? pets.find((each) => each.id === id) : undefined;
    if (pet) return { place: `an animal in “${exchange.probe}”`, pet };
  }
  return undefined;
}

export const addedIds = ({ additions }: World, status?: PetStatus): ReadonlySet<string> =>
  new Set(
    additions
      .filter((addition) => status === undefined || mayHaveAdded(addition, status))
      .flatMap(({ exchange }) => animalsIn(exchange).flatMap(({ id }) => id ?? [])),
  );

/**
 * Is true if a creation's response has no readable id: only the name identifies its animal (flaw
 * created-id-string).
 */
export const hasNoId = ({ exchange }: Pick<Added, 'exchange'>): boolean =>
  animalsIn(exchange).every(({ id }) => id === null);

export const mayHaveAdded = ({ exchange }: Pick<Added, 'exchange'>, status: PetStatus): boolean =>
  animalsIn(exchange).some((pet) => hasStatus(pet, status)) ||
  exchange.request.body?.includes(`"status":"${status}"`) === true;

/** Is true if these animals include those that a creation added, by id or else by name. */
export const isAmong = (pets: readonly PetView[], addition: Added, { prefix }: World): boolean =>
  hasNoId(addition)
    ? pets.some((pet) => isNamedIn(pet, [addition.exchange], prefix))
    : animalsIn(addition.exchange).every(({ id }) => id === null || pets.some((pet) => pet.id === id));

/**
 * Returns when the run added the newest of these ids, or made the last of these additions, Unix ms; null for
 * none.
 */
export function addedAt(
  { additions }: World,
  ids: readonly string[],
  others: readonly Added[] = [],
): number | null {
  const moments = additions
    .filter(
      (addition) =>
        others.includes(addition) ||
        animalsIn(addition.exchange).some(({ id }) => id !== null && ids.includes(id)),
    )
    .map(({ exchange }) => answeredAt(exchange));
  return moments.length > 0 ? Math.max(...moments) : null;
}
