import type { KnownPage } from '../checks/listing-asked.js';
import { lengthOf } from '../checks/listing.js';
import type { PetView } from '../checks/pets.js';
import { knownAnimals, missingIn, showsAll } from './known-animals.js';
import { limitsBeforeFilter } from './limit-before-filter.js';
import { endsOneShort, hasGap, pageCap } from './page-cap.js';
import type { World } from './world.js';

/**
 * Which pages are whole. A page below its limit is, unless the target ends its pages there. Only a whole page
 * shows that an animal is missing.
 */

/** Returns the length at which a page ends below its limit although there is more; null if it does not. */
export function endOf(page: KnownPage, world: World): number | null {
  const length = lengthOf(page);
  if (!page.reading.ok || length >= page.limit) return null;
  const known = knownAnimals(world);
  if (endsOneShort(page, known) || isCutBeforeFilter(page, world)) return length;
  const longest = Math.max(...world.pages.map(lengthOf));
  // Pages without a limit may end earlier for another reason: a default that is too low (flaw default-limit-ten).
  const pages = world.pages.filter((each) => !each.isDefault || lengthOf(each) >= longest);
  // Filtered pages may end earlier than others (variant pages-of-ten-with-filter), and end where others do.
  const [plain, filtered] = [isUnfiltered, isFiltered].map((isAlike) =>
    pageCap(pages.filter(isAlike), known, world.pages),
  );
  if (areUnlike(plain, filtered) && lackOnlyOwn(pages, world)) return null;
  const caps = [plain, page.status === undefined ? null : filtered]
    .flatMap((cap) => cap ?? [])
    .filter((cap) => length >= cap);
  return caps.length > 0 ? Math.min(...caps) : null;
}

/**
 * Is true if listings with and without a filter seem to end at different lengths. That may be two limits, or
 * the numbers of animals that were there, where listings never show a new one (a store of 30 with 10 of each
 * status).
 */
const areUnlike = (plain: number | null | undefined, filtered: number | null | undefined): boolean =>
  typeof plain === 'number' && typeof filtered === 'number' && plain !== filtered;

/** Is true if no page lacks an animal that the run did not create: two limits would rarely be reached exactly. */
const lackOnlyOwn = (pages: readonly KnownPage[], world: World): boolean =>
  pages
    .filter((page) => page.reading.ok && lengthOf(page) < page.limit)
    .every((page) => missingIn(page, knownAnimals(world)).every(({ own }) => own));

/**
 * Is true if a filter was applied to a page that may not hold the whole store: then any animal may be beyond
 * that page.
 */
const isCutBeforeFilter = (page: KnownPage, world: World): boolean =>
  isFiltered(page) &&
  limitsBeforeFilter(world) &&
  !world.pages.some((other) => isUnfiltered(other) && other.limit <= page.limit && isWhole(other, world));

const isUnfiltered = ({ status }: KnownPage): boolean => status === undefined;
const isFiltered = (page: KnownPage): boolean => !isUnfiltered(page);

/** Is true if a page shows all that matches: it is shorter than its limit and than the target's page size. */
export const isWhole = (page: KnownPage, world: World): boolean =>
  page.reading.ok && lengthOf(page) < page.limit && endOf(page, world) === null;

/** Returns the listings of the largest size without a filter, oldest first. */
export const fullestPages = ({ pages, judging }: World): readonly KnownPage[] =>
  pages.filter(({ status, limit }) => status === undefined && limit === judging.contract.pageSize.max);

export const wholePages = (world: World): readonly KnownPage[] =>
  fullestPages(world).filter((page) => isWhole(page, world));

/**
 * Is true if a page would show an animal that matches: it shows all that matches, and so does a listing of
 * the store; or it lacks the animal from its middle. In a store larger than a page, one in another order may
 * be on another page, and so may one that a filter applied to a page leaves out (flaw limit-before-filter).
 */
export const wouldShow = (page: KnownPage, pet: PetView, world: World): boolean =>
  isWhole(page, world) && (wholePages(world).length > 0 || hasGap(page, [{ pet }], world.pages));

/** Is true if a whole page shows every animal that any response showed: others do not exist. */
export const showsEverything = (page: KnownPage, world: World): boolean =>
  isWhole(page, world) &&
  showsAll(
    page,
    [...world.animals.values()].map(({ newest }) => newest),
  );

/**
 * Is true if a page lacks only what a late cache or replica may lack (variants cached-listings,
 * replica-behind).
 */
export const mayBeBehind = (page: KnownPage, world: World): boolean =>
  lengthOf(page) < page.limit && missingIn(page, knownAnimals(world)).length === 0;
