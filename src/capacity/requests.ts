import { petsOf } from '../checks/listing.js';
import type { Page } from '../checks/listing.js';
import type { PetView } from '../checks/pets.js';
import type { Contract } from '../contract/contract.js';
import type { NewPet, OperationName, PlanName } from '../contract/types.js';
import type { RequestSpec } from '../exchange/sender.js';
import { bearer } from '../probes/credentials.js';
import { namePrefix, petBody } from '../probes/creations.js';
import { creating, expects, fetching, listing, listingIntent } from '../probes/specs.js';
import { knownCategory } from '../probes/store.js';
import type { Turn } from './schedule.js';
import type { Known } from './verdicts.js';

/** A request that is about to be sent, with what is known of its answer. */
export interface Prepared {
  readonly spec: RequestSpec;
  readonly operation: OperationName;
  readonly key: PlanName;
  /** Bodies that were seen in answer to it and judged: shared by all keys. null where no two are alike. */
  readonly known: Known | null;
  /** The animal that a fetch asks for, and the listing that it was seen in. */
  readonly expected: { readonly pet: PetView; readonly id: string; readonly page: Page } | null;
  /** What a creation sends. */
  readonly pet: NewPet | null;
}

/** Gives the requests of turns. */
export interface RequestSource {
  /** @param nth how many requests went before, for what is taken in turn */
  readonly prepare: (turn: Turn, key: PlanName, nth: number) => Prepared;
  /** Whether there is an animal to fetch. */
  readonly canFetch: boolean;
}

/** Where the store is empty, any category has to do. */
const ANY_CATEGORY = '1';

/**
 * The requests of a load run: listings as the scenario asks for them, fetches of the animals that preflight's listing
 * showed, each in turn, and valid creations, no two of one name. Those of which there are few are put together once.
 * What their status is charged to is what it is charged to in a conformance run.
 * @param census preflight's listing; null where it showed none
 * @param part tells the names of several parts of one run apart
 */
export function requestSource(
  run: string,
  census: Page | null,
  newKnown: () => Known,
  part: number,
  contract: Contract,
): RequestSource {
  const animals = census === null ? [] : fetchable(petsOf(census));
  const categoryKnown = census === null ? null : knownCategory(census);
  const category = categoryKnown ?? ANY_CATEGORY;
  // A category that no animal has may be unknown to the target, and be refused.
  const creation = categoryKnown === null ? expects('create-ok', 201, 400) : expects('create-ok', 201);
  const prepared = new Map<string, Prepared>();
  const known = new Map<string, Known>();
  let created = 0;

  const once = (name: string, key: PlanName, make: () => Omit<Prepared, 'key' | 'known'>): Prepared => {
    const found = prepared.get(`${key} ${name}`);
    if (found) return found;
    const seen = known.get(name) ?? newKnown();
    known.set(name, seen);
    const fresh = { ...make(), key, known: seen };
    prepared.set(`${key} ${name}`, fresh);
    return fresh;
  };

  return {
    canFetch: animals.length > 0,
    prepare({ operation, limit, status }, key, nth) {
      if (operation === 'listPets')
        return once(`${limit ?? ''} ${status ?? ''}`, key, () => {
          const query = { ...(limit !== undefined && { limit }), ...(status !== undefined && { status }) };
          const spec = listing(query, bearer(key), listingIntent(query, contract));
          return { spec, operation, expected: null, pet: null };
        });
      const animal = animals[nth % Math.max(1, animals.length)];
      if (operation === 'getPet' && animal && census)
        return once(animal.id, key, () => ({
          spec: fetching(animal.id, bearer(key), expects('get-ok', 200)),
          operation,
          expected: { ...animal, page: census },
          pet: null,
        }));
      created += 1;
      const name = `${namePrefix(run)}-load-${part + 1}-${created}`;
      const pet: NewPet = { name, categoryId: category, status: 'available' };
      return {
        spec: creating(`load ${created}`, petBody(pet), bearer(key), creation),
        operation: 'createPet',
        key,
        known: null,
        expected: null,
        pet,
      };
    },
  };
}

/** The animals of a listing that an id stands for without doubt. */
function fetchable(pets: readonly PetView[]): readonly { readonly pet: PetView; readonly id: string }[] {
  const ids = pets.map(({ id }) => id);
  return pets.flatMap((pet) =>
    pet.id !== null && ids.indexOf(pet.id) === ids.lastIndexOf(pet.id) ? [{ pet, id: pet.id }] : [],
  );
}
