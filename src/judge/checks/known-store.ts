import type { PetStatus } from '../../base/interface/contract.js';
import type { NewPet, OperationName } from '../../base/interface/types.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Added } from './animals.js';
import type { Judging } from './layers.js';
import { petsOf, listingAsked, type Page } from './listing.js';
import { hasStatus, readPet, readPets, type PetView } from './pets.js';
import { asIfRemoved } from './status.js';

/** An animal as the first response of a kind showed it. */
interface Sighting {
  readonly pet: PetView;
  readonly exchange: Exchange;
}

/** An animal that existed before, as responses showed it. */
interface Resident {
  readonly listed: Sighting | null;
  readonly fetched: Sighting | null;
  readonly statuses: ReadonlySet<unknown>;
}

/** Most animals to remember, because an endless store must not fill the memory. */
const MOST_ANIMALS = 3_000;
/** Most ids to remember of animals that are only met. */
const MOST_IDS = 100_000;
/** Listings to keep: enough to find the target's page size. */
const MOST_PAGES = 60;

/** The store as known from responses so far. */
export type KnownStore = ReturnType<typeof newKnownStore>;

/** Returns an empty store. */
export function newKnownStore(judging: Judging) {
  /** Animals that the run added, by id. */
  const own = new Map<string, Added>();
  const residents = new Map<string, Resident>();
  /** Ids of animals that existed before, in order of their first listing. */
  const ids: string[] = [];
  const met = new Set<string>();
  /** Operations that succeeded with the run's key. */
  const served = new Set<OperationName>();
  /** Ids of more than one animal. */
  const ambiguous = new Set<string>();
  let pages: Exchange[] = [];

  /** Is true for the id of a known animal. */
  const has = (id: string): boolean => own.has(id) || residents.has(id) || met.has(id);

  function learnResident(id: string, pet: PetView, exchange: Exchange): void {
    const known = residents.get(id);
    if (known === undefined && residents.size >= MOST_ANIMALS) return;
    const isListing = exchange.operation === 'listPets';
    if (known === undefined && isListing) ids.push(id);
    residents.set(id, {
      listed: known?.listed ?? (isListing ? { pet, exchange } : null),
      fetched: known?.fetched ?? (isListing ? null : { pet, exchange }),
      statuses: isListing ? new Set([...(known?.statuses ?? []), pet.status]) : (known?.statuses ?? new Set()),
    });
  }

  return {
    own: own as ReadonlyMap<string, Added>,
    residents: residents as ReadonlyMap<string, Resident>,
    ids: ids as readonly string[],
    served: served as ReadonlySet<OperationName>,
    ambiguous: ambiguous as ReadonlySet<string>,
    has,
    /** Past listings within the interface, which show the target's page size. */
    pages: (): readonly Exchange[] => pages,
    /** Learns only that an animal has an id, and that its operation succeeds: load creates too many animals to keep more. */
    meet(operation: OperationName, id: string): void {
      served.add(operation);
      if (met.size < MOST_IDS) met.add(id);
    },
    /** Learns from a response; `sent` is the body of a creation. */
    learn(exchange: Exchange, sent: Partial<NewPet> = {}): void {
      const { operation, credential } = exchange;
      if (operation === null || credential.kind !== 'valid') return;
      const status = statusOf(exchange);
      if (status === null || status < 200 || status >= 300) return;
      if (exchange.intent.kind !== 'open') served.add(operation);
      if (operation === 'createPet') {
        const reading = readPet(exchange, judging);
        const id = reading.ok ? reading.value.id : null;
        if (id === null) return;
        if (has(id)) ambiguous.add(id);
        own.set(id, { exchange, reading, sent });
        residents.delete(id);
        return;
      }
      if (operation === 'listPets') {
        const page: Page = { exchange, reading: readPets(exchange, judging) };
        for (const pet of petsOf(page)) if (pet.id !== null && !own.has(pet.id)) learnResident(pet.id, pet, exchange);
        if (exchange.intent.kind !== 'open' && listingAsked(exchange, judging))
          pages = [...pages.slice(0, 1), ...pages.slice(1).slice(-MOST_PAGES), exchange];
        return;
      }
      const fetched = readPet(exchange, judging);
      if (fetched.ok && fetched.value.id !== null && residents.has(fetched.value.id) && !asIfRemoved(exchange))
        learnResident(fetched.value.id, fetched.value, exchange);
    },
  };
}

/** Counts residents that are known to match a filter and never showed another status. */
export const countMatching = ({ residents }: KnownStore, status: PetStatus | undefined): number =>
  [...residents.values()].filter(
    ({ listed, statuses }) =>
      listed !== null && (status === undefined || (statuses.size === 1 && hasStatus(listed.pet, status))),
  ).length;
