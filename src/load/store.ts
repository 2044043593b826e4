import type { PetView } from '../checks/pets.js';
import { isInt64, integerOf } from '../contract/json.js';
import type { Exchange } from '../exchange/types.js';
import { animalsIn } from '../probes/store.js';

/** What load requests need to know of the target's store: an animal to fetch, and a category to create with. */
export interface LoadStore {
  /** An animal's id, as text; null until one was seen. */
  id(): string | null;
  /** A category that the store knows; null until one was seen. */
  category(): string | null;
  /** Reads the animals of an answer. */
  learn(exchange: Exchange): void;
}

/** A store that knows what the suites saw, and learns from the load's own answers where that was nothing. */
export function loadStore(known: readonly Exchange[]): LoadStore {
  let id: string | null = null;
  let category: string | null = null;
  const learn = (exchange: Exchange): void => {
    if (id !== null && category !== null) return;
    for (const pet of animalsIn(exchange)) {
      id ??= pet.id;
      category ??= smallCategory(pet);
    }
  };
  for (const exchange of known) learn(exchange);
  return { id: () => id, category: () => category, learn };
}

/** A category that every reader of JSON keeps as it is. */
function smallCategory({ categoryId }: PetView): string | null {
  const integer = isInt64(categoryId) ? integerOf(categoryId) : null;
  return integer !== null && integer >= 0n && integer <= BigInt(Number.MAX_SAFE_INTEGER) ? integer.toString() : null;
}
