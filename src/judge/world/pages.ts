import { onceEach } from '../../base/kernel/once-each.js';
import { answeredAt } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { petsOf, type KnownPage, type Page } from '../checks/listing.js';
import { animalsIn, hasStatus, type PetView } from '../checks/pets.js';
import { ownAnimal, ownAnimals, resident, residents } from './animals.js';
import type { Animal, World } from './world.js';

/** Longest time that an animal may take to show, ms. The interface names none (variants eventual-listings, listings-late). */
export const PATIENCE_MS = 2000;

/** An animal that the store surely holds. */
export interface KnownAnimal {
  readonly pet: PetView;
  /** Time from when the store holds it, Unix ms; -Infinity for those of the run's first listing. */
  readonly since: number;
  readonly own: boolean;
  /** True if others change its status, so that it matches a filter only at times (variant status-changed-between-listings). */
  readonly changes: boolean;
}

/** Returns the animals that the store surely holds. */
export const knownAnimals = onceEach(({ animals }: World): readonly KnownAnimal[] =>
  [...animals.values()].flatMap((animal) => {
    const { since, own, statuses } = animal;
    if (since === null) return [];
    return [{ pet: provenView(animal), since, own: own !== null, changes: own === null && statuses.size > 1 }];
  }),
);

/** Returns an animal as its newest proof shows it. Another response may have a wrong status (flaw fetched-status-reset). */
const provenView = ({ id, newest, own, listed, fetched }: Animal): PetView =>
  listed?.newest ?? (own && animalsIn(own.exchange).find((pet) => pet.id === id)) ?? fetched?.pet ?? newest;

/** Returns the animals that a page lacks although they were known for long enough. A cache or a replica may be late. */
const missingIn = (page: KnownPage, known: readonly KnownAnimal[], graceMs = PATIENCE_MS): readonly KnownAnimal[] => {
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

/** Is true if a page is as long as its limit allows. */
export const isFull = (page: KnownPage): boolean => page.reading.ok && lengthOf(page) >= page.limit;

/** True for a multiple of 10 or 25, at which servers usually end pages. Other lengths come from the number of animals. */
const isUsual = (length: number): boolean => length > 0 && (length % 10 === 0 || length % 25 === 0);

/**
 * Returns the length at which a target ends its pages, if below the requested limit (which breaks no must); null if no page
 * shows it. The proof is an incomplete page, with none longer. Its length is usual (variant pages-of-twenty), or the listing
 * reached it before and after the run's additions and lacks other animals too (variant pages-of-thirty-three; not
 * cached-listings). A shorter incomplete page has another fault (flaw filter-misses-first).
 * @param pages all with a filter, or all without one
 */
export function pageCap(pages: readonly KnownPage[], known: readonly KnownAnimal[]): number | null {
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

/** Is true if a page ends one short of its limit although there is more: an off-by-one error (flaw limit-one-too-few). */
export const endsOneShort = (page: KnownPage, known: readonly KnownAnimal[]): boolean =>
  page.reading.ok && isOneShort(page) && missingIn(page, known).length > 0;

/** Returns the length at which a page ends below its limit although there is more; null if it does not. */
export function endOf(page: KnownPage, world: World): number | null {
  const length = lengthOf(page);
  if (!page.reading.ok || length >= page.limit) return null;
  const known = knownAnimals(world);
  if (endsOneShort(page, known)) return length;
  const longest = Math.max(...world.pages.map(lengthOf));
  // Pages without a limit may end earlier for another reason: a default that is too low (flaw default-limit-ten).
  const pages = world.pages.filter((each) => !each.isDefault || lengthOf(each) >= longest);
  // Filtered pages may end earlier than others (variant pages-of-ten-with-filter), and end where others do.
  const alike = page.status === undefined ? [isUnfiltered] : [isUnfiltered, isFiltered];
  const caps = alike.flatMap((isAlike) => pageCap(pages.filter(isAlike), known) ?? []).filter((cap) => length >= cap);
  return caps.length > 0 ? Math.min(...caps) : null;
}

const isUnfiltered = ({ status }: KnownPage): boolean => status === undefined;
const isFiltered = (page: KnownPage): boolean => !isUnfiltered(page);

/** Is true if a page shows all that matches: it is shorter than its limit and than the target's page size. */
export const isWhole = (page: KnownPage, world: World): boolean =>
  page.reading.ok && lengthOf(page) < page.limit && endOf(page, world) === null;

/** Returns the listings of the largest size without a filter, oldest first. */
export const fullestPages = ({ pages, judging }: World): readonly KnownPage[] =>
  pages.filter(({ status, limit }) => status === undefined && limit === judging.contract.pageSize.max);

/** Returns those of them that show all animals. */
export const wholePages = (world: World): readonly KnownPage[] =>
  fullestPages(world).filter((page) => isWhole(page, world));

/**
 * Returns a listing that lacked an animal of the run for too long; undefined if there is none. It was requested more than the
 * patience after the creation, and a later one shows the animal, so nobody had removed it. Only the largest pages without a
 * filter count: others may be short for another reason (flaws default-limit-ten, limit-before-filter).
 */
export function lateFor(id: string, creation: Exchange, world: World): KnownPage | undefined {
  const since = answeredAt(creation) + PATIENCE_MS;
  const shows = (page: KnownPage): boolean => petsOf(page).some((pet) => pet.id === id);
  const pages = wholePages(world).filter(({ exchange }) => exchange.sentAt >= since);
  const newest = pages.findLastIndex(shows);
  return pages.slice(0, Math.max(0, newest)).find((page) => !shows(page));
}

/** Is true if a page shows every animal of these that matches it. */
export const showsAll = (page: KnownPage, animals: readonly PetView[]): boolean => {
  const shown = new Set(petsOf(page).map(({ id }) => id));
  const { status } = page;
  return animals.every((pet) => shown.has(pet.id) || (status !== undefined && !hasStatus(pet, status)));
};

/** Is true if a whole page shows every animal that any response showed: others do not exist. */
export const showsEverything = (page: KnownPage, world: World): boolean =>
  isWhole(page, world) &&
  showsAll(
    page,
    [...world.animals.values()].map(({ newest }) => newest),
  );

/** Is true if a page shows the animals that others added and the store surely holds. */
export const showsForeign = (page: KnownPage, world: World): boolean =>
  showsAll(
    page,
    knownAnimals(world).flatMap(({ pet, own }) => (own ? [] : [pet])),
  );

/** Returns the animals of others that a whole page lacks although earlier listings showed them. */
export function lackedBy(page: KnownPage, world: World): readonly PetView[] {
  if (!isWhole(page, world)) return [];
  const earlier = world.pages.filter(({ exchange }) => exchange.sentAt < page.exchange.sentAt);
  const before = new Set(earlier.flatMap(({ exchange }) => animalsIn(exchange)).map(({ id }) => id));
  return missingIn(page, knownAnimals(world)).flatMap(({ pet, own }) => (own || !before.has(pet.id) ? [] : [pet]));
}

/** Returns the ids of the run's animals that a page with room lacks although it was requested after their creation. */
export function ownLackedBy(page: KnownPage, world: World): readonly string[] {
  if (isFull(page)) return [];
  const { status, exchange } = page;
  const shown = new Set(petsOf(page).map(({ id }) => id));
  return ownAnimals(world).flatMap(([id, { exchange: creation, reading }]) => {
    const matches = status === undefined || (reading.ok && hasStatus(reading.value, status));
    const isDue = answeredAt(creation) < exchange.sentAt && ownAnimal(id, world) !== null && matches;
    return isDue && !shown.has(id) ? [id] : [];
  });
}

/**
 * Returns how many animals of others match a page at least, if the page has room and shows fewer of them; else null. With a
 * filter it takes two missing ones, because another client may have changed one.
 * @param world before that page
 */
export function matchingBeyond(page: KnownPage, world: World): number | null {
  const { limit, status, exchange } = page;
  const first = firstListings(world);
  const matching = residents(world)
    // One that others added a moment ago may be late (variants others-add-now-and-then, replica-behind).
    .filter(
      ({ since, listed }) => first.has(listed.first.exchange) || (since ?? Infinity) + PATIENCE_MS <= exchange.sentAt,
    )
    .filter(
      ({ listed, statuses }) => status === undefined || (statuses.size === 1 && hasStatus(listed.first.pet, status)),
    ).length;
  const shownOfThem = petsOf(page).filter(({ id }) => id !== null && resident(id, world) !== null).length;
  const spare = status === undefined ? 0 : 1;
  const least = Math.min(matching, limit);
  const isShort = !isFull(page) && shownOfThem + spare < least && lengthOf(page) + spare < least;
  return isShort ? matching : null;
}

/** Returns the first listing of each filter. Where pages are capped, only these show all animals from before the run. */
const firstListings = ({ pages, judging }: World): ReadonlySet<Exchange | undefined> =>
  new Set(
    [undefined, ...judging.contract.statuses].map((filter) => pages.find(({ status }) => status === filter)?.exchange),
  );

/** Is true if a page lacks only what a late cache or replica may lack (variants cached-listings, replica-behind). */
export const mayBeBehind = (page: KnownPage, world: World): boolean =>
  lengthOf(page) < page.limit && missingIn(page, knownAnimals(world)).length === 0;

/** Returns the time of the newest animal that a page lacks, Unix ms; null if it lacks none. */
export function lacksSince(page: KnownPage, world: World): number | null {
  const missing = missingIn(page, knownAnimals(world), -Infinity);
  return missing.length > 0 ? Math.max(...missing.map(({ since }) => since)) : null;
}

/** Returns the ids that match a page's query, in each listing up to it. */
function matchingIds({ exchange, status }: KnownPage, { pages }: World): readonly (readonly string[])[] {
  const listings = pages
    .filter((page) => page.exchange.sentAt <= exchange.sentAt)
    .map((page) => animalsIn(page.exchange));
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

/** Returns the number of ids that match a page's query in listings up to it. */
export const matchingThen = (page: KnownPage, world: World): number => new Set(matchingIds(page, world).flat()).size;

/** Returns the most matching ids in one listing up to it: one animal may have several ids (flaw listed-ids-as-doubles). */
export const matchingAtOnce = (page: KnownPage, world: World): number =>
  Math.max(0, ...matchingIds(page, world).map((ids) => new Set(ids).size));
