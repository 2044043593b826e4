import { outOfScope, unestablished, type Judgement } from '../findings/finding.js';
import { petsOf, type Page } from '../checks/listing.js';
import { hasStatus, prerequisite } from '../checks/pets.js';
import type { PetStatus } from '../contract/contract.js';
import { now } from '../exchange/connection.js';
import { statusOf } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import { eventually, PATIENCE_MS, type ProbeContext } from './context.js';
import { declared, fetching, listing, listingIntent, type ListingQuery } from './specs.js';
import type { createListingHistory } from './listing-history.js';
import { animalsIn, countAnimals, showsAll, isAmong, isUntold, mayHaveAdded, type KnownPage } from './store.js';

/** A listing within the interface; without a limit it has the default one. */
export interface KnownQuery {
  readonly limit?: number;
  readonly status?: PetStatus;
}

/** A small page with a filter, and which of the two it tests. */
export interface SmallPage {
  readonly limit: number;
  readonly tells: readonly ('limit' | 'filter')[];
}

/** The filter whose listings have the limit before it. */
const LIMIT_FIRST: PetStatus = 'pending';

/** Sets the order of parameters, which is free: one filter follows the limit, the others precede it. */
const inOrder = ({ limit, status }: ListingQuery): ListingQuery => ({
  ...(status !== undefined && status !== LIMIT_FIRST && { status }),
  ...(limit !== undefined && { limit }),
  ...(status === LIMIT_FIRST && { status }),
});

/** Half a Free key's minute: as much as the suites may still need. */
const FEW_LEFT = 30;

/** Creates the probes of the listing. */
export function createListings(
  { courier, judging, key, prefix, page, store, creations, acceptedCreations, addedAt, affords, fetches }: ProbeContext,
  {
    addedIds,
    listingsSoFar,
    pagesSoFar,
    matchingThen,
    foreign,
    endOf,
    whole,
    lacksSince,
  }: ReturnType<typeof createListingHistory>,
) {
  const { pageSize, statuses } = judging.contract;
  const specOf = (query: ListingQuery) => listing(inOrder(query), key, listingIntent(query, judging.contract));

  const listed = async (query: ListingQuery = {}): Promise<Page> => page(await courier.ask(specOf(query)));

  /** Newest listing of the largest size. */
  const census = (): Promise<Page> => listed({ limit: pageSize.max });

  /** First listing of the largest size. Choices from it stay the same, in any order of listing. */
  async function firstCensus(): Promise<Page> {
    const last = await census();
    const asked = courier.exchanges().filter(({ probe }) => probe === last.exchange.probe);
    return asked.map(page).find(({ reading }) => reading.ok) ?? last;
  }

  /**
   * Returns the newest response to a listing if a new one would not differ. This needs no addition since, or a full page of a
   * store known to be larger, because animals are never removed. A page that a store just fills does not show the effect of one
   * more animal.
   */
  function current(query: KnownQuery): Page | null {
    const known = courier.recall(specOf(query).probe);
    if (!known) return null;
    const lastWrite = creations().at(-1);
    const candidate = page(known);
    if (!lastWrite || known.sentAt > lastWrite.sentAt) return candidate;
    return isFull(candidate, query) && matchingThen(knownPage(candidate, query)) > limitOf(query) ? candidate : null;
  }

  const limitOf = ({ limit = pageSize.default }: KnownQuery): number => limit;

  const knownPage = (candidate: Page, query: KnownQuery): KnownPage => ({
    page: candidate,
    limit: limitOf(query),
    ...(query.status !== undefined && { status: query.status }),
  });

  const isFull = ({ reading }: Page, query: KnownQuery): boolean =>
    reading.ok && reading.value.length >= limitOf(query);

  /** Lists anew if the last response may have changed. */
  const listedNow = async (query: KnownQuery): Promise<Page> =>
    current(query) ?? page(await courier.askAgain(specOf(query)));

  /** Lists again in any case. */
  const listedAgain = async (query: KnownQuery): Promise<Page> => page(await courier.askAgain(specOf(query)));

  /** Newest response to a listing if it shows the given animals. Later additions do not matter. */
  function showing(query: KnownQuery, ids: readonly string[]): Page | null {
    const known = courier.recall(specOf(query).probe);
    const candidate = known ? page(known) : null;
    return candidate && ids.every((id) => petsOf(candidate).some((pet) => pet.id === id)) ? candidate : null;
  }

  /** Lists, and repeats it until it shows recent additions: by id, or by name only. */
  function listedSince(
    query: KnownQuery,
    ids: readonly string[],
    first = current(query),
    named: readonly Exchange[] = [],
  ): Promise<{ readonly value: Page; readonly waitedMs: number }> {
    // A full or capped page, or one with unreadable ids, may never show an animal.
    const isSettled = (candidate: Page) =>
      !candidate.reading.ok ||
      isFull(candidate, query) ||
      endOf(knownPage(candidate, query)) !== null ||
      petsOf(candidate).some(({ id }) => id === null) ||
      (ids.every((id) => petsOf(candidate).some((pet) => pet.id === id)) &&
        named.every((addition) => isAmong(petsOf(candidate), addition, prefix)));
    return eventually({
      first,
      read: async () => page(await courier.askAgain(specOf(query))),
      isThere: isSettled,
      since: addedAt(ids, named),
      // With few requests left, repetitions are rarer.
      ...(!affords(FEW_LEFT) && { firstWaitMs: PATIENCE_MS / 2 }),
    });
  }

  /** Lists until all of the run's additions show: before that two listings may differ. */
  const settled = (): Promise<Page> => listedSettled({ limit: pageSize.max });

  /**
   * Waits until listings show all of the run's additions, with few requests. Animals already listed need none, and those of one
   * status a listing with that filter.
   */
  async function creationsListed(): Promise<void> {
    const seen = listingsSoFar().flatMap(animalsIn);
    const missing = acceptedCreations().filter((addition) => !isAmong(seen, addition, prefix));
    const status = statuses.find((known) => missing.every((addition) => mayHaveAdded(addition, known)));
    if (missing.length === 0) return;
    const all = await census();
    // If the largest page is refused, repeating it with a filter would charge the fault twice.
    if (status === undefined || statusOf(all.exchange) !== 200 || petsOf(all).length >= pageSize.max) await settled();
    else await listedSettled({ status, limit: pageSize.max });
  }

  /** Lists until the page is full or shows the run's additions that match: each query may have its own cache. */
  async function listedSettled(query: KnownQuery): Promise<Page> {
    const { status } = query;
    const untold = acceptedCreations().filter(
      (addition) => isUntold(addition) && (status === undefined || mayHaveAdded(addition, status)),
    );
    return (await listedSince(query, [...addedIds(status)], current(query), untold)).value;
  }

  /** Lists until a page is full, shows all known animals, or was requested after their time to show. */
  async function patientlyListed(query: KnownQuery, first?: Page): Promise<Page> {
    const known = first ?? (await listedNow(query));
    const since = known.reading.ok && !isFull(known, query) ? lacksSince(knownPage(known, query)) : null;
    if (since === null || known.exchange.sentAt >= since + PATIENCE_MS || !affords(1)) return known;
    // A page older than the animal that it lacks could not show it.
    if (known.exchange.sentAt < since) return patientlyListed(query, page(await courier.askAgain(specOf(query))));
    if (now() < since + PATIENCE_MS)
      await courier.pause({
        ms: since + PATIENCE_MS - now(),
        what: 'animals to appear in the listing that lacks them',
      });
    return page(await courier.askAgain(specOf(query)));
  }

  /** Explains why a page that is not whole proves nothing about what it lacks. */
  async function notWhole(candidate: Page): Promise<Judgement> {
    if (!candidate.reading.ok) return prerequisite(candidate.reading.broken, candidate.exchange);
    const asked = pagesSoFar().find(({ page: { exchange } }) => exchange === candidate.exchange);
    const query = { limit: asked?.limit ?? pageSize.max, ...(asked?.status && { status: asked.status }) };
    if (isFull(candidate, query))
      return outOfScope('store-too-large', `the store holds more animals than one listing of ${query.limit} can show`);
    // A listing with a filter may show what a page below its limit lacks.
    if (endOf(knownPage(candidate, query)) === null)
      for (const status of statuses) if (affords(1)) await listedSettled({ status, limit: pageSize.max });
    const end = endOf(knownPage(await patientlyListed(query, candidate), query));
    return end === null
      ? unestablished(
          'prerequisite',
          `“${candidate.exchange.probe}” lacks animals that other responses show, so a missing animal proves nothing`,
          [candidate.exchange],
        )
      : outOfScope(
          'store-too-large',
          `listings end at ${end} animals although there are more (list-page-full), so no listing of this store is complete`,
        );
  }

  /**
   * Lists all animals, or all of a status, on one page if possible: the default page if it has no fault, else the largest.
   * Waits for `ids`; a page can be whole without them.
   */
  async function fullyListed(
    status: PetStatus | undefined,
    ids: readonly string[],
  ): Promise<{ readonly page: Page; readonly whole: boolean; readonly waitedMs: number }> {
    const filter = status === undefined ? {} : { status };
    let waitedMs = 0;
    if (status !== undefined && countAnimals(store(), status) < pageSize.default) {
      const { value, waitedMs: waitedHere } = await listedSince(filter, ids, current(filter) ?? showing(filter, ids));
      waitedMs += waitedHere;
      const known = { page: value, limit: pageSize.default, status };
      const isComplete = showsAll(known, foreign()) && ids.every((id) => petsOf(value).some((pet) => pet.id === id));
      if (!value.reading.ok || (isComplete && whole(known))) return { page: value, whole: true, waitedMs };
      // If the default page is capped, so is the largest.
      if (endOf(known) !== null) return { page: value, whole: false, waitedMs };
    }
    const all = await census();
    // If the largest page is refused, repeating it with a filter would charge the fault twice.
    if (statusOf(all.exchange) !== 200) return { page: all, whole: false, waitedMs };
    const largest = { ...filter, limit: pageSize.max };
    const { value, waitedMs: waitedHere } = await listedSince(largest, ids, current(largest) ?? showing(largest, ids));
    // All wanted animals are shown; others do not matter.
    if (ids.length > 0 && ids.every((id) => petsOf(value).some((pet) => pet.id === id)))
      return { page: value, whole: true, waitedMs: waitedMs + waitedHere };
    if (!isFull(value, largest)) await fetchUnlisted();
    const patient = await patientlyListed(largest, value);
    return {
      page: patient,
      whole: whole(knownPage(patient, largest)),
      waitedMs: waitedMs + waitedHere,
    };
  }

  /** Fetches the id before the run's first one if no listing showed it: its animal proves that listings end early. */
  async function fetchUnlisted(): Promise<void> {
    const [first] = [...addedIds()].map(BigInt).toSorted((one, other) => Number(one - other));
    const id = first === undefined || first < 2n ? null : (first - 1n).toString();
    if (id !== null && fetches && affords(FEW_LEFT) && !store().animals.has(id))
      await courier.ask(fetching(id, key, declared(200, 404)));
  }

  /** Lists a filter's default page, and if that is full the largest too: it shows leaks better. */
  async function filtered(status: PetStatus): Promise<readonly Page[]> {
    const first = await listedNow({ status });
    const isEnough = petsOf(first).length < pageSize.default || statusOf((await census()).exchange) !== 200;
    return isEnough ? [first] : [first, await listedNow({ status, limit: pageSize.max })];
  }

  /**
   * Returns the fewest small pages that test a filter together with a limit. More animals than the limit must match to test the
   * limit. Others must fit in the page to test the filter. A limit refused by itself is not tried with a filter.
   */
  function smallPages(status: PetStatus): readonly SmallPage[] {
    const matching = countAnimals(store(), status);
    const largest = courier.recall(specOf({ limit: pageSize.max }).probe);
    const inOrderOfAll = largest ? petsOf(page(largest)) : [];
    const alone = courier.recall(specOf({ limit: pageSize.min }).probe);
    const least = alone && statusOf(alone) !== 200 ? pageSize.min + 1 : pageSize.min;
    const hasOthers = (limit: number) => inOrderOfAll.slice(0, limit).some((pet) => !hasStatus(pet, status));
    const below = range(Math.max(least, matching > 2 ? 2 : 1), Math.min(matching, pageSize.default) - 1);
    const both = below.find(hasOthers);
    if (both !== undefined) return [{ limit: both, tells: ['limit', 'filter'] }];
    const [first] = below;
    const above = range(Math.max(least, matching + 1), pageSize.default - 1).find(hasOthers);
    return [
      ...(first === undefined ? [] : [{ limit: first, tells: ['limit'] as const }]),
      ...(matching === 0 || above === undefined ? [] : [{ limit: above, tells: ['filter'] as const }]),
    ];
  }

  return {
    listed,
    listedNow,
    listedAgain,
    listedSettled,
    patientlyListed,
    census,
    firstCensus,
    settled,
    creationsListed,
    notWhole,
    fullyListed,
    filtered,
    smallPages,
  };
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
