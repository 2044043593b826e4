import type { Exchange } from '../../wire/exchange/types.js';
import { isFull, type KnownPage } from '../checks/listing-asked.js';
import { idsOn, lengthOf, petsOf } from '../checks/listing.js';
import { animalsIn, hasStatus } from '../checks/pets.js';
import { isOwnRemoved } from './absent-animals.js';
import { addedIds, resident, residents } from './animals.js';
import { knownAnimals, missingIn, PATIENCE_MS } from './known-animals.js';
import { endOf } from './whole-pages.js';
import type { World } from './world.js';

/** How many animals match the query of a page. */

/**
 * Returns how many animals of others match a page at least, if the page has room and shows fewer of them;
 * else null. With a filter it takes two missing ones, because another client may have changed one.
 *
 * @param world before that page
 */
export function matchingBeyond(page: KnownPage, world: World): number | null {
  const { limit, status, exchange } = page;
  const first = firstListings(world);
  const matching = residents(world)
    // One that others added a moment ago may be late (variants others-add-now-and-then, replica-behind).
    .filter(
      ({ since, listed }) =>
        first.has(listed.first.exchange) || (since ?? Infinity) + PATIENCE_MS <= exchange.sentAt,
    )
    .filter(
      ({ listed, statuses }) =>
        status === undefined || (statuses.size === 1 && hasStatus(listed.first.pet, status)),
    ).length;
  const shownOfThem = petsOf(page).filter(({ id }) => id !== null && resident(id, world) !== null).length;
  const spare = status === undefined ? 0 : 1;
  const least = Math.min(matching, limit);
  const isShort = !isFull(page) && shownOfThem + spare < least && lengthOf(page) + spare < least;
  return isShort ? matching : null;
}

/**
 * Returns the first listing of each filter. Where pages are capped, only these show all animals from before
 * the run.
 */
const firstListings = ({ pages, judging }: World): ReadonlySet<Exchange | undefined> =>
  new Set(
    [undefined, ...judging.contract.statuses].map(
      (filter) => pages.find(({ status }) => status === filter)?.exchange,
    ),
  );

/** Returns the ids that match a page's query, in each listing up to it. */
function matchingIds({ exchange, status }: KnownPage, { pages }: World): readonly (readonly string[])[] {
  const listings = pages
    .filter((page) => page.exchange.sentAt <= exchange.sentAt)
    .map((page) => animalsIn(page.exchange));
  if (status === undefined) return listings.map((pets) => pets.flatMap(({ id }) => id ?? []));
  // An animal that other clients change matches only at times.
  const statuses = new Map<string | null, Set<unknown>>();
  for (const pet of listings.flat())
    statuses.set(pet.id, (statuses.get(pet.id) ?? new Set()).add(pet.status));
  return listings.map((pets) =>
    pets.flatMap((pet) =>
      pet.id !== null && hasStatus(pet, status) && statuses.get(pet.id)?.size === 1 ? [pet.id] : [],
    ),
  );
}

/** Returns the number of ids that match a page's query in listings up to it. */
export const matchingThen = (page: KnownPage, world: World): number =>
  new Set(matchingIds(page, world).flat()).size;

/**
 * Is true if a page ends below its limit where one of another filter does: that is no matter of removed
 * animals. Pages one short of their limit do not count: two of one animal are alike by chance.
 */
const endsLikeOther = (page: KnownPage, world: World): boolean =>
  endsAt(lengthOf(page), page, world) &&
  world.pages.some((other) => other.status !== page.status && endsAt(lengthOf(page), other, world));

const endsAt = (length: number, page: KnownPage, world: World): boolean =>
  lengthOf(page) === length && length < page.limit - 1 && endOf(page, world) === length;

/**
 * Returns the number of ids that surely match a page's query at its time: the run's, and those shown up to it
 * and again later. Others may have removed the rest (variant many-removed-between-listings), unless the
 * target ends its pages there. Then the run's animals count that no listing shows.
 */
export function matchingSurely(page: KnownPage, world: World): number {
  if (endsLikeOther(page, world)) return matchingThen(page, world);
  const later = world.shown.filter(({ exchange }) => exchange.sentAt >= page.exchange.sentAt);
  const own = [...addedIds(world)].filter((id) => !isOwnRemoved(id, world));
  const there = new Set([...later.flatMap(({ pets }) => pets.map(({ id }) => id)), ...own]);
  const shown = matchingIds(page, world).flatMap((ids) => ids.filter((id) => there.has(id)));
  // An animal without a readable id may be the one that seems missing (flaw listing-nested).
  const isCutOff = endOf(page, world) !== null && !idsOn(page).has(null);
  const known = isCutOff ? knownAnimals(world).filter((animal) => animal.own) : [];
  return new Set([...shown, ...missingIn(page, known).map(({ pet }) => pet.id)]).size;
}

/**
 * Returns the most matching ids in one listing up to it: one animal may have several ids (flaw
 * listed-ids-as-doubles).
 */
export const matchingAtOnce = (page: KnownPage, world: World): number =>
  Math.max(0, ...matchingIds(page, world).map((ids) => new Set(ids).size));
