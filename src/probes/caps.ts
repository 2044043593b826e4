import { petsOf } from '../checks/listing.js';
import { hasStatus, type PetView } from '../checks/pets.js';
import type { KnownPage } from './store.js';

/** An animal that the target is known to have. */
export interface Acquaintance {
  readonly pet: PetView;
  /** When it was added by the run or first shown by a listing, Unix ms; -Infinity for those of the run's first listing. */
  readonly since: number;
  /** Whether the run added it. */
  readonly own: boolean;
  /** Whether listings have shown it with several statuses, though the run did not add it: others change it. */
  readonly changes: boolean;
}

/**
 * What a page lacks that it should show, as far as it was asked for long enough after that was there or was seen: a cache
 * or a replica may be behind for a while.
 */
export const missingIn = (
  { page, status }: KnownPage,
  known: readonly Acquaintance[],
  graceMs: number,
): readonly Acquaintance[] => {
  const shown = new Set(petsOf(page).map(({ id }) => id));
  return known.filter(
    ({ pet, since, changes }) =>
      since + graceMs <= page.exchange.sentAt &&
      !shown.has(pet.id) &&
      (status === undefined || (hasStatus(pet, status) && !changes)),
  );
};

const lengthOf = ({ page }: KnownPage): number => petsOf(page).length;

/** Servers end their pages at whole tens and at quarters of a hundred; a page of any other length has it from its animals. */
const isUsual = (length: number): boolean => length > 0 && (length % 10 === 0 || length % 25 === 0);

/**
 * The number of animals at which a target ends its pages, where that is below the limit asked for (which breaks no must);
 * null where no page gives that away. One does that lacks what it should show, while none is longer: at a usual length, or
 * at any at which the listing stood before and after the run added to the store, if others than those are missing too. A
 * shorter one that lacks something has another fault.
 * @param pages all with a filter, or all without one
 */
export function pageCap(pages: readonly KnownPage[], known: readonly Acquaintance[], graceMs: number): number | null {
  const read = pages.filter(({ page }) => page.reading.ok);
  const longest = Math.max(0, ...read.map(lengthOf));
  const incomplete = read.flatMap((page) => {
    const lacks = lengthOf(page) < page.limit && !isOneShort(page) ? missingIn(page, known, graceMs) : [];
    return lacks.length > 0 ? [{ page, lacks }] : [];
  });
  if (incomplete.some(({ page }) => lengthOf(page) < longest)) return null;
  const firstOwn = Math.min(...known.filter(({ own }) => own).map(({ since }) => since), Infinity);
  const stood = ({ status }: KnownPage): boolean =>
    status === undefined &&
    read.some((other) => other.limit > longest && lengthOf(other) === longest && other.page.exchange.sentAt < firstOwn);
  const isCapped = incomplete.some(
    ({ page, lacks }) => isUsual(longest) || (stood(page) && lacks.some(({ own }) => !own)),
  );
  return isCapped ? longest : null;
}

const isOneShort = (page: KnownPage): boolean => lengthOf(page) === page.limit - 1;

/** Whether a page ends one short of its limit although there is more: an index that is off by one. */
export const endsOneShort = (page: KnownPage, known: readonly Acquaintance[], graceMs: number): boolean =>
  page.page.reading.ok && isOneShort(page) && missingIn(page, known, graceMs).length > 0;
