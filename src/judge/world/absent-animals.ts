import { answeredAt, statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { isFull, matches, type KnownPage } from '../checks/listing-asked.js';
import { idsOn } from '../checks/listing.js';
import { animalsIn, type PetView } from '../checks/pets.js';
import { listedAs, ownAnimal, ownAnimals, resident, steadyIds } from './animals.js';
import { knownAnimals, missingIn, PATIENCE_MS } from './known-animals.js';
import { isWhole, wholePages } from './whole-pages.js';
import type { World } from './world.js';

/** What follows from an animal that a listing lacks: it is late, others removed it, or the listing drops it. */

/**
 * Returns a listing that lacked an animal of the run for too long; undefined if there is none. It was
 * requested more than the patience after the creation. A later one, of any kind, shows the animal, so nobody
 * had removed it, or none ever did (flaw newest-missing-from-largest-page). Only the largest pages count, and
 * only where one shows the whole store: others may be short for another reason (flaws default-limit-ten,
 * limit-before-filter).
 */
export function lateFor(id: string, creation: Exchange, world: World): KnownPage | undefined {
  if (wholePages(world).length === 0) return undefined;
  const since = answeredAt(creation) + PATIENCE_MS;
  const shows = (page: KnownPage): boolean => idsOn(page).has(id);
  const until = world.pages.findLast(shows)?.exchange.sentAt ?? Infinity;
  const created = animalsIn(creation).find((pet) => pet.id === id);
  const views = [created, listedAs(id, world) ?? created];
  const isSteady = steadyIds(world).has(id);
  return world.pages.find(
    (page) =>
      (page.status === undefined || isSteady) &&
      page.limit === world.judging.contract.pageSize.max &&
      page.exchange.sentAt >= since &&
      page.exchange.sentAt < until &&
      views.every((view) => view === undefined || matches(view, page)) &&
      !shows(page) &&
      isWhole(page, world),
  );
}

/** Returns the newest listing with room that showed an animal; undefined if none did. */
export const newestShowing = (id: string, { pages }: Pick<World, 'pages'>): KnownPage | undefined =>
  pages.findLast((page) => !isFull(page) && idsOn(page).has(id));

/**
 * Is true if an animal of the run was removed: since the newest response that showed it, a fetch does not
 * find it, and a listing with room lacks it that showed it before. Another listing may hide it. Whether
 * others removed it or the service lost it, no response shows.
 */
export function isOwnRemoved(id: string, world: World): boolean {
  if (ownAnimal(id, world) === null) return false;
  const newest =
    world.shown.findLast(({ exchange }) => animalsIn(exchange).some((pet) => pet.id === id))?.exchange
      .sentAt ?? Infinity;
  const isSince = (exchange: Exchange): boolean => exchange.sentAt > newest;
  const before = new Set(
    world.pages.flatMap((page) => (idsOn(page).has(id) ? [page.exchange.request.path] : [])),
  );
  return (
    world.fetches.some(
      (fetch) => isSince(fetch) && statusOf(fetch) === 404 && fetch.request.path.endsWith(`/pets/${id}`),
    ) &&
    world.pages.some(
      (page) =>
        isSince(page.exchange) &&
        before.has(page.exchange.request.path) &&
        ownLackedBy(page, world).includes(id),
    )
  );
}

/**
 * Is true if others removed an animal: a listing lacks it though the same one showed it before, and no
 * response shows it since (variant first-removed-before-fetch). The listing has room, or still shows those
 * that followed it.
 */
export function isRemoved(id: string, world: World): boolean {
  const shows = ({ exchange }: Pick<KnownPage, 'exchange'>): boolean =>
    animalsIn(exchange).some((pet) => pet.id === id);
  if (resident(id, world) === null) return false;
  const newest = world.shown.findLast(shows)?.exchange.sentAt ?? Infinity;
  return world.pages.some(
    (page) =>
      page.exchange.sentAt > newest &&
      page.reading.ok &&
      world.pages.some(
        (earlier) =>
          earlier.exchange.probe === page.exchange.probe &&
          shows(earlier) &&
          (!isFull(page) || continues(page, earlier, id)),
      ),
  );
}

/** Is true if a page shows what followed an animal on an earlier one, in the same order. */
function continues(page: KnownPage, earlier: KnownPage, id: string): boolean {
  const [now, before] = [page, earlier].map((each) => [...idsOn(each)]);
  const following = before?.slice(before.indexOf(id) + 1).filter((other) => now?.includes(other)) ?? [];
  const same = now?.filter((other) => following.includes(other)) ?? [];
  return following.length > 0 && following.join() === same.join();
}

/** Returns the animals of others that a whole page lacks although earlier listings showed them. */
export function lackedBy(page: KnownPage, world: World): readonly PetView[] {
  if (!isWhole(page, world)) return [];
  const earlier = world.pages.filter(({ exchange }) => exchange.sentAt < page.exchange.sentAt);
  const before = new Set(earlier.flatMap(({ exchange }) => animalsIn(exchange)).map(({ id }) => id));
  return missingIn(page, knownAnimals(world)).flatMap(({ pet, own }) =>
    own || !before.has(pet.id) ? [] : [pet],
  );
}

/**
 * Returns the ids of the run's animals that a page with room lacks although it was requested after their
 * creation.
 */
export function ownLackedBy(page: KnownPage, world: World): readonly string[] {
  if (isFull(page)) return [];
  const shown = idsOn(page);
  return ownAnimals(world).flatMap(([id, { exchange: creation, reading }]) => {
    const isDue =
      answeredAt(creation) < page.exchange.sentAt &&
      ownAnimal(id, world) !== null &&
      reading.ok &&
      matches(reading.value, page);
    return isDue && !shown.has(id) ? [id] : [];
  });
}
