import { onceEach } from '../../base/kernel/once-each.js';
import type { PetStatus } from '../../base/interface/contract.js';
import { idsOn, lengthOf } from '../checks/listing.js';
import { knownAnimals, missingIn } from './known-animals.js';
import type { World } from './world.js';

/**
 * Missing animals of others that prove it: another client may have changed one between two listings, but
 * hardly two.
 */
const TELLING = 2;

/**
 * Is true if the target applies a limit before the filter: a filtered page has room for two animals of others
 * or more that are there later, although other pages of this filter show enough to fill it. A filter that
 * loses certain animals shows them on no page (flaw filter-misses-first). A default that is too low ends all
 * pages at one length, so a page without a limit counts only where another one is longer.
 */
export const limitsBeforeFilter = onceEach((world: World): boolean => {
  const known = knownAnimals(world);
  const filtered = world.pages.filter(({ status }) => status !== undefined);
  const longestDefault = Math.max(0, ...filtered.filter(({ isDefault }) => isDefault).map(lengthOf));
  const under = new Map<PetStatus | undefined, Set<string | null>>();
  for (const { status, ...page } of filtered)
    under.set(status, new Set([...(under.get(status) ?? []), ...idsOn(page)]));
  const later = new Set<string | null>();
  return world.pages.toReversed().some((page) => {
    const { status, limit, isDefault, reading } = page;
    const length = lengthOf(page);
    const isShort =
      status !== undefined &&
      reading.ok &&
      length + TELLING <= limit &&
      !(isDefault && length === longestDefault);
    const missing = isShort
      ? missingIn(page, known).filter(({ own, pet: { id } }) => own || under.get(status)?.has(id))
      : [];
    const there = missing.filter(({ own, pet: { id } }) => !own && later.has(id));
    for (const id of idsOn(page)) later.add(id);
    return there.length >= TELLING && length + missing.length >= limit;
  });
});
