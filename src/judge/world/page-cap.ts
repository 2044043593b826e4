import type { KnownPage } from '../checks/listing-asked.js';
import { lengthOf, petsOf, type Page } from '../checks/listing.js';
import { missingIn, type KnownAnimal } from './known-animals.js';

/** The length at which a target ends its pages, whatever the limit in the request. */

/**
 * True for a multiple of 10 or 25, at which servers usually end pages. Other lengths come from the number of
 * animals.
 */
const isUsual = (length: number): boolean => length > 0 && (length % 10 === 0 || length % 25 === 0);

interface ShortPage {
  readonly page: KnownPage;
  readonly lacks: readonly KnownAnimal[];
}

/**
 * Returns the length at which a target ends its pages, if below the requested limit (which breaks no must);
 * null if no page shows it. The proof is an incomplete page, with none longer. Its length is usual (variant
 * pages-of-twenty), or the listing reached it before and after the run's additions and lacks other animals
 * too (variant pages-of-thirty-three; not cached-listings). A shorter incomplete page has another fault (flaw
 * filter-misses-first), and so has one with a gap.
 *
 * @param pages all with a filter, or all without one
 * @param all pages that show the target's order
 */
export function pageCap(
  pages: readonly KnownPage[],
  known: readonly KnownAnimal[],
  all: readonly KnownPage[] = pages,
): number | null {
  const read = pages.filter(({ reading }) => reading.ok);
  const longest = Math.max(0, ...read.map(lengthOf));
  const incomplete = read.flatMap((page): readonly ShortPage[] => {
    const lacks = lengthOf(page) < page.limit && !isOneShort(page) ? missingIn(page, known) : [];
    return lacks.length > 0 ? [{ page, lacks }] : [];
  });
  if (incomplete.some(({ page }) => lengthOf(page) < longest)) return null;
  const isProof = ({ page, lacks }: ShortPage): boolean =>
    isUsual(longest) ||
    (page.status === undefined &&
      lacks.some(({ own }) => !own) &&
      isReachedBeforeAdditions(longest, read, known));
  const isCapped = incomplete.some((short) => isProof(short) && !hasGap(short.page, short.lacks, all));
  return isCapped ? longest : null;
}

function isReachedBeforeAdditions(
  length: number,
  pages: readonly KnownPage[],
  known: readonly KnownAnimal[],
): boolean {
  const firstOwn = Math.min(...known.filter(({ own }) => own).map(({ since }) => since), Infinity);
  return pages.some(
    (page) => page.limit > length && lengthOf(page) === length && page.exchange.sentAt < firstOwn,
  );
}

/** Fewest animals whose order on two pages is the target's own and no chance: there are 40,320 orders of 8. */
const TELLING_ORDER = 8;

const orderOf = (page: Page): readonly (string | null)[] => petsOf(page).map(({ id }) => id);

/**
 * Is true if a page lacks an animal from its middle: another page has the same animals in the same order, and
 * a missing one before the last of them. A page that ends early lacks only what would follow.
 */
export function hasGap(
  page: KnownPage,
  lacks: readonly Pick<KnownAnimal, 'pet'>[],
  all: readonly KnownPage[],
): boolean {
  const ids = orderOf(page);
  const missing = new Set(lacks.map(({ pet }) => pet.id));
  return all.some((other) => {
    const others = orderOf(other);
    const shown = new Set(others);
    const common = ids.filter((id) => shown.has(id));
    const onPage = new Set(common);
    const isSameOrder = others.filter((id) => onPage.has(id)).join() === common.join();
    const end = others.indexOf(common.at(-1) ?? null);
    return (
      common.length >= TELLING_ORDER && isSameOrder && others.slice(0, end).some((id) => missing.has(id))
    );
  });
}

const isOneShort = (page: KnownPage): boolean => lengthOf(page) === page.limit - 1;

/**
 * Is true if a page ends one short of its limit although there is more: an off-by-one error (flaw
 * limit-one-too-few).
 */
export const endsOneShort = (page: KnownPage, known: readonly KnownAnimal[]): boolean =>
  page.reading.ok && isOneShort(page) && missingIn(page, known).length > 0;
