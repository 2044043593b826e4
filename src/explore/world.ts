import type { Single } from '../checks/animals.js';
import { asIfRemoved } from '../checks/status.js';
import { petsOf, listingAsked, type Page } from '../checks/listing.js';
import type { Judging } from '../checks/layers.js';
import { hasStatus, readPet, readPets, type PetView } from '../checks/pets.js';
import type { PetStatus } from '../contract/contract.js';
import type { NewPet, OperationName } from '../contract/types.js';
import { statusOf } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';

export interface Own {
  readonly id: string;
  readonly created: Single;
  readonly sent: Partial<NewPet>;
  /** Time of the response to its creation, Unix ms. */
  readonly since: number;
  /** The status in the response to the creation. */
  readonly pet: PetView;
}

/** An animal that existed before, as responses showed it. */
export interface Resident {
  readonly listed: { readonly pet: PetView; readonly exchange: Exchange } | null;
  readonly fetched: { readonly pet: PetView; readonly exchange: Exchange } | null;
  readonly statuses: ReadonlySet<unknown>;
}

/** The store as known from responses so far. */
export interface World {
  readonly own: ReadonlyMap<string, Own>;
  readonly residents: ReadonlyMap<string, Resident>;
  /** Ids of animals that existed before, in order of their first listing. */
  readonly ids: readonly string[];
  /** Operations that succeeded with the run's key, each with a response that shows it. */
  readonly served: ReadonlyMap<OperationName, Exchange>;
  /** Ids of more than one animal. */
  readonly ambiguous: ReadonlySet<string>;
  /** Learns from a response; `sent` is the body of a creation. */
  learn(exchange: Exchange, sent?: Partial<NewPet>): void;
  /** Past listings within the interface, which show the target's page size. */
  readonly pages: () => readonly Exchange[];
}

/** Most animals to remember, because an endless store must not fill the memory. */
const MOST_ANIMALS = 3_000;
/** Listings to keep: enough to find the target's page size. */
const MOST_PAGES = 60;

const endOf = ({ sentAt, latencyMs }: Exchange): number => sentAt + latencyMs;

/** Returns an empty world. */
export function newWorld(judging: Judging): World {
  const own = new Map<string, Own>();
  const residents = new Map<string, Resident>();
  const ids: string[] = [];
  const served = new Map<OperationName, Exchange>();
  const ambiguous = new Set<string>();
  let pages: Exchange[] = [];

  function learnResident(id: string, pet: PetView, exchange: Exchange): void {
    const known = residents.get(id);
    if (known === undefined && residents.size >= MOST_ANIMALS) return;
    if (known === undefined && exchange.operation === 'listPets') ids.push(id);
    const isListing = exchange.operation === 'listPets';
    residents.set(id, {
      listed: known?.listed ?? (isListing ? { pet, exchange } : null),
      fetched: known?.fetched ?? (isListing ? null : { pet, exchange }),
      statuses: isListing ? new Set([...(known?.statuses ?? []), pet.status]) : (known?.statuses ?? new Set()),
    });
  }

  return {
    own,
    residents,
    ids,
    served,
    ambiguous,
    pages: () => pages,
    learn(exchange, sent) {
      const { operation, credential } = exchange;
      if (operation === null || credential.kind !== 'valid') return;
      const status = statusOf(exchange);
      if (status === null || status < 200 || status >= 300) return;
      if (!served.has(operation) && exchange.intent.kind !== 'open') served.set(operation, exchange);
      if (operation === 'createPet') {
        const created = { exchange, reading: readPet(exchange, judging) };
        const pet = created.reading.ok ? created.reading.value : null;
        if (pet?.id === null || pet === null) return;
        if (own.has(pet.id) || residents.has(pet.id)) ambiguous.add(pet.id);
        own.set(pet.id, { id: pet.id, created, sent: sent ?? {}, since: endOf(exchange), pet });
        residents.delete(pet.id);
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
      if (
        fetched.ok &&
        fetched.value.id !== null &&
        !own.has(fetched.value.id) &&
        !asIfRemoved(exchange) &&
        residents.has(fetched.value.id)
      )
        learnResident(fetched.value.id, fetched.value, exchange);
    },
  };
}

/** Counts residents that are known to match a filter and never showed another status. */
export const countMatching = ({ residents }: World, status: PetStatus | undefined): number =>
  [...residents.values()].filter(
    ({ listed, statuses }) =>
      listed !== null && (status === undefined || (statuses.size === 1 && hasStatus(listed.pet, status))),
  ).length;
