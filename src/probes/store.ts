import type { PetStatus } from '../contract/contract.js';
import { petsOf, type Page } from '../checks/listing.js';
import { animalsOf, hasStatus, type PetView } from '../checks/pets.js';
import { statusOf } from '../exchange/headers.js';
import { integerOf, isInt64 } from '../contract/json.js';
import { onceEach } from '../contract/once-each.js';
import type { Exchange } from '../exchange/types.js';
import { isNamedIn } from '../checks/leftovers.js';

/** View of the target's store: a pure function of the run's exchanges. */
export interface StoreView {
  /** Every animal seen anywhere, by id, as it was seen last. */
  readonly animals: ReadonlyMap<string, PetView>;
}

/** Gathers every animal of every answer. */
export function viewStore(exchanges: readonly Exchange[]): StoreView {
  return {
    animals: new Map(exchanges.flatMap(animalsIn).flatMap((pet) => (pet.id === null ? [] : [[pet.id, pet] as const]))),
  };
}

/**
 * The animals in any answer of success to the run's own key, leniently read. What a target shows without a valid key is
 * a fault already, and may be anything.
 */
export const animalsIn = onceEach((exchange: Exchange): readonly PetView[] => {
  const status = statusOf(exchange);
  if ((status !== 200 && status !== 201) || exchange.credential.kind !== 'valid') return [];
  return animalsOf(exchange);
});

/** Number of known animals, in total or with a status. */
export const countAnimals = ({ animals }: StoreView, status?: PetStatus): number =>
  [...animals.values()].filter((pet) => status === undefined || hasStatus(pet, status)).length;

/** The status that most animals have: rows that need many of one status need the fewest additions there. */
export function mostCommonStatus(store: StoreView, statuses: readonly PetStatus[]): PetStatus {
  return statuses.reduce((best, status) => (countAnimals(store, status) > countAnimals(store, best) ? status : best));
}

/** Past this a double loses digits, and servers may refuse a category for that alone. */
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** A category that an animal of the store has, so that a target with a closed set of categories takes it; null when none was seen. */
export function knownCategory(page: Page): string | null {
  const categories = petsOf(page).flatMap(({ categoryId }) =>
    isInt64(categoryId) ? [integerOf(categoryId) ?? 0n] : [],
  );
  const sound = categories.filter((category) => category >= 0n && category <= SAFE);
  const counts = new Map<bigint, number>();
  for (const category of sound) counts.set(category, (counts.get(category) ?? 0) + 1);
  const [best] = [...counts].sort(([, a], [, b]) => b - a);
  return best ? best[0].toString() : null;
}

/** A page that was asked for within the interface: how many it may hold, and of which status. */
export interface KnownPage {
  readonly page: Page;
  readonly limit: number;
  /** Whether the request has no limit. */
  readonly isDefault?: boolean;
  readonly status?: PetStatus;
}

/** Whether a page shows every animal of some that it should. */
export const showsAll = ({ page, status }: KnownPage, animals: Iterable<PetView>): boolean => {
  const shown = new Set(petsOf(page).map(({ id }) => id));
  return [...animals].every((pet) => shown.has(pet.id) || (status !== undefined && !hasStatus(pet, status)));
};

/** Whether the answer to a creation tells no id that can be read: its animal is known by the name alone that it was given. */
export const isUntold = (addition: Exchange): boolean => animalsIn(addition).every(({ id }) => id === null);

/** Whether a creation may have added an animal of a status: it was asked for so, or answered so. */
export const mayHaveAdded = (addition: Exchange, status: PetStatus): boolean =>
  animalsIn(addition).some((pet) => hasStatus(pet, status)) ||
  addition.request.body?.includes(`"status":"${status}"`) === true;

/**
 * Whether some animals hold what a creation has added.
 * @param prefix what the names start with that the run gives
 */
export const isAmong = (pets: readonly PetView[], addition: Exchange, prefix: string): boolean =>
  isUntold(addition)
    ? pets.some((pet) => isNamedIn(pet, [addition], prefix))
    : animalsIn(addition).every(({ id }) => id === null || pets.some((pet) => pet.id === id));
