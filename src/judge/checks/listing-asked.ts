import { type PetView, hasStatus, readPets } from './pets.js';
import { type Page, lengthOf } from './listing.js';
import type { Contract } from '../../base/interface/contract.js';
import type { Judging } from './layers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { type ListingQuery, readListingQuery, queryOf } from '../../base/interface/listing-query.js';

/** Query of a valid listing request, with the limit that holds. */
export interface ListingAsked extends ListingQuery {
  readonly limit: number;
  /** True if the request has no limit. */
  readonly isDefault: boolean;
}

/** Returns the query of a listing request; null for other requests, and if the interface leaves it open. */
export function listingAsked({ operation, request }: Exchange, { contract }: Judging): ListingAsked | null {
  if (operation !== 'listPets') return null;
  const query = new URL(request.path, 'http://target').searchParams;
  const reading = readListingQuery(query, contract.listing);
  return reading.kind === 'within' ? askedBy(reading.query, contract) : null;
}

export const askedBy = (query: ListingQuery, { pageSize }: Pick<Contract, 'pageSize'>): ListingAsked => ({
  ...queryOf(query),
  limit: query.limit ?? pageSize.default,
  isDefault: query.limit === undefined,
});

export type KnownPage = Page & ListingAsked;

export const isFull = (page: KnownPage): boolean => page.reading.ok && lengthOf(page) >= page.limit;

export const matches = (pet: PetView, { status }: Pick<ListingAsked, 'status'>): boolean =>
  status === undefined || hasStatus(pet, status);

/** Returns the response to a valid listing request as a page; null for another request. */
export function knownPage(exchange: Exchange, judging: Judging): KnownPage | null {
  const asked = listingAsked(exchange, judging);
  return asked && { exchange, reading: readPets(exchange, judging), ...asked };
}
