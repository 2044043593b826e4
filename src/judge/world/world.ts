import type { OperationName } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Added } from '../checks/animals.js';
import type { Judging } from '../checks/layers.js';
import type { KnownPage } from '../checks/listing-asked.js';
import type { PetView } from '../checks/pets.js';

/**
 * The store as a run's responses show it. `worldAfter` builds it exchange by exchange. Suites, exploring and
 * load ask it by the functions next to this file, and keep no other account.
 */
export interface World {
  readonly judging: Judging;
  /** Start of the names that the run gives to its animals; empty if they have no common one. */
  readonly prefix: string;
  /** Animals by id, in order of their first appearance. */
  readonly animals: ReadonlyMap<string, Animal>;
  /**
   * Ids of several animals. A response with one may show any of them (flaws created-ids-begin-again,
   * ids-drawn-again).
   */
  readonly shared: ReadonlySet<string>;
  /** Ids of animals of which nothing else is kept: load creates too many. */
  readonly met: ReadonlySet<string>;
  readonly shown: readonly Shown[];
  /** Listings within the interface, also those that failed, but no 429 that a retry resolved. */
  readonly pages: readonly KnownPage[];
  /** Creations under any credential, with any response. */
  readonly creations: readonly Exchange[];
  /** Creations that added an animal, also those with an unreadable response. */
  readonly additions: readonly Added[];
  /** Fetches with the run's key. */
  readonly fetches: readonly Exchange[];
  /** Operations that succeeded with the run's key, within the interface. */
  readonly served: ReadonlySet<OperationName>;
}

export interface Shown {
  readonly exchange: Exchange;
  readonly pets: readonly PetView[];
}

/** One animal as one response shows it. */
export interface Sighting {
  readonly pet: PetView;
  readonly exchange: Exchange;
}

/** An animal by all responses with its id. */
export interface Animal {
  readonly id: string;
  /** As the newest response shows it. */
  readonly newest: PetView;
  /** Time of the first response that shows it, Unix ms. */
  readonly shownAt: number;
  /**
   * Time from when the store surely holds it, Unix ms: of the run's creation, or else of the first proof,
   * which is a listing or the fetch of an unlisted id. -Infinity for the first listing's animals. Null
   * without a proof: the response to an id that no animal should have may be made up.
   */
  readonly since: number | null;
  /** The run's newest creation that returned the id. */
  readonly own: Added | null;
  /** As listings within the interface show it. */
  readonly listed: { readonly first: Sighting; readonly newest: PetView } | null;
  /** First fetch of it after a proof. */
  readonly fetched: Sighting | null;
  /** Statuses in its proofs, except its creation. */
  readonly statuses: ReadonlySet<unknown>;
}

export const newWorld = (judging: Judging, prefix = ''): World => ({
  judging,
  prefix,
  animals: new Map(),
  shared: new Set(),
  met: new Set(),
  shown: [],
  pages: [],
  creations: [],
  additions: [],
  fetches: [],
  served: new Set(),
});
