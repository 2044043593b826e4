import type { PetStatus } from '../../base/interface/contract.js';
import { petsOf, type KnownPage, type Page } from '../../judge/checks/listing.js';
import { bodyOf } from '../../judge/checks/layers.js';
import { animalsOf, hasStatus, petView, type PetView } from '../../judge/checks/pets.js';
import { statusOf } from '../../wire/exchange/headers.js';
import { integerOf } from '../../base/kernel/json.js';
import { onceEach } from '../../base/kernel/once-each.js';
import { grouped } from '../../base/kernel/format.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { isNamedIn } from '../../judge/checks/leftovers.js';
import type { LogRecord } from '../../log/record.js';

/** Animals of the target's store by id, in their newest form. */
export type StoreView = ReadonlyMap<string, PetView>;

/** Collects the animals of all responses. */
export const viewStore = (exchanges: readonly Exchange[]): StoreView =>
  new Map(exchanges.flatMap(animalsIn).flatMap((pet) => (pet.id === null ? [] : [[pet.id, pet] as const])));

/** Returns the animals in a success to the run's key, leniently read: without a valid key they may be anything. */
export const animalsIn = onceEach((exchange: Exchange): readonly PetView[] => {
  const status = statusOf(exchange);
  if ((status !== 200 && status !== 201) || exchange.credential.kind !== 'valid') return [];
  return animalsOf(exchange);
});

/** Returns the record of an animal that the run leaves behind, for the report: the interface cannot remove it. */
export function additionOf(exchange: Exchange): LogRecord {
  const { id, name } = petView(bodyOf(exchange) ?? null);
  return { type: 'created', id: id ?? '?', name: typeof name === 'string' ? name : '?' };
}

/** Number of known animals, in total or with a status. */
export const countAnimals = (store: StoreView, status?: PetStatus): number =>
  [...store.values()].filter((pet) => status === undefined || hasStatus(pet, status)).length;

/** Returns the status of most animals: rows that need many of one status add the fewest there. */
export function mostCommonStatus(store: StoreView, statuses: readonly PetStatus[]): PetStatus {
  return statuses.reduce((best, status) => (countAnimals(store, status) > countAnimals(store, best) ? status : best));
}

/** Category for an empty store, which shows none. It is the likeliest to be accepted; a refusal of it proves nothing. */
export const GUESSED_CATEGORY = '1';

/** Returns an animal's category; null if a double loses its digits, for which a server may refuse it. */
export function smallCategory({ categoryId }: PetView): string | null {
  const integer = integerOf(categoryId);
  return integer !== null && integer >= 0n && integer <= BigInt(Number.MAX_SAFE_INTEGER) ? integer.toString() : null;
}

/** Returns the most frequent category, which a target with a closed set accepts too; null if none was seen. */
export function knownCategory(page: Page): string | null {
  const categories = petsOf(page).flatMap((pet) => smallCategory(pet) ?? []);
  const [most] = [...grouped(categories, (category) => category).values()].sort((a, b) => b.length - a.length);
  return most?.[0] ?? null;
}

/** Is true if a page shows every animal of these that matches it. */
export const showsAll = (page: KnownPage, animals: Iterable<PetView>): boolean => {
  const shown = new Set(petsOf(page).map(({ id }) => id));
  const { status } = page;
  return [...animals].every((pet) => shown.has(pet.id) || (status !== undefined && !hasStatus(pet, status)));
};

/** Is true if a creation's response has no readable id: only the name identifies its animal. */
export const isUntold = (addition: Exchange): boolean => animalsIn(addition).every(({ id }) => id === null);

/** Is true if a creation may have added an animal of a status, by its request or by its response. */
export const mayHaveAdded = (addition: Exchange, status: PetStatus): boolean =>
  animalsIn(addition).some((pet) => hasStatus(pet, status)) ||
  addition.request.body?.includes(`"status":"${status}"`) === true;

/**
 * Is true if these animals include those that a creation added.
 * @param prefix start of the run's names
 */
export const isAmong = (pets: readonly PetView[], addition: Exchange, prefix: string): boolean =>
  isUntold(addition)
    ? pets.some((pet) => isNamedIn(pet, [addition], prefix))
    : animalsIn(addition).every(({ id }) => id === null || pets.some((pet) => pet.id === id));
