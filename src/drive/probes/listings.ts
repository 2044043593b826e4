import { askedBy, isFull, type KnownPage } from '../../judge/checks/listing-asked.js';
import { petsOf, type Page } from '../../judge/checks/listing.js';
import { addedAt, addedIds, hasNoId, isAmong, mayHaveAdded } from '../../judge/world/animals.js';
import { endOf, fullestPages } from '../../judge/world/whole-pages.js';
import { PATIENCE_MS } from '../../judge/world/known-animals.js';
import { matchingThen } from '../../judge/world/matching-animals.js';
import type { Added } from '../../judge/checks/animals.js';
import type { PetStatus } from '../../base/interface/contract.js';
import type { ListingQuery, SentQuery } from '../../base/interface/listing-query.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { eventually, type ProbeContext } from './context.js';
import { listing, listingIntent } from './specs.js';

/** A page, and how long it was repeated until it showed what was wanted. */
export interface Listed {
  readonly page: KnownPage;
  readonly waitedMs: number;
}

/** The filter whose listings have the limit before it. */
const LIMIT_FIRST: PetStatus = 'pending';

/** Sets the order of parameters, which is free: one filter follows the limit, the others precede it. */
const inOrder = ({ limit, ...others }: SentQuery): SentQuery => {
  const limited = limit === undefined ? {} : { limit };
  return others.status === LIMIT_FIRST ? { ...limited, ...others } : { ...others, ...limited };
};

/** Half a Free key's minute: as much as the suites may still need. */
export const FEW_LEFT = 30;

export const hasAll = (known: Page, ids: readonly string[]): boolean =>
  ids.every((id) => petsOf(known).some((pet) => pet.id === id));

export function createListings({ courier, judging, key, page, world, affords }: ProbeContext) {
  const { pageSize } = judging.contract;

  const specOf = (query: SentQuery) => listing(inOrder(query), key, listingIntent(query, judging.contract));

  const pageOf = (exchange: Exchange, query: ListingQuery): KnownPage => ({
    ...page(exchange),
    ...askedBy(query, judging.contract),
  });

  function recalled(query: ListingQuery): KnownPage | null {
    const exchange = courier.recall(specOf(query).probe);
    return exchange ? pageOf(exchange, query) : null;
  }

  const ALL = { limit: pageSize.max };
  /** Built once: whatever creates or fetches an animal asks for it. */
  const ofAll = specOf(ALL);

  /** Newest listing of the largest size. */
  const census = async (): Promise<KnownPage> => pageOf(await courier.ask(ofAll), ALL);

  /** First listing of the largest size. Choices from it stay the same, in any order of listing. */
  async function firstCensus(): Promise<KnownPage> {
    const last = await courier.ask(ofAll);
    return fullestPages(world()).find(({ reading }) => reading.ok) ?? pageOf(last, ALL);
  }

  /**
   * Returns the newest response to a listing if a new one would not differ. This needs no addition since, or
   * a full page of a store known to be larger, because animals are never removed. A page that a store just
   * fills does not show the effect of one more animal.
   */
  function current(query: ListingQuery): KnownPage | null {
    const known = recalled(query);
    const lastWrite = world().creations.at(-1);
    if (!known || !lastWrite || known.exchange.sentAt > lastWrite.sentAt) return known;
    return isFull(known) && matchingThen(known, world()) > known.limit ? known : null;
  }

  const listedAgain = async (query: ListingQuery): Promise<KnownPage> =>
    pageOf(await courier.askAgain(specOf(query)), query);

  /** Lists on a connection of its own: an earlier request may have left something on the usual one. */
  const listedAlone = async (query: ListingQuery): Promise<KnownPage> =>
    pageOf(await courier.askAgain(specOf(query), { fresh: true }), query);

  /** Lists directly after another listing, on its connection. */
  async function listedAfter(before: ListingQuery, query: ListingQuery): Promise<KnownPage> {
    const after = (await listedAgain(before)).exchange.request.path;
    return pageOf(await courier.askAgain({ ...specOf(query), after }), query);
  }

  /** Lists anew if the last response may have changed. */
  const listedNow = async (query: ListingQuery): Promise<KnownPage> => current(query) ?? listedAgain(query);

  /** Newest response to a listing if it shows the given animals. Later additions do not matter. */
  function showing(query: ListingQuery, ids: readonly string[]): KnownPage | null {
    const known = recalled(query);
    return known && hasAll(known, ids) ? known : null;
  }

  /** Lists, and repeats it until it shows recent additions: by id, or by name only. */
  function listedSince(
    query: ListingQuery,
    ids: readonly string[],
    first = current(query),
    named: readonly Added[] = [],
  ): Promise<{ readonly value: KnownPage; readonly waitedMs: number }> {
    // A full or capped page, or one with unreadable ids, may never show an animal.
    const isSettled = (known: KnownPage) =>
      !known.reading.ok ||
      isFull(known) ||
      endOf(known, world()) !== null ||
      petsOf(known).some(({ id }) => id === null) ||
      (hasAll(known, ids) && named.every((addition) => isAmong(petsOf(known), addition, world())));
    return eventually({
      first,
      read: () => listedAgain(query),
      isThere: isSettled,
      since: addedAt(world(), ids, named),
      // With few requests left, repetitions are rarer.
      ...(!affords(FEW_LEFT) && { firstWaitMs: PATIENCE_MS / 2 }),
    });
  }

  /** Lists until all of the run's additions show: before that two listings may differ. */
  const settled = (): Promise<KnownPage> => listedSettled(ALL);

  /** Lists until the page is full or shows the run's additions that match: each query may have its own cache. */
  async function listedSettled(query: ListingQuery): Promise<KnownPage> {
    const { status } = query;
    const named = world().additions.filter(
      (addition) => hasNoId(addition) && (status === undefined || mayHaveAdded(addition, status)),
    );
    return (await listedSince(query, [...addedIds(world(), status)], current(query), named)).value;
  }

  /**
   * Lists with a query, and repeats it until it shows these animals. Adds its wait to that of earlier
   * listings.
   */
  async function listedWith(query: ListingQuery, ids: readonly string[], waitedBefore = 0): Promise<Listed> {
    const { value, waitedMs } = await listedSince(query, ids, current(query) ?? showing(query, ids));
    return { page: value, waitedMs: waitedBefore + waitedMs };
  }

  return {
    recalled,
    listedWith,
    census,
    firstCensus,
    listedNow,
    listedAgain,
    listedAlone,
    listedAfter,
    listedSettled,
    settled,
    listed: async (query: SentQuery = {}): Promise<Page> => page(await courier.ask(specOf(query))),
  };
}
