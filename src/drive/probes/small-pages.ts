import type { KnownPage } from '../../judge/checks/listing-asked.js';
import { petsOf } from '../../judge/checks/listing.js';
import { hasStatus } from '../../judge/checks/pets.js';
import { countAnimals } from '../../judge/world/animals.js';
import type { World } from '../../judge/world/world.js';
import type { Contract, PetStatus } from '../../base/interface/contract.js';
import { statusOf } from '../../wire/exchange/headers.js';

export interface SmallPage {
  readonly limit: number;
  readonly tests: readonly ('limit' | 'filter')[];
}

/**
 * Returns the fewest small pages that test a filter together with a limit. More animals than the limit must
 * match to test the limit. Others must fit in the page to test the filter. A limit refused by itself is not
 * tried with a filter. One filter does not begin with the smallest limit, which servers may treat apart.
 *
 * @param pages newest listings of the largest and the smallest size, if they were sent; and whether the
 *   filter is the first
 */
export function smallPages(
  status: PetStatus,
  world: World,
  pageSize: Contract['pageSize'],
  {
    largest,
    smallest,
    isFirst,
  }: Readonly<Record<'largest' | 'smallest', KnownPage | null>> & { readonly isFirst: boolean },
): readonly SmallPage[] {
  const matching = countAnimals(world, status);
  const inOrderOfAll = largest ? petsOf(largest) : [];
  const least = smallest && statusOf(smallest.exchange) !== 200 ? pageSize.min + 1 : pageSize.min;
  const hasOthers = (limit: number) => inOrderOfAll.slice(0, limit).some((pet) => !hasStatus(pet, status));
  const below = range(
    Math.max(least, isFirst && matching > 2 ? 2 : 1),
    Math.min(matching, pageSize.default) - 1,
  );
  const both = below.find(hasOthers);
  if (both !== undefined) return [{ limit: both, tests: ['limit', 'filter'] }];
  const [first] = below;
  const above = range(Math.max(least, matching + 1), pageSize.default - 1).find(hasOthers);
  return [
    ...(first === undefined ? [] : [{ limit: first, tests: ['limit'] as const }]),
    ...(matching === 0 || above === undefined ? [] : [{ limit: above, tests: ['filter'] as const }]),
  ];
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
