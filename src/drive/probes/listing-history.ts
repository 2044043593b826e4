import { petsOf, knownPage, listingAsked, type KnownPage, type Page } from '../../judge/checks/listing.js';
import { hasStatus, type PetView } from '../../judge/checks/pets.js';
import type { PetStatus } from '../../base/interface/contract.js';
import { answeredAt, statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { isNewest } from './specs.js';
import { PATIENCE_MS, soFar, type ProbeContext } from './context.js';
import { animalsIn, showsAll, mayHaveAdded } from './store.js';

/** An animal that the target is known to have. */
export interface Acquaintance {
  readonly pet: PetView;
  /** Time when the run added it or a listing first showed it, Unix ms; -Infinity for those of the run's first listing. */
  readonly since: number;
  readonly own: boolean;
  /** True if listings showed it with several statuses and the run did not add it: other clients change it. */
  readonly changes: boolean;
}

/** Returns the animals that a page lacks although they were known for long enough. A cache or a replica may be late. */
const missingIn = (page: KnownPage, known: readonly Acquaintance[], graceMs = PATIENCE_MS): readonly Acquaintance[] => {
  const { exchange, status } = page;
  const shown = new Set(petsOf(page).map(({ id }) => id));
  return known.filter(
    ({ pet, since, changes }) =>
      since + graceMs <= exchange.sentAt &&
      !shown.has(pet.id) &&
      (status === undefined || (hasStatus(pet, status) && !changes)),
  );
};

const lengthOf = (page: Page): number => petsOf(page).length;

/** True for a multiple of 10 or 25, at which servers usually end pages. Other lengths come from the number of animals. */
const isUsual = (length: number): boolean => length > 0 && (length % 10 === 0 || length % 25 === 0);

/**
 * Returns the length at which a target ends its pages, if below the requested limit (which breaks no must); null if no page
 * shows it. The proof is an incomplete page, with none longer. Its length is usual, or the listing reached it before and after the
 * run's additions and lacks other animals too. A shorter incomplete page has another fault.
 * @param pages all with a filter, or all without one
 */
export function pageCap(pages: readonly KnownPage[], known: readonly Acquaintance[]): number | null {
  const read = pages.filter(({ reading }) => reading.ok);
  const longest = Math.max(0, ...read.map(lengthOf));
  const incomplete = read.flatMap((page) => {
    const lacks = lengthOf(page) < page.limit && !isOneShort(page) ? missingIn(page, known) : [];
    return lacks.length > 0 ? [{ page, lacks }] : [];
  });
  if (incomplete.some(({ page }) => lengthOf(page) < longest)) return null;
  const firstOwn = Math.min(...known.filter(({ own }) => own).map(({ since }) => since), Infinity);
  const stood = ({ status }: KnownPage): boolean =>
    status === undefined &&
    read.some((other) => other.limit > longest && lengthOf(other) === longest && other.exchange.sentAt < firstOwn);
  const isCapped = incomplete.some(
    ({ page, lacks }) => isUsual(longest) || (stood(page) && lacks.some(({ own }) => !own)),
  );
  return isCapped ? longest : null;
}

const isOneShort = (page: KnownPage): boolean => lengthOf(page) === page.limit - 1;

/** Is true if a page ends one short of its limit although there is more: an off-by-one error. */
export const endsOneShort = (page: KnownPage, known: readonly Acquaintance[]): boolean =>
  page.reading.ok && isOneShort(page) && missingIn(page, known).length > 0;

/** True for a listing within the interface. */
const isWithin = ({ intent }: Exchange): boolean =>
  intent.kind === 'declared' || (intent.kind === 'expects' && intent.chargedTo.startsWith('list-'));

/** View of all listings so far. Sends nothing. */
export function createListingHistory({
  courier,
  judging,
  store,
  acceptedCreations,
}: Pick<ProbeContext, 'judging' | 'store' | 'acceptedCreations'> & {
  readonly courier: Pick<ProbeContext['courier'], 'exchanges'>;
}) {
  /** Listings so far within the interface, with the run's key in the usual form. */
  const listingsSoFar = soFar(courier, (exchanges) =>
    exchanges.filter(
      (exchange) =>
        exchange.operation === 'listPets' &&
        exchange.credential.kind === 'valid' &&
        !wasSentAgain(exchange) &&
        isWithin(exchange),
    ),
  );

  /** True for a 429 that was resolved by a retry. */
  const wasSentAgain = (exchange: Exchange): boolean =>
    statusOf(exchange) === 429 && !isNewest(exchange, courier.exchanges());

  /** Every page so far, with its query. */
  const pagesSoFar = soFar(courier, (): readonly KnownPage[] =>
    listingsSoFar().flatMap((exchange) => knownPage(exchange, judging) ?? []),
  );

  /** Ids that match a page's query, in each listing up to it. */
  function matchingIds({ exchange, status }: KnownPage): readonly (readonly string[])[] {
    const listings = listingsSoFar()
      .filter(({ sentAt }) => sentAt <= exchange.sentAt)
      .map(animalsIn);
    if (status === undefined) return listings.map((pets) => pets.flatMap(({ id }) => id ?? []));
    // An animal that other clients change matches only at times.
    const statuses = new Map<string | null, Set<unknown>>();
    for (const pet of listings.flat()) statuses.set(pet.id, (statuses.get(pet.id) ?? new Set()).add(pet.status));
    return listings.map((pets) =>
      pets.flatMap((pet) =>
        pet.id !== null && hasStatus(pet, status) && statuses.get(pet.id)?.size === 1 ? [pet.id] : [],
      ),
    );
  }

  /** Fetches of ids that no listing showed. */
  const unlistedFetched = (): readonly Exchange[] =>
    courier.exchanges().filter(({ operation, intent }) => operation === 'getPet' && intent.kind === 'declared');

  /** Known animals of the target, and since when. */
  const known = soFar(courier, (): readonly Acquaintance[] => {
    const own = new Map(
      acceptedCreations().flatMap((exchange) =>
        animalsIn(exchange).map(({ id }) => [id, answeredAt(exchange)] as const),
      ),
    );
    const firstListing = listingsSoFar().find((exchange) => animalsIn(exchange).length > 0);
    const firstSeen = new Map<string | null, Acquaintance>();
    for (const exchange of [...acceptedCreations(), ...listingsSoFar(), ...unlistedFetched()]) {
      const seenAt = exchange === firstListing ? -Infinity : answeredAt(exchange);
      for (const pet of animalsIn(exchange)) {
        if (pet.id === null) continue;
        const earlier = firstSeen.get(pet.id);
        const since = Math.min(earlier?.since ?? Infinity, own.get(pet.id) ?? seenAt);
        const changes = earlier !== undefined && (earlier.changes || earlier.pet.status !== pet.status);
        firstSeen.set(pet.id, { pet, since, own: own.has(pet.id), changes: changes && !own.has(pet.id) });
      }
    }
    return [...firstSeen.values()];
  });

  /** Length at which a page ends below its limit although there is more; null if it does not. */
  function endOf(candidate: KnownPage): number | null {
    const length = lengthOf(candidate);
    if (!candidate.reading.ok || length >= candidate.limit) return null;
    const animals = known();
    if (endsOneShort(candidate, animals)) return length;
    const all = pagesSoFar();
    const longest = Math.max(...all.map(lengthOf));
    // Pages without a limit may end earlier for another reason: a default that is too low.
    const pages = all.filter((page) => !page.isDefault || lengthOf(page) >= longest);
    const caps = (candidate.status === undefined ? [false] : [false, true]).flatMap((isFiltered) => {
      const alike = pages.filter(({ status }) => (status !== undefined) === isFiltered);
      const cap = pageCap(alike, animals);
      return cap === null || length < cap ? [] : [cap];
    });
    return caps.length > 0 ? Math.min(...caps) : null;
  }

  /** True if a page shows all that matches: it is shorter than its limit and than the target's page size. */
  const whole = (candidate: KnownPage): boolean =>
    candidate.reading.ok && lengthOf(candidate) < candidate.limit && endOf(candidate) === null;

  return {
    listingsSoFar,
    pagesSoFar,
    endOf,
    whole,
    /** Ids of the run's additions: all, or those that may have a status. */
    addedIds: (status?: PetStatus): ReadonlySet<string> =>
      new Set(
        acceptedCreations()
          .filter((addition) => status === undefined || mayHaveAdded(addition, status))
          .flatMap(animalsIn)
          .flatMap(({ id }) => (id === null ? [] : [id])),
      ),
    /** True for a response to a listing without a filter. */
    isUnfiltered: (exchange: Exchange): boolean => {
      const asked = listingAsked(exchange, judging);
      return asked !== null && asked.status === undefined;
    },
    /** Number of distinct ids that match a page's query in listings up to it. */
    matchingThen: (candidate: KnownPage): number => new Set(matchingIds(candidate).flat()).size,
    /** Most matching ids in a single listing up to it, because one animal may have several ids. */
    matchingAtOnce: (candidate: KnownPage): number =>
      Math.max(0, ...matchingIds(candidate).map((ids) => new Set(ids).size)),
    /** An animal in the newest listing that shows it; null if none does. */
    listedAs: (id: string): PetView | null =>
      listingsSoFar()
        .flatMap(animalsIn)
        .findLast((pet) => pet.id === id) ?? null,
    statusesListed: (id: string): ReadonlySet<unknown> =>
      new Set(
        listingsSoFar().flatMap((listing) => animalsIn(listing).flatMap((pet) => (pet.id === id ? [pet.status] : []))),
      ),
    /** Animals that the run did not add, so they existed all the time. */
    foreign: (): readonly PetView[] => known().flatMap(({ pet, own }) => (own ? [] : [pet])),
    /** Animals that a page lacks although earlier listings showed them, except the run's additions. */
    lackedBy: (candidate: KnownPage): readonly PetView[] => {
      if (!whole(candidate)) return [];
      const earlier = listingsSoFar().filter(({ sentAt }) => sentAt < candidate.exchange.sentAt);
      const before = new Set(earlier.flatMap(animalsIn).map(({ id }) => id));
      return missingIn(candidate, known()).flatMap(({ pet, own }) => (own || !before.has(pet.id) ? [] : [pet]));
    },
    /** True if all that a page lacks is so new that a cache or a replica may be late. */
    mayBeBehind: (candidate: KnownPage): boolean =>
      lengthOf(candidate) < candidate.limit && missingIn(candidate, known()).length === 0,
    /** Time of the newest animal that a page lacks, Unix ms; null if it lacks none. */
    lacksSince: (candidate: KnownPage): number | null => {
      const missing = missingIn(candidate, known(), -Infinity);
      return missing.length > 0 ? Math.max(...missing.map(({ since }) => since)) : null;
    },
    /** True if a page of the largest size shows every known animal: others do not exist. */
    showsEverything: (page: KnownPage): boolean => whole(page) && showsAll(page, store().values()),
  };
}
