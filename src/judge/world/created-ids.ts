import type { OperationName, RequirementId } from '../../base/interface/types.js';
import { grouped } from '../../base/kernel/format.js';
import { integerOf } from '../../base/kernel/json.js';
import { onceEach } from '../../base/kernel/once-each.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { echoes, sentIn, type Added } from '../checks/animals.js';
import { collidedId } from '../checks/judge-listing.js';
import { petsOf, type Page } from '../checks/listing.js';
import { differenceFrom, type ListedPet } from '../checks/matching.js';
import type { Judgement } from '../findings/finding.js';
import { type Single, animalsIn, hasStatus, readPet, type PetView } from '../checks/pets.js';
import {
  idKeepsDigits,
  isBeyondDouble,
  lookRounded,
  returnedIdFault,
  type ReturnedId,
} from '../checks/rounded-ids.js';
import { mustBeRefused } from '../checks/status.js';
import { shownBefore } from './animals.js';
import type { World } from './world.js';

export const idOf = ({ reading }: Single): string | null => (reading.ok ? reading.value.id : null);

/**
 * Returns the animals of the creations that were allowed to succeed. A wrongly accepted one is not judged
 * further.
 */
export const addedRightly = ({ additions }: World): readonly Added[] =>
  additions.filter(({ exchange: { intent } }) => intent.kind === 'open' || intent.statuses.includes(201));

export const isShared = (creation: Single, { shared }: World): boolean => shared.has(idOf(creation) ?? '');

/** Returns the responses that showed a creation's animal by its id, except that to the creation. */
export function appearances(creation: Single, world: World): readonly Single[] {
  const id = idOf(creation);
  if (id === null || isShared(creation, world)) return [];
  return world.shown
    .filter(({ exchange }) => exchange.id !== creation.exchange.id)
    .flatMap(({ exchange, pets }) =>
      pets
        .filter((pet) => pet.id === id)
        .map((value) => ({ exchange, reading: { ok: true as const, value } })),
    );
}

/**
 * Returns the animals of all listings. One that a filter wrongly lets through says nothing about its status,
 * which another row judges (flaw filter-ignored-and-echoed). One without a status was let through by the
 * status that it lacks (flaw filtered-status-dropped).
 */
export const listedPets = onceEach(({ pages }: World): readonly ListedPet[] => {
  const filters = new Map<string | null, Set<string>>();
  for (const page of pages)
    if (page.status !== undefined)
      for (const { id } of petsOf(page)) filters.set(id, (filters.get(id) ?? new Set()).add(page.status));
  return pages.flatMap((page) =>
    petsOf(page).map((pet) => ({
      exchange: page.exchange,
      pet,
      statusCounts:
        page.status === undefined ||
        ((pet.status === undefined || hasStatus(pet, page.status)) && filters.get(pet.id)?.size === 1),
    })),
  );
});

const hasOrdinaryCategory = ({ categoryId }: PetView): boolean => {
  const category = integerOf(categoryId);
  return category !== null && !isBeyondDouble(category.toString());
};

/**
 * Returns the operations that carry ordinary categories wrong: their wrong large categories are not a matter
 * of digits (flaws fetched-category-shifted, ordinary-categories-lost).
 */
export const wrongInCategories = onceEach(
  (world: World): ReadonlySet<OperationName | null> =>
    new Set([...unlikeTheirCreation(world), ...unlikeTheirFetch(world)].map(({ operation }) => operation)),
);

/** Returns the responses with another ordinary category than the creation. */
const unlikeTheirCreation = (world: World): readonly Exchange[] =>
  addedRightly(world)
    .filter(({ sent }) => !isBeyondDouble(sent.categoryId ?? '0'))
    .flatMap((creation) =>
      [creation, ...appearances(creation, world)].filter(
        (single) =>
          echoes({ name: '', categoryId: '0', ...creation.sent }, single, ['categoryId']).kind === 'violated',
      ),
    )
    .map(({ exchange }) => exchange);

/** Returns the listings with another ordinary category than a fetch. */
const unlikeTheirFetch = (world: World): readonly Exchange[] =>
  world.shown
    .filter(({ exchange }) => exchange.operation === 'getPet')
    .flatMap(({ pets }) => pets.filter(hasOrdinaryCategory))
    .flatMap((pet) => {
      const elsewhere = listedPets(world).filter(
        ({ pet: { id } }) => id !== null && id === pet.id && !world.shared.has(id),
      );
      const difference = differenceFrom({ ...pet, name: undefined }, elsewhere);
      return difference?.member === 'categoryId' ? [difference.listedPet.exchange] : [];
    });

/**
 * Drops a category beyond a double's range, which another row judges, unless listings carry all categories
 * wrong.
 */
export const withoutDigits = (pet: PetView, world: World): PetView =>
  hasOrdinaryCategory(pet) || wrongInCategories(world).has('listPets')
    ? pet
    : { ...pet, categoryId: undefined };

/** Changed name in the response to a creation if it still contains the run's prefix; else null. */
function returnedName({ sent, reading }: Added, { prefix }: World): string | null {
  const name = reading.ok ? reading.value.name : null;
  const isOurs =
    typeof name === 'string' && name !== sent.name && name.toLowerCase().includes(prefix.toLowerCase());
  return isOurs ? name : null;
}

/** Returns the listed animals with a readable id by their names, in lower case. */
const listedByName = onceEach((world: World): ReadonlyMap<string | null, readonly ListedPet[]> =>
  grouped(
    listedPets(world).filter(({ pet }) => pet.id !== null),
    ({ pet: { name } }) => (typeof name === 'string' ? name.toLowerCase() : null),
  ),
);

const isClientError = (status: number | null): boolean => status !== null && status >= 400 && status < 500;

/**
 * Returns how many creations sent each name. A request that the interface leaves open may add an animal with
 * another success than 201 (variant large-bodies-queued).
 */
const sendersOf = onceEach(({ additions, creations, judging }: World): ReadonlyMap<unknown, number> => {
  const added = new Set(additions.map(({ exchange }) => exchange.id));
  const others = creations.filter(
    (one) => one.intent.kind === 'open' && !added.has(one.id) && !isClientError(statusOf(one)),
  );
  const names = [...additions.map(({ sent }) => sent), ...others.map((one) => sentIn(one, judging))];
  return new Map([...grouped(names, ({ name }) => name)].map(([name, all]) => [name, all.length]));
});

/** Returns the creations by the changed name in their responses; null for those without one. */
const returnedUnder = onceEach((world: World): ReadonlyMap<string | null, readonly Added[]> =>
  grouped(world.additions, (creation) => returnedName(creation, world)),
);

/**
 * Returns the listed animals with the name of a creation, as sent or returned. Letter case may differ. A name
 * that several creations sent shows none of them.
 */
function shownByName(creation: Added, world: World): readonly ListedPet[] {
  if ((sendersOf(world).get(creation.sent.name) ?? 0) > 1) return [];
  const returned = returnedName(creation, world);
  const isOfOne = returnedUnder(world).get(returned)?.length === 1;
  const names = [creation.sent.name, isOfOne ? returned : null].flatMap((name) => name?.toLowerCase() ?? []);
  const shown = [...new Set(names)].map((name) => listedByName(world).get(name) ?? []);
  if (shown.length < 2) return shown.flat();
  const found = new Set(shown.flat());
  return listedPets(world).filter((listed) => found.has(listed));
}

const fetchOf = (id: string, { fetches }: World): Exchange | undefined =>
  fetches.findLast(({ request }) => request.path.endsWith(`/pets/${id}`));

/**
 * Returns the fetches that got another id than the requested one only by digits that a double loses, each as
 * a judgement.
 */
export const fetchedIdsKeepDigits = ({ fetches, judging }: World): readonly Judgement[] =>
  fetches.flatMap((exchange) => {
    const [, id] = /\/pets\/(-?\d+)$/.exec(exchange.request.path) ?? [];
    const judgement =
      id === undefined ? null : idKeepsDigits(id, { exchange, reading: readPet(exchange, judging) });
    return judgement?.kind === 'violated' ? [judgement] : [];
  });

/** True if a fetch by the creation's id found the animal; null if no response shows it. */
function isServed(creation: Added, world: World): boolean | null {
  const id = idOf(creation);
  const fetch = id === null ? undefined : fetchOf(id, world);
  const status = fetch ? statusOf(fetch) : null;
  if (!fetch || (status !== 200 && status !== 404)) return null;
  return animalsIn(fetch).some(({ name }) => name === creation.sent.name);
}

/** True if a fetch found an animal by the id of its creation, false if none did, null if none was tried. */
function areServed(world: World): boolean | null {
  const served = world.additions.map((creation) => isServed(creation, world));
  return served.includes(true) || (served.includes(false) ? false : null);
}

/** Compares a created id with listings. All responses together show if such ids are right. */
export function returnedId(creation: Added, world: World): ReturnedId {
  const id = idOf(creation);
  if (id === null) return { kind: 'right' };
  const shown = shownByName(creation, world).map(({ exchange, pet }) => ({ id: pet.id ?? '', exchange }));
  // The id of another animal is no fault of a listing that shows this one under its own.
  const isAnothers = shownBefore(id, creation.exchange, world) !== undefined;
  return returnedIdFault(id, shown, isAnothers ? false : (isServed(creation, world) ?? areServed(world)));
}

/** Is true if a request can find the animal by the id from its creation, as far as known. */
export function isFindable(creation: Added, world: World): boolean {
  const { kind } = returnedId(creation, world);
  return kind === 'right' || kind === 'listing' || kind === 'either' || isServed(creation, world) === true;
}

/**
 * Returns an id that no fetch finds, if ids of listings or creations look rounded to doubles; else null
 * (flaws ids-as-doubles, created-ids-as-doubles-in-empty-store; variant huge-ids).
 */
export function roundedId(world: World): { readonly id: string; readonly exchange: Exchange } | null {
  const listed = listedPets(world).flatMap(({ pet }) => pet.id ?? []);
  const own = addedRightly(world).flatMap((creation) => idOf(creation) ?? []);
  for (const ids of [listed, own].map((all) => new Set(all))) {
    if (!lookRounded(ids)) continue;
    for (const id of ids) {
      const exchange = isBeyondDouble(id) ? fetchOf(id, world) : undefined;
      if (exchange && statusOf(exchange) === 404) return { id, exchange };
    }
  }
  return null;
}

/** Returns the listing with ids that became one by rounding, and such an id; null if there is none. */
export const collidedIn = onceEach((world: World): { readonly id: string; readonly page: Page } | null => {
  for (const page of world.pages) {
    const id = collidedId(page, () => listedPets(world).map(({ pet }) => pet));
    if (id !== null) return { id, page };
  }
  return null;
});

/** Returns the row that explains why a fetch by id may miss an existing animal; null if ids are right. */
export function rowOfWrongIds(world: World): RequirementId | null {
  const kinds = addedRightly(world).map((creation) => returnedId(creation, world).kind);
  const isRounded = roundedId(world) !== null || collidedIn(world) !== null || kinds.includes('digits');
  if (isRounded) return 'pet-int64';
  return kinds.includes('listing') || kinds.includes('either') ? 'list-matches-created' : null;
}

const maySentTwice = ({ exchange }: Single, { creations }: World): boolean =>
  exchange.attempts > 1 || creations.filter(({ probe }) => probe === exchange.probe).length > 1;

const isRefusal = (exchange: Exchange): boolean =>
  exchange.credential.kind === 'valid' && mustBeRefused(exchange);

/** Returns the listed copy of a creation's animal under another id; null if there is none. */
export function twin(creation: Added, world: World): ListedPet | null {
  const id = idOf(creation);
  if (id === null || maySentTwice(creation, world) || returnedId(creation, world).kind !== 'right')
    return null;
  // An animal listed after a creation to be refused may be left by that one (flaw refused-creation-leaves-copy).
  const refusedAt = world.creations.find(isRefusal)?.sentAt ?? Infinity;
  const named = shownByName(creation, world);
  const early = named.filter(({ exchange }) => exchange.sentAt < refusedAt);
  return (early.length > 0 ? early : named).find(({ pet }) => pet.id !== id) ?? null;
}
