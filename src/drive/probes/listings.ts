import { outOfScope, unestablished, type Judgement } from '../../judge/findings/finding.js';
import { askedBy, isFull, type KnownPage } from '../../judge/checks/listing-asked.js';
import { petsOf, type Page } from '../../judge/checks/listing.js';
import { animalsIn, hasStatus, prerequisite } from '../../judge/checks/pets.js';
import {
  addedAt,
  addedIds,
  countAnimals,
  hasNoId,
  isAmong,
  mayHaveAdded,
} from '../../judge/world/animals.js';
import { endOf, fullestPages, isWhole } from '../../judge/world/whole-pages.js';
import { lacksSince, PATIENCE_MS, showsForeign } from '../../judge/world/known-animals.js';
import { matchingThen } from '../../judge/world/matching-animals.js';
import type { Added } from '../../judge/checks/animals.js';
import type { PetStatus } from '../../base/interface/contract.js';
import type { ListingQuery, SentQuery } from '../../base/interface/listing-query.js';
import { now } from '../../wire/exchange/connection.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { eventually, type ProbeContext } from './context.js';
import { declared, fetching, listing, listingIntent } from './specs.js';

/** A small page with a filter, and which of the two it tests. */
export interface SmallPage {
  readonly limit: number;
  readonly tests: readonly ('limit' | 'filter')[];
}

/** A page, and how long it was repeated until it showed what was wanted. */
export interface Listed {
  readonly page: KnownPage;
  readonly waitedMs: number;
}

/** The same, and whether the page shows all that matches. */
export interface FullyListed extends Listed {
  readonly whole: boolean;
}

/** The filter whose listings have the limit before it. */
const LIMIT_FIRST: PetStatus = 'pending';

/** Sets the order of parameters, which is free: one filter follows the limit, the others precede it. */
const inOrder = ({ limit, ...others }: SentQuery): SentQuery => {
  const limited = limit === undefined ? {} : { limit };
  return others.status === LIMIT_FIRST ? { ...limited, ...others } : { ...others, ...limited };
};

/** Half a Free key's minute: as much as the suites may still need. */
const FEW_LEFT = 30;

const hasAll = (known: Page, ids: readonly string[]): boolean =>
  ids.every((id) => petsOf(known).some((pet) => pet.id === id));

export function createListings({ courier, judging, key, page, world, affords, fetches }: ProbeContext) {
  const { pageSize, statuses } = judging.contract;
  const specOf = (query: SentQuery) => listing(inOrder(query), key, listingIntent(query, judging.contract));

  const pageOf = (exchange: Exchange, query: ListingQuery): KnownPage => ({
    ...page(exchange),
    ...askedBy(query, judging.contract),
  });

  /** Newest response to a listing, if it was sent. */
  function recalled(query: ListingQuery): KnownPage | null {
    const exchange = courier.recall(specOf(query).probe);
    return exchange ? pageOf(exchange, query) : null;
  }

  const ALL = { limit: pageSize.max };

  /** Newest listing of the largest size. */
  const census = async (): Promise<KnownPage> => pageOf(await courier.ask(specOf(ALL)), ALL);

  /** First listing of the largest size. Choices from it stay the same, in any order of listing. */
  async function firstCensus(): Promise<KnownPage> {
    const last = await census();
    return fullestPages(world()).find(({ reading }) => reading.ok) ?? last;
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

  /** Lists again in any case. */
  const listedAgain = async (query: ListingQuery): Promise<KnownPage> =>
    pageOf(await courier.askAgain(specOf(query)), query);

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

  /** Lists until a page is full, shows all known animals, or was requested after their time to show. */
  async function patientlyListed(query: ListingQuery, first?: KnownPage): Promise<KnownPage> {
    const known = first ?? (await listedNow(query));
    const since = known.reading.ok && !isFull(known) ? lacksSince(known, world()) : null;
    if (since === null || known.exchange.sentAt >= since + PATIENCE_MS || !affords(1)) return known;
    // A page older than the animal that it lacks could not show it.
    if (known.exchange.sentAt < since) return patientlyListed(query, await listedAgain(query));
    if (now() < since + PATIENCE_MS)
      await courier.pause({
        ms: since + PATIENCE_MS - now(),
        what: 'animals to appear in the listing that lacks them',
      });
    return listedAgain(query);
  }

  /**
   * Fetches the id before the run's first one if no listing showed it: its animal proves that listings end
   * early.
   */
  async function fetchUnlisted(): Promise<void> {
    const [first] = [...addedIds(world())].map(BigInt).toSorted((one, other) => Number(one - other));
    const id = first === undefined || first < 2n ? null : (first - 1n).toString();
    if (id !== null && fetches && affords(FEW_LEFT) && !world().animals.has(id))
      await courier.ask(fetching(id, key, declared(200, 404)));
  }

  /**
   * Lists with a query, and repeats it until it shows these animals. Adds its wait to that of earlier
   * listings.
   */
  async function listedWith(query: ListingQuery, ids: readonly string[], waitedBefore = 0): Promise<Listed> {
    const { value, waitedMs } = await listedSince(query, ids, current(query) ?? showing(query, ids));
    return { page: value, waitedMs: waitedBefore + waitedMs };
  }

  /**
   * Lists all animals, or all of a status, on one page if possible: the default page if it has no fault, else
   * the largest. Waits for `ids`; a page can be whole without them.
   */
  async function fullyListed(status: PetStatus | undefined, ids: readonly string[]): Promise<FullyListed> {
    const mayFit = status !== undefined && countAnimals(world(), status) < pageSize.default;
    const small = mayFit ? await listedWith({ status }, ids) : null;
    const whole = small && showsAllOnDefaultPage(small.page, ids);
    return small && whole !== null ? { ...small, whole } : onLargestPage(status, ids, small?.waitedMs);
  }

  /**
   * Is true if a default page shows all, or no listing would; false if no page shows all; null if the largest
   * may.
   */
  function showsAllOnDefaultPage(page: KnownPage, ids: readonly string[]): boolean | null {
    if (!page.reading.ok) return true;
    if (hasAll(page, ids) && showsForeign(page, world()) && isWhole(page, world())) return true;
    // If the default page is capped, so is the largest.
    return endOf(page, world()) === null ? null : false;
  }

  /** Lists all, or all of a status, on the largest page. */
  async function onLargestPage(
    status: PetStatus | undefined,
    ids: readonly string[],
    waitedBefore = 0,
  ): Promise<FullyListed> {
    const all = await census();
    // If the largest page is refused, repeating it with a filter would charge the fault twice.
    if (statusOf(all.exchange) !== 200) return { page: all, whole: false, waitedMs: waitedBefore };
    const query = status === undefined ? ALL : { status, ...ALL };
    const listed = await listedWith(query, ids, waitedBefore);
    // All wanted animals are shown; others do not matter.
    if (ids.length > 0 && hasAll(listed.page, ids)) return { ...listed, whole: true };
    if (!isFull(listed.page)) await fetchUnlisted();
    const patient = await patientlyListed(query, listed.page);
    return { ...listed, page: patient, whole: isWhole(patient, world()) };
  }

  return {
    census,
    firstCensus,
    listedNow,
    listedAgain,
    listedSettled,
    patientlyListed,
    settled,
    listed: async (query: SentQuery = {}): Promise<Page> => page(await courier.ask(specOf(query))),
    /**
     * Waits until listings show all of the run's additions, with few requests. Animals already listed need
     * none, and those of one status a listing with that filter.
     */
    creationsListed: async (): Promise<void> => {
      const { pages, additions } = world();
      const seen = pages.flatMap(({ exchange }) => animalsIn(exchange));
      const missing = additions.filter((addition) => !isAmong(seen, addition, world()));
      const status = statuses.find((known) => missing.every((addition) => mayHaveAdded(addition, known)));
      if (missing.length === 0) return;
      const all = await census();
      // If the largest page is refused, repeating it with a filter would charge the fault twice.
      const isForAll =
        status === undefined || statusOf(all.exchange) !== 200 || petsOf(all).length >= pageSize.max;
      await listedSettled(isForAll ? ALL : { status, ...ALL });
    },
    /** Explains why a page that is not whole proves nothing about what it lacks. */
    notWhole: async (known: KnownPage): Promise<Judgement> => {
      const { exchange, reading, limit, status } = known;
      if (!reading.ok) return prerequisite(reading.broken, exchange);
      if (isFull(known))
        return outOfScope(
          'store-too-large',
          `the store holds more animals than one listing of ${limit} can show`,
        );
      // A listing with a filter may show what a page below its limit lacks.
      if (endOf(known, world()) === null)
        for (const filter of statuses) if (affords(1)) await listedSettled({ status: filter, ...ALL });
      const end = endOf(await patientlyListed({ limit, ...(status && { status }) }, known), world());
      return end === null
        ? unestablished(
            'prerequisite',
            `“${exchange.probe}” lacks animals that other responses show, so a missing animal proves nothing`,
            [exchange],
          )
        : outOfScope(
            'listings-cut-short',
            `listings end at ${end} animals although there are more (list-page-full), so no listing of this store is complete`,
          );
    },
    fullyListed,
    /** Lists a filter's default page, and if that is full the largest too: it shows leaks better. */
    filtered: async (status: PetStatus): Promise<readonly KnownPage[]> => {
      const first = await listedNow({ status });
      const isEnough = petsOf(first).length < pageSize.default || statusOf((await census()).exchange) !== 200;
      return isEnough ? [first] : [first, await listedNow({ status, ...ALL })];
    },
    /**
     * Returns the fewest small pages that test a filter together with a limit. More animals than the limit
     * must match to test the limit. Others must fit in the page to test the filter. A limit refused by itself
     * is not tried with a filter.
     */
    smallPages: (status: PetStatus): readonly SmallPage[] => {
      const matching = countAnimals(world(), status);
      const largest = recalled(ALL);
      const inOrderOfAll = largest ? petsOf(largest) : [];
      const alone = recalled({ limit: pageSize.min });
      const least = alone && statusOf(alone.exchange) !== 200 ? pageSize.min + 1 : pageSize.min;
      const hasOthers = (limit: number) =>
        inOrderOfAll.slice(0, limit).some((pet) => !hasStatus(pet, status));
      const below = range(Math.max(least, matching > 2 ? 2 : 1), Math.min(matching, pageSize.default) - 1);
      const both = below.find(hasOthers);
      if (both !== undefined) return [{ limit: both, tests: ['limit', 'filter'] }];
      const [first] = below;
      const above = range(Math.max(least, matching + 1), pageSize.default - 1).find(hasOthers);
      return [
        ...(first === undefined ? [] : [{ limit: first, tests: ['limit'] as const }]),
        ...(matching === 0 || above === undefined ? [] : [{ limit: above, tests: ['filter'] as const }]),
      ];
    },
  };
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
