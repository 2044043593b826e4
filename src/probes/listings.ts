import { outOfScope, unestablished, type Judgement } from '../findings/finding.js';
import { petsOf, type Page } from '../checks/listing.js';
import { hasStatus, prerequisite } from '../checks/pets.js';
import type { PetStatus } from '../contract/contract.js';
import { now } from '../exchange/connection.js';
import { statusOf } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import { eventually, PATIENCE_MS, type ProbeContext } from './context.js';
import { listing, listingIntent, type ListingQuery } from './specs.js';
import type { createListingHistory } from './listing-history.js';
import { animalsIn, countAnimals, showsAll, isAmong, isUntold, mayHaveAdded, type KnownPage } from './store.js';

/** A listing within the interface; without a limit it has the default one. */
export interface KnownQuery {
  readonly limit?: number;
  readonly status?: PetStatus;
}

/** A small page with a filter, and what of the two it can tell. */
export interface SmallPage {
  readonly limit: number;
  readonly tells: readonly ('limit' | 'filter')[];
}

/** The filter whose listings have the limit before it. */
const LIMIT_FIRST: PetStatus = 'pending';

/** Parameters may come in any order: one filter is sent behind the limit, the others before it, and each always the same way. */
const inOrder = ({ limit, status }: ListingQuery): ListingQuery => ({
  ...(status !== undefined && status !== LIMIT_FIRST && { status }),
  ...(limit !== undefined && { limit }),
  ...(status === LIMIT_FIRST && { status }),
});

/** Half a Free key's minute: as much as the suites may yet need. */
const FEW_LEFT = 30;

/** The probes of the listing. */
export function createListings(
  { courier, judging, key, prefix, page, store, acceptedCreations, addedAt, affords }: ProbeContext,
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

  /** The fullest listing, as it was asked for last. */
  const census = (): Promise<Page> => listed({ limit: pageSize.max });

  /** The fullest listing, as the run met the store: what is picked from it stays the same, in whatever order a target lists. */
  async function firstCensus(): Promise<Page> {
    const last = await census();
    const asked = courier.exchanges().filter(({ probe }) => probe === last.exchange.probe);
    return asked.map(page).find(({ reading }) => reading.ok) ?? last;
  }

  /**
   * The newest answer to a listing, if it is as good as a new one: nothing was added since, or it was full of a store that
   * was known to hold more by then, and nothing is ever removed. A page that a store just filled says nothing of what it
   * does with one animal more.
   */
  function current(query: KnownQuery): Page | null {
    const known = courier.recall(specOf(query).probe);
    if (!known) return null;
    const lastWrite = courier.exchanges().findLast(({ operation }) => operation === 'createPet');
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

  /** A listing as it is now, after all that the run has added. */
  const listedNow = async (query: KnownQuery): Promise<Page> =>
    current(query) ?? page(await courier.askAgain(specOf(query)));

  /** A listing once more, as it is now. */
  const listedAgain = async (query: KnownQuery): Promise<Page> => page(await courier.askAgain(specOf(query)));

  /** The newest answer to a listing, if it shows some animals: for them it is as good as a new one, whatever was added since. */
  function showing(query: KnownQuery, ids: readonly string[]): Page | null {
    const known = courier.recall(specOf(query).probe);
    const candidate = known ? page(known) : null;
    return candidate && ids.every((id) => petsOf(candidate).some((pet) => pet.id === id)) ? candidate : null;
  }

  /** The same, repeated until it shows what was added a moment ago: some ids, and what has only a name. */
  function listedSince(
    query: KnownQuery,
    ids: readonly string[],
    first = current(query),
    named: readonly Exchange[] = [],
  ): Promise<{ readonly value: Page; readonly waitedMs: number }> {
    // A page that is full, or ends early, may leave any animal out, for ever; and so may one whose ids cannot be read.
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
      // Where few requests are left, what takes its time is asked for less often.
      ...(!affords(FEW_LEFT) && { firstWaitMs: PATIENCE_MS / 2 }),
    });
  }

  /** The store once all that this run added shows: until then two listings of one thing may differ. */
  const settled = (): Promise<Page> => listedSettled({ limit: pageSize.max });

  /**
   * Waits until listings have shown all that this run added, and asks for as little as that takes: for what listings have
   * shown already nothing, and for animals of one status that status alone.
   */
  async function creationsListed(): Promise<void> {
    const seen = listingsSoFar().flatMap(animalsIn);
    const missing = acceptedCreations().filter((addition) => !isAmong(seen, addition, prefix));
    const status = statuses.find((known) => missing.every((addition) => mayHaveAdded(addition, known)));
    if (missing.length === 0) return;
    const all = await census();
    // Where the largest page itself is refused, to ask for it again with a filter would charge the same fault twice.
    if (status === undefined || statusOf(all.exchange) !== 200 || petsOf(all).length >= pageSize.max) await settled();
    else await listedSettled({ status, limit: pageSize.max });
  }

  /** A listing that is full or shows all that this run added to it: each may come from a cache of its own. */
  async function listedSettled(query: KnownQuery): Promise<Page> {
    const { status } = query;
    const untold = acceptedCreations().filter(
      (addition) => isUntold(addition) && (status === undefined || mayHaveAdded(addition, status)),
    );
    return (await listedSince(query, [...addedIds(status)], current(query), untold)).value;
  }

  /** A page that is full, or shows all that the target is known to have, or was asked for once that had its time to show. */
  async function patientlyListed(query: KnownQuery, first?: Page): Promise<Page> {
    const known = first ?? (await listedNow(query));
    const since = known.reading.ok && !isFull(known, query) ? lacksSince(knownPage(known, query)) : null;
    if (since === null || known.exchange.sentAt >= since + PATIENCE_MS || !affords(1)) return known;
    // A page from before what it lacks has not been given the chance to show it.
    if (known.exchange.sentAt < since) return patientlyListed(query, page(await courier.askAgain(specOf(query))));
    if (now() < since + PATIENCE_MS)
      await courier.pause({ ms: since + PATIENCE_MS - now(), what: 'what a listing lacks to show in it' });
    return page(await courier.askAgain(specOf(query)));
  }

  /** Why a page that does not show all proves nothing about what it lacks. */
  async function notWhole(candidate: Page): Promise<Judgement> {
    if (!candidate.reading.ok) return prerequisite(candidate.reading.broken, candidate.exchange);
    const asked = pagesSoFar().find(({ page: { exchange } }) => exchange === candidate.exchange);
    const query = { limit: asked?.limit ?? pageSize.max, ...(asked?.status && { status: asked.status }) };
    if (isFull(candidate, query))
      return outOfScope('store-too-large', `the store holds more animals than one listing of ${query.limit} can show`);
    // What a listing lacks that ends short of its limit may be shown by one with a filter.
    if (endOf(knownPage(candidate, query)) === null)
      for (const status of statuses) if (affords(1)) await listedSettled({ status, limit: pageSize.max });
    const end = endOf(knownPage(await patientlyListed(query, candidate), query));
    return end === null
      ? unestablished(
          'prerequisite',
          `“${candidate.exchange.probe}” leaves out animals that other answers showed, so that what it lacks proves nothing`,
          [candidate.exchange],
        )
      : outOfScope(
          'store-too-large',
          `listings end at ${end} animals although there are more (list-page-full), so that this store cannot be listed whole`,
        );
  }

  /**
   * All animals, or all of a status, on one page where one page is enough: the default page if nothing is amiss with it,
   * else the largest. `ids` are waited for, and their absence does not make the page less than whole.
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
      // Where the default page ends early, the largest does no better.
      if (endOf(known) !== null) return { page: value, whole: false, waitedMs };
    }
    const all = await census();
    // Where the largest page itself is refused, to ask for it again with a filter would charge the same fault twice.
    if (statusOf(all.exchange) !== 200) return { page: all, whole: false, waitedMs };
    const largest = { ...filter, limit: pageSize.max };
    const { value, waitedMs: waitedHere } = await listedSince(largest, ids, current(largest) ?? showing(largest, ids));
    // What is to be seen is seen, whatever else there may be.
    if (ids.length > 0 && ids.every((id) => petsOf(value).some((pet) => pet.id === id)))
      return { page: value, whole: true, waitedMs: waitedMs + waitedHere };
    const patient = await patientlyListed(largest, value);
    return {
      page: patient,
      whole: whole(knownPage(patient, largest)),
      waitedMs: waitedMs + waitedHere,
    };
  }

  /** The pages of a filter: the default one, and where that is full the largest, in which a leak has less room to hide. */
  async function filtered(status: PetStatus): Promise<readonly Page[]> {
    const first = await listedNow({ status });
    const isEnough = petsOf(first).length < pageSize.default || statusOf((await census()).exchange) !== 200;
    return isEnough ? [first] : [first, await listedNow({ status, limit: pageSize.max })];
  }

  /**
   * The small pages that tell whether a filter and a limit hold together, as few as can be: a limit is told by a page that
   * more animals match than it may hold, a filter by one that would show others without it. A limit that is refused by
   * itself is not tried with a filter.
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
