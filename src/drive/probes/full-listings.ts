import { outOfScope, unestablished, type Judgement } from '../../judge/findings/finding.js';
import { isFull, type KnownPage } from '../../judge/checks/listing-asked.js';
import { petsOf } from '../../judge/checks/listing.js';
import { animalsIn, prerequisite } from '../../judge/checks/pets.js';
import { addedIds, countAnimals, isAmong, mayHaveAdded } from '../../judge/world/animals.js';
import { endOf, isWhole } from '../../judge/world/whole-pages.js';
import {
  knownAnimals,
  lacksSince,
  missingIn,
  PATIENCE_MS,
  showsForeign,
} from '../../judge/world/known-animals.js';
import { isRemoved } from '../../judge/world/absent-animals.js';
import type { PetStatus } from '../../base/interface/contract.js';
import type { ListingQuery } from '../../base/interface/listing-query.js';
import { now } from '../../wire/exchange/connection.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { ProbeContext } from './context.js';
import { FEW_LEFT, hasAll, type createListings, type Listed } from './listings.js';
import { smallPages } from './small-pages.js';
import { declared, fetching } from './specs.js';

/** The same, and whether the page shows all that matches. */
export interface FullyListed extends Listed {
  readonly whole: boolean;
}

/** Creates the probes that want a listing with all animals that match. */
export function createFullListings(
  { courier, judging, key, world, affords, fetches }: ProbeContext,
  { recalled, census, listedNow, listedAgain, listedSettled, listedWith }: ReturnType<typeof createListings>,
) {
  const { pageSize, statuses } = judging.contract;
  const ALL = { limit: pageSize.max };

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

  const mayFit = (status: PetStatus): boolean => countAnimals(world(), status) < pageSize.default;

  /**
   * Lists all animals, or all of a status, on one page if possible: the default page if it has no fault, else
   * the largest. Waits for `ids`; a page can be whole without them.
   */
  async function fullyListed(status: PetStatus | undefined, ids: readonly string[]): Promise<FullyListed> {
    const small = status !== undefined && mayFit(status) ? await listedWith({ status }, ids) : null;
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
    patientlyListed,
    fullyListed,
    /** Query with which `fullyListed` lists a status first. */
    wholeQuery: (status: PetStatus): ListingQuery => (mayFit(status) ? { status } : { status, ...ALL }),
    smallPages: (status: PetStatus) =>
      smallPages(status, world(), pageSize, {
        largest: recalled(ALL),
        smallest: recalled({ limit: pageSize.min }),
        isFirst: status === statuses[0],
      }),
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
      const page = await patientlyListed({ limit, ...(status && { status }) }, known);
      const end = endOf(page, world());
      if (end !== null)
        return outOfScope(
          'listings-cut-short',
          `listings end at ${end} animals although there are more (list-page-full), so no listing of this store is complete`,
        );
      const removed = missingIn(page, knownAnimals(world())).find(({ pet }) =>
        isRemoved(pet.id ?? '', world()),
      );
      return unestablished(
        removed ? 'too-little-data' : 'prerequisite',
        removed
          ? `animal ${removed.pet.id} was removed during the run, so a missing animal proves nothing`
          : `“${exchange.probe}” lacks animals that other responses show, so a missing animal proves nothing`,
        [exchange],
      );
    },
    /** Lists a filter's default page, and if that is full the largest too: it shows leaks better. */
    filtered: async (status: PetStatus): Promise<readonly KnownPage[]> => {
      const first = await listedNow({ status });
      const isEnough = petsOf(first).length < pageSize.default || statusOf((await census()).exchange) !== 200;
      return isEnough ? [first] : [first, await listedNow({ status, ...ALL })];
    },
  };
}
