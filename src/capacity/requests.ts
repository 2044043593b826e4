import { petsOf, type Page } from '../checks/listing.js';
import type { PetView } from '../checks/pets.js';
import type { Contract } from '../contract/contract.js';
import type { NewPet, OperationName, PlanName } from '../contract/types.js';
import type { RequestSpec } from '../exchange/sender.js';
import { bearer } from '../probes/credentials.js';
import { namePrefix, petBody } from '../probes/creation-bodies.js';
import { creating, expects, fetching, listing, listingIntent } from '../probes/specs.js';
import { knownCategory } from '../probes/store.js';
import type { Turn } from '../scenario/schedule.js';
import type { Known } from './known-bodies.js';

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
  const animals = census === null ? [] : fetchable(census);
  const categoryKnown = census === null ? null : knownCategory(census);
  const category = categoryKnown ?? ANY_CATEGORY;
  // A category that no animal has may be unknown to the target, and be refused.
  const creation = categoryKnown === null ? expects('create-ok', 201, 400) : expects('create-ok', 201);
  const known = new Map<string, Known>();
  const knownOf = (name: string): Known => {
    const seen = known.get(name) ?? newKnown();
    known.set(name, seen);
    return seen;
  };
  let created = 0;

  const listed = onceForEachKey((turn: Turn, key) => {
    const { limit, status } = turn;
    const query = { ...(limit !== undefined && { limit }), ...(status !== undefined && { status }) };
    const spec = listing(query, bearer(key), listingIntent(query, contract));
    return { spec, operation: turn.operation, key, known: knownOf(spec.probe), expected: null, pet: null };
  });
  const fetched = onceForEachKey((animal: Fetchable, key) => {
    const spec = fetching(animal.id, bearer(key), expects('get-ok', 200));
    return { spec, operation: 'getPet', key, known: knownOf(spec.probe), expected: animal, pet: null };
  });

  return {
    canFetch: animals.length > 0,
    prepare(turn, key, nth) {
      if (turn.operation === 'listPets') return listed(turn, key);
      const animal = animals[nth % Math.max(1, animals.length)];
      if (turn.operation === 'getPet' && animal) return fetched(animal, key);
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

/** Puts a request together once for each thing that it is about and each key. */
function onceForEachKey<About extends object>(make: (about: About, key: PlanName) => Prepared) {
  const byKey = new Map<PlanName, WeakMap<About, Prepared>>();
  return (about: About, key: PlanName): Prepared => {
    const own = byKey.get(key) ?? new WeakMap<About, Prepared>();
    const found = own.get(about);
    if (found) return found;
    const fresh = make(about, key);
    byKey.set(key, own.set(about, fresh));
    return fresh;
  };
}

type Fetchable = NonNullable<Prepared['expected']>;

/** The animals of a listing that an id stands for without doubt. */
function fetchable(page: Page): readonly Fetchable[] {
  const pets = petsOf(page);
  const ids = pets.map(({ id }) => id);
  return pets.flatMap((pet) =>
    pet.id !== null && ids.indexOf(pet.id) === ids.lastIndexOf(pet.id) ? [{ pet, id: pet.id, page }] : [],
  );
}
