import type { Outcome } from './meter.js';
import type { Whole } from '../wire/exchange/raw-answer.js';
import type { Asked } from '../judge/checks/judge-answer.js';
import { petsOf, type Page } from '../judge/checks/listing.js';
import type { Contract } from '../base/interface/contract.js';
import { queryOf } from '../base/interface/listing-query.js';
import { planNames } from '../base/interface/names.js';
import { onceEach } from '../base/kernel/once-each.js';
import type { NewPet, OperationName, PlanName } from '../base/interface/types.js';
import type { RequestSpec } from '../wire/exchange/request-spec.js';
import type { Intent } from '../wire/exchange/types.js';
import { bearer } from '../drive/probes/credentials.js';
import { namePrefix, petBody } from '../drive/probes/creation-bodies.js';
import { creating, expects, fetching, listing, listingIntent } from '../drive/probes/specs.js';
import { GUESSED_CATEGORY, guessedCategory, knownCategory } from '../drive/probes/store.js';
import type { Turn } from '../wire/scenario/schedule.js';
import type { Known } from './known-bodies.js';

export interface Prepared {
  readonly spec: RequestSpec;
  readonly operation: OperationName;
  readonly key: PlanName;
  /** Judged bodies of its responses, shared by all keys; of creations, their forms. null if none repeat. */
  readonly known: Known | null;
  readonly asked: Asked;
  /** Of a journey: takes its end, and returns the next request; null where the journey ends. */
  readonly onEnd?: (end: StepEnd) => Following | null;
}

export type RequestSource = ReturnType<typeof requestSource>;

/**
 * Creates the requests of a load run: the scenario's listings, fetches of the pets in preflight's listing in
 * turn, and valid creations with unique names. Requests that repeat are built once. Their status codes belong
 * to the same requirements as in a conformance run.
 *
 * @param census preflight's listing; null without one
 * @param part distinguishes the names of several parts of one run
 */
export function requestSource(
  run: string,
  census: Page | null,
  newKnown: () => Known,
  part: number,
  contract: Contract,
) {
  const animals = census === null ? [] : fetchable(census);
  const categoryKnown = census === null ? null : knownCategory(census);
  const category = categoryKnown ?? (census === null ? GUESSED_CATEGORY : guessedCategory(census));
  // A category that no pet has may be unknown to the target, which may refuse it.
  const creation = categoryKnown === null ? expects('create-ok', 201, 400) : expects('create-ok', 201);
  const known = new Map<string, Known>();
  const knownOf = (name: string): Known => {
    const seen = known.get(name) ?? newKnown();
    known.set(name, seen);
    return seen;
  };
  const knownCreations = newKnown();
  let created = 0;

  const listed = onceForEachKey((turn: Turn, key): Prepared => {
    const query = queryOf(turn);
    const spec = listing(query, bearer(key), listingIntent(query, contract));
    return { spec, operation: turn.operation, key, known: knownOf(spec.probe), asked: {} };
  });
  const fetched = onceForEachKey((asked: { readonly id: string }, key): Prepared => {
    const spec = fetching(asked.id, bearer(key), expects('get-ok', 200));
    return { spec, operation: 'getPet', key, known: knownOf(spec.probe), asked };
  });

  // All creations of a key share what does not differ, so it is built once.
  const emptyCreation = onceForEachKey((intent: Intent, key) =>
    creating('load', undefined, bearer(key), intent),
  );

  return {
    canFetch: animals.length > 0,
    /** Prepares a fetch of a pet that is in no listing yet. */
    fetch: (id: string, key: PlanName): Prepared => ({
      spec: fetching(id, bearer(key), expects('get-ok', 200)),
      operation: 'getPet',
      key,
      known: null,
      asked: { id },
    }),
    /** @param nth number of earlier requests, for values used in turn */
    prepare(turn: Turn, key: PlanName, nth: number): Prepared {
      if (turn.operation === 'listPets') return listed(turn, key);
      const animal = animals[nth % Math.max(1, animals.length)];
      if (turn.operation === 'getPet' && animal) return fetched(animal, key);
      created += 1;
      const name = `${namePrefix(run)}-load-${part + 1}-${created}`;
      const pet: NewPet = { name, categoryId: category, status: 'available' };
      const spec = emptyCreation(creation, key);
      return {
        // Copies with `...` cost a tenth of a request here.
        spec: {
          probe: `${spec.probe} ${created}`,
          operation: spec.operation,
          intent: spec.intent,
          credential: spec.credential,
          method: spec.method,
          path: spec.path,
          headers: spec.headers,
          body: petBody(pet),
        },
        operation: 'createPet',
        key,
        known: knownCreations,
        asked: { sent: pet },
      };
    },
  };
}

function onceForEachKey<About extends object, Value>(make: (about: About, key: PlanName) => Value) {
  const byKey = new Map(planNames.map((key) => [key, onceEach((about: About) => make(about, key))]));
  return (about: About, key: PlanName): Value => byKey.get(key)?.(about) ?? make(about, key);
}

/** Pets of a listing with a unique id. */
export function fetchable(page: Page) {
  const ids = petsOf(page).map(({ id }) => id);
  return ids.flatMap((id) => (id !== null && ids.indexOf(id) === ids.lastIndexOf(id) ? [{ id }] : []));
}

/** A later request of a journey: its due time, Unix ms. */
export interface Following {
  readonly at: number;
  readonly request: Prepared;
}

/** Outcome of a request of a journey, with its response if it was served. */
export interface StepEnd {
  readonly outcome: Outcome;
  readonly response: Whole | null;
  readonly latencyMs: number;
  /** Unix ms. */
  readonly answeredAt: number;
}
