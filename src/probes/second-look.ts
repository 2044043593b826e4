import { petsOf } from '../checks/listing.js';
import type { Look, ListedPet } from '../checks/matching.js';
import type { createFetches } from './fetches.js';
import type { createListings } from './listings.js';
import type { createListingHistory } from './listing-history.js';

/** A status may be changed by others between two answers: the probe that asks for both again. */
export function createSecondLook(
  { pagesSoFar }: Pick<ReturnType<typeof createListingHistory>, 'pagesSoFar'>,
  { listedAgain }: Pick<ReturnType<typeof createListings>, 'listedAgain'>,
  { fetchedAgain }: Pick<ReturnType<typeof createFetches>, 'fetchedAgain'>,
) {
  /** One animal, fetched and listed anew, one right after the other. */
  async function lookAgain(id: string, { exchange }: ListedPet): Promise<Look> {
    const known = pagesSoFar().find(({ page }) => page.exchange.id === exchange.id);
    const { limit, isDefault, status } = known ?? { limit: 0, isDefault: true };
    const page = await listedAgain({ ...(!isDefault && { limit }), ...(status !== undefined && { status }) });
    const { exchange: fetch, reading } = await fetchedAgain(id);
    return {
      fetch,
      fetched: reading.ok && reading.value.id === id ? reading.value : null,
      listing: page.exchange,
      listed: petsOf(page).find((pet) => pet.id === id) ?? null,
      ...(status !== undefined && { filter: status }),
    };
  }

  /** Of some listed animals the one that a second look will likeliest show again: on the largest page, without a filter. */
  function likeliestAgain(listedPets: readonly ListedPet[]): ListedPet | undefined {
    const sizes = new Map(
      pagesSoFar().map(({ page, limit, status }) => [page.exchange.id, limit + (status === undefined ? 0.5 : 0)]),
    );
    const sizeOf = ({ exchange }: ListedPet): number => sizes.get(exchange.id) ?? 0;
    return listedPets.toSorted((one, other) => sizeOf(other) - sizeOf(one))[0];
  }

  return { lookAgain, likeliestAgain };
}
