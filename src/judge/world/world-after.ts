import type { NewPet, OperationName } from '../../base/interface/types.js';
import { sum } from '../../base/kernel/format.js';
import { isOfOutage } from '../../wire/exchange/gateway.js';
import { answeredAt, statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { sentIn, type Added } from '../checks/animals.js';
import type { Judging } from '../checks/layers.js';
import { knownPage, type KnownPage } from '../checks/listing-asked.js';
import { petsOf } from '../checks/listing.js';
import { animalsIn, idsOfSeveral, readPet, type PetView } from '../checks/pets.js';
import { succeeded } from '../checks/status.js';
import { newWorld, type Animal, type Sighting, type World } from './world.js';

/**
 * Most animals to remember, by id and in responses: the suites' 250 requests with the largest key, each for a
 * page of 100. An endless store must not fill the memory.
 */
const MOST_ANIMALS = 25_000;

/** Most responses of a kind to remember. The suites send fewer, and exploring needs the newest. */
const MOST_RESPONSES = 300;

/**
 * Returns the world after one more exchange. Exchanges may come late and may overlap. Pure. The cost grows
 * with the animals known, not with the exchanges before.
 *
 * @param sent members of a creation; by default those in its body
 */
export function worldAfter(world: World, exchange: Exchange, sent?: Partial<NewPet>): World {
  const { operation } = exchange;
  const creations = operation === 'createPet' ? newestOf([...world.creations, exchange]) : world.creations;
  // Without a valid key a response may hold anything.
  if (exchange.credential.kind !== 'valid')
    return creations === world.creations ? world : { ...world, creations };
  const news = newsIn(exchange, world.judging, sent);
  const { pets, page, addition } = news;
  const { shown, additions, fetches } = world;
  return {
    ...world,
    animals: animalsAfter(world, exchange, news),
    shared: sharedAfter(world, news),
    shown: pets.length > 0 ? withinMemory([...shown, { exchange, pets }], (each) => each.pets.length) : shown,
    pages: pagesAfter(world, exchange, page),
    creations,
    additions: addition ? [...additions, addition] : additions,
    fetches: operation === 'getPet' ? newestOf([...fetches, exchange]) : fetches,
    served: servedAfter(world, exchange),
  };
}

export const worldOf = (exchanges: readonly Exchange[], judging: Judging, prefix = ''): World =>
  exchanges.reduce((world, exchange) => worldAfter(world, exchange), newWorld(judging, prefix));

/** What an exchange with the run's key shows. */
interface News {
  readonly pets: readonly PetView[];
  /** A listing within the interface. */
  readonly page: KnownPage | null;
  readonly addition: Added | null;
}

function newsIn(exchange: Exchange, judging: Judging, sent: Partial<NewPet> | undefined): News {
  const isAddition = exchange.operation === 'createPet' && statusOf(exchange) === 201;
  return {
    pets: animalsIn(exchange),
    page: isWithin(exchange) ? knownPage(exchange, judging) : null,
    addition: isAddition
      ? { exchange, reading: readPet(exchange, judging), sent: sent ?? sentIn(exchange, judging) }
      : null,
  };
}

/** True for a listing that the interface describes, with the key in its usual form: other responses are free. */
const isWithin = ({ operation, intent }: Exchange): boolean =>
  operation === 'listPets' &&
  (intent.kind === 'declared' || (intent.kind === 'expects' && intent.chargedTo.startsWith('list-')));

const newestOf = <T>(all: readonly T[]): readonly T[] => (all.length > MOST_RESPONSES ? all.slice(1) : all);

/** Drops the oldest responses but the first, which shows the animals from before the run. */
function withinMemory<T>(all: readonly T[], animalsOf: (one: T) => number): readonly T[] {
  const isTooMuch = all.length > MOST_RESPONSES || (sum(all, animalsOf) > MOST_ANIMALS && all.length > 2);
  return isTooMuch ? withinMemory([...all.slice(0, 1), ...all.slice(2)], animalsOf) : all;
}

/**
 * A 429, or a response of a target that was unavailable, is no listing of the store once the request was
 * retried (variant limit-used-up-before-the-run).
 */
function pagesAfter({ pages }: World, exchange: Exchange, page: KnownPage | null): readonly KnownPage[] {
  if (!page) return pages;
  const others = pages.filter(
    (earlier) => !isRetried(earlier.exchange) || earlier.exchange.probe !== exchange.probe,
  );
  return withinMemory([...others, page], (each) => petsOf(each).length);
}

const isRetried = (exchange: Exchange): boolean => statusOf(exchange) === 429 || isOfOutage(exchange);

function servedAfter({ served }: World, exchange: Exchange): ReadonlySet<OperationName> {
  const { operation, intent } = exchange;
  const isNew = operation !== null && !served.has(operation) && intent.kind !== 'open' && succeeded(exchange);
  return isNew ? new Set([...served, operation]) : served;
}

/**
 * Is true if a creation returned the id of another animal: of another creation, or of an animal that some
 * response showed before the request. A response that comes meanwhile may show the new animal itself.
 *
 * @param world before that creation
 */
export function isTaken(id: string, { animals, met }: World, { sentAt }: Pick<Exchange, 'sentAt'>): boolean {
  const known = animals.get(id);
  return met.has(id) || (known !== undefined && (known.own !== null || known.shownAt <= sentAt));
}

function sharedAfter(world: World, { page, addition }: News): ReadonlySet<string> {
  const id = addition?.reading.ok ? addition.reading.value.id : null;
  const again = addition && id !== null && isTaken(id, world, addition.exchange) ? [id] : [];
  const several = page ? idsOfSeveral(petsOf(page)) : [];
  return again.length + several.length > 0 ? new Set([...world.shared, ...again, ...several]) : world.shared;
}

interface Evidence extends Sighting {
  /** What proves that the store holds the animal; null for a response that may be made up. */
  readonly proof: 'creation' | 'listing' | 'fetch' | null;
  /** Time from when it does, by this response, Unix ms. */
  readonly since: number;
}

function animalsAfter(world: World, exchange: Exchange, news: News): ReadonlyMap<string, Animal> {
  const pets = news.pets.filter(({ id }) => id !== null);
  if (pets.length === 0) return world.animals;
  const proof = proofIn(exchange, news);
  // An empty listing shows too that its animals came later.
  const isFirst = proof === 'listing' && !world.pages.some(isRead);
  const since = isFirst ? -Infinity : answeredAt(exchange);
  const animals = new Map(world.animals);
  for (const pet of pets) {
    const id = pet.id ?? '';
    const known = animals.get(id) ?? (animals.size < MOST_ANIMALS ? newAnimal(id, { pet, exchange }) : null);
    if (known) animals.set(id, animalAfter(known, { pet, exchange, proof, since }, news.addition));
  }
  return animals;
}

function proofIn({ operation, intent }: Exchange, { page, addition }: News): Evidence['proof'] {
  if (addition) return 'creation';
  if (page) return 'listing';
  // Only the fetch of an unlisted id leaves open whether the animal exists.
  return operation === 'getPet' && intent.kind === 'declared' ? 'fetch' : null;
}

/** True for a page that shows which animals there were, though its form may be wrong. */
const isRead = ({ exchange, reading }: KnownPage): boolean => reading.ok || animalsIn(exchange).length > 0;

const newAnimal = (id: string, { pet, exchange }: Sighting): Animal => ({
  id,
  newest: pet,
  shownAt: answeredAt(exchange),
  since: null,
  own: null,
  listed: null,
  fetched: null,
  statuses: new Set(),
});

function animalAfter(
  known: Animal,
  { pet, exchange, proof, since }: Evidence,
  addition: Added | null,
): Animal {
  const seen = { ...known, newest: pet, shownAt: Math.min(known.shownAt, answeredAt(exchange)) };
  switch (proof) {
    case 'creation':
      return { ...seen, own: addition, since };
    case 'listing': {
      const first = known.listed?.first ?? { pet, exchange };
      return {
        ...seen,
        since: earliest(known, since),
        listed: { first, newest: pet },
        statuses: withStatus(known, pet),
      };
    }
    case 'fetch':
      return {
        ...seen,
        since: earliest(known, since),
        fetched: known.fetched ?? { pet, exchange },
        statuses: withStatus(known, pet),
      };
    case null: {
      const isFetch = exchange.operation === 'getPet' && known.since !== null;
      return isFetch ? { ...seen, fetched: known.fetched ?? { pet, exchange } } : seen;
    }
  }
}

/** The run's own creation is the best proof, whatever showed an animal with that id before. */
const earliest = ({ own, since }: Animal, at: number): number =>
  own ? (since ?? at) : Math.min(since ?? Infinity, at);

const withStatus = ({ statuses }: Animal, { status }: PetView): Animal['statuses'] =>
  statuses.has(status) ? statuses : new Set([...statuses, status]);
