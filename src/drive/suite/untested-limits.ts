import { petsOf } from '../../judge/checks/listing.js';
import type { PetStatus } from '../../base/interface/contract.js';
import { countAnimals } from '../../judge/world/animals.js';
import type { Probes } from '../probes/probes.js';
import { listed } from '../../base/kernel/format.js';

/**
 * Requests with the key that the suite of listings still needs from list-limit-default on. They are the plain
 * listing, pages of 1, 20 and 100, each filter, its small pages, and pages of 100 for some filters. The open
 * rows come last, and are left out first.
 */
export const STILL_TO_COME = 12;

/** Limits between the bounds and the default, near them and far from them, of one digit and of two. */
export const OTHER_LIMITS: readonly number[] = [3, 10, 19, 21, 50, 99];

/** Explains why the store does not get more animals than the limit. */
export const tooDear = (probes: Probes, limit: number): string => {
  const excess = `more than ${limit} would take more than ${probes.most} requests with this key`;
  return `the store holds ${countAnimals(probes.world())}, and ${excess}`;
};

/** Lists limits not tested with more animals than they allow. */
export const beyond = (limits: readonly number[], probes: Probes): string => {
  const known = countAnimals(probes.world());
  const few = limits.filter((limit) => limit >= known).toSorted((one, other) => one - other);
  const dear = limits.filter((limit) => limit < known).toSorted((one, other) => one - other);
  return [
    ...(few.length > 0
      ? [`limit=${listed(few.map(String))} against more animals than that (${known} known)`]
      : []),
    ...(dear.length > 0
      ? [`limit=${listed(dear.map(String))} (it would take more than ${probes.most} requests with this key)`]
      : []),
  ].join(', ');
};

export const beyondWithFilter = (limit: number, statuses: readonly PetStatus[]): string =>
  `limit=${limit} with the filter ${listed(statuses)}, against more than ${limit} animals`;

/** True if a page with that limit was full, with the filter or without. */
export const isSeenFull = (probes: Probes, limit: number, status?: PetStatus): boolean =>
  probes
    .world()
    .pages.some(
      (known) =>
        !known.isDefault && known.limit === limit && known.status === status && petsOf(known).length >= limit,
    );
