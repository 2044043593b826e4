import { petsOf } from '../../judge/checks/listing.js';
import { type Single, prerequisite } from '../../judge/checks/pets.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { Exchange, Intent } from '../../wire/exchange/types.js';
import type { createCreations } from './creations.js';
import { eventually, type ProbeContext } from './context.js';
import { addedAt } from '../../judge/world/animals.js';
import type { World } from '../../judge/world/world.js';
import { addedRightly, idOf, isFindable, returnedId } from '../../judge/world/created-ids.js';
import type { Added } from '../../judge/checks/animals.js';
import { BIG_CATEGORY } from './creation-bodies.js';
import type { Identity } from './credentials.js';
import type { createListings } from './listings.js';
import { expects, fetching } from './specs.js';
import { undecided, Unjudgeable } from './unjudgeable.js';
import type { Look, ListedPet } from '../../judge/checks/matching.js';

export interface FetchedCreation {
  readonly creation: Added;
  readonly fetched: Single;
  readonly waitedMs: number;
  /** True if its category has more digits than a double, which another row judges. */
  readonly hasBigCategory: boolean;
}

/** Most requests with the key after the fetches of animals: unknown ids, the listings, another method. */
const STILL_TO_COME = 30;

export function createFetches(
  { courier, run, key, single, world, writes, affords }: ProbeContext,
  { firstCensus, settled, listedAgain }: ReturnType<typeof createListings>,
  { created, allCreated }: ReturnType<typeof createCreations>,
) {
  /** Id of an animal from before the run, preferably with a status, or else of one that the run added. */
  async function existingId(): Promise<string> {
    const first = await firstCensus();
    const candidates = petsOf(first).filter((pet) => pet.id !== null);
    const id = (candidates.find(({ status }) => typeof status === 'string') ?? candidates[0])?.id;
    if (id !== undefined && id !== null) return id;
    if (!first.reading.ok && !writes)
      throw new Unjudgeable(prerequisite(first.reading.broken, first.exchange));
    if (!writes)
      throw undecided('store-too-small', 'the store holds no animal with an id, and writes are off', [
        first.exchange,
      ]);
    const added = await created();
    if (!added.reading.ok) throw new Unjudgeable(prerequisite(added.reading.broken, added.exchange));
    if (added.reading.value.id === null)
      throw undecided('prerequisite', 'the run knows no animal with an id', [added.exchange]);
    const returned = returnedId(added, world());
    return returned.kind === 'right' || isFindable(added, world())
      ? added.reading.value.id
      : returned.shownAs;
  }

  const fetchedAs = (
    id: string,
    identity: Identity,
    intent: Intent,
    how?: { readonly again: boolean },
  ): Promise<Exchange> => {
    const spec = fetching(id, identity, intent);
    return how?.again === true ? courier.askAgain(spec) : courier.ask(spec);
  };

  const fetched = async (id: string, intent: Intent): Promise<Single> =>
    single(await fetchedAs(id, key, intent));

  /** Fetches an existing animal; repeats it for one just added. */
  const fetchedSoon = (id: string): Promise<{ readonly value: Single; readonly waitedMs: number }> => {
    const known = courier.recall(fetching(id, key, expects('get-ok', 200)).probe);
    return untilThere(id, known ? single(known) : null);
  };

  /** Repeats the fetch of an animal just added until it is there: a replica may be behind. */
  const untilThere = (id: string, first: Single | null) =>
    eventually({
      first,
      read: () => fetchedAgain(id),
      isThere: ({ exchange }) => statusOf(exchange) !== 404,
      since: isReturnedWrong(id) ? null : addedAt(world(), [id]),
    });

  /** True if only a creation's response has this id, and listings show that animal under another. */
  const isReturnedWrong = (id: string): boolean =>
    world().additions.some((creation) => idOf(creation) === id && !isFindable(creation, world()));

  const fetchedAgain = async (id: string): Promise<Single> =>
    single(await courier.askAgain(fetching(id, key, expects('get-ok', 200))));

  /**
   * Returns the newest animal before the fetches: open creations follow those that must succeed, and no other
   * follows them. Null if none was accepted.
   */
  const newestOpen = (): Added | null =>
    addedRightly(world()).findLast(({ exchange }) => exchange.intent.kind === 'open') ?? null;

  return {
    existingId,
    newestOpen,
    fetched,
    fetchedSoon,
    fetchedAgain,
    fetchedAs,
    /**
     * Fetches an existing animal. If the only known id is from a creation and finds nothing, a listing may
     * have a better one.
     */
    existing: async (): Promise<Single> => {
      const id = await existingId();
      const { value } = await fetchedSoon(id);
      if (statusOf(value.exchange) !== 404 || addedAt(world(), [id]) === null) return value;
      await settled();
      const other = await existingId();
      return other === id ? value : (await fetchedSoon(other)).value;
    },
    /**
     * Fetches another animal from before the run: the last listed one, with another status than the first if
     * there is one (flaw listed-old-sold-categories-zero). Null if none is known or no request is left for
     * it.
     */
    existingToo: async (): Promise<{ readonly id: string; readonly fetched: Single } | null> => {
      const first = await existingId();
      const pets = petsOf(await firstCensus());
      const status = pets.find((pet) => pet.id === first)?.status;
      const others = pets.filter(({ id }) => id !== null && id !== first);
      const id = (others.findLast((pet) => pet.status !== status) ?? others.at(-1))?.id ?? null;
      if (id === null || !affords(1 + STILL_TO_COME)) return null;
      return { id, fetched: await fetched(id, expects('get-ok', 200)) };
    },
    /** Fetches an animal a second time, as from a cache. Null if no request is left for it. */
    fetchedTwice: async (id: string): Promise<Single | null> =>
      affords(1 + STILL_TO_COME) ? (await untilThere(id, null)).value : null,
    /**
     * Fetches animals that the run added, also the newest before the fetches: an index may be one creation
     * behind. Skips the plainest if there are others, to save a request.
     */
    fetchedCreations: async (): Promise<readonly FetchedCreation[]> => {
      const [plain, ...others] = await allCreated();
      const usual: readonly Added[] = others.length > 0 ? others : plain ? [plain] : [];
      const newest = newestOpen();
      const results: FetchedCreation[] = [];
      for (const creation of newest ? [...usual, newest] : usual) {
        const id = idOf(creation);
        if (id === null) continue;
        const isSent = courier.recall(fetching(id, key, expects('get-ok', 200)).probe) !== undefined;
        // A small plan needs its requests for rows that nothing else decides.
        if (creation === newest && !isSent && !affords(1 + STILL_TO_COME)) continue;
        const { value, waitedMs } = await fetchedSoon(id);
        results.push({
          creation,
          fetched: value,
          waitedMs,
          hasBigCategory: creation.sent.categoryId === BIG_CATEGORY,
        });
      }
      return results;
    },
    /**
     * Fetches and lists an animal again in direct succession, because other clients may have changed its
     * status.
     */
    lookAgain: async (id: string, { exchange }: ListedPet): Promise<Look> => {
      const known = world().pages.find((page) => page.exchange.id === exchange.id);
      const { limit, isDefault, status } = known ?? { limit: 0, isDefault: true };
      const page = await listedAgain({
        ...(!isDefault && { limit }),
        ...(status !== undefined && { status }),
      });
      const { exchange: fetch, reading } = await fetchedAgain(id);
      return {
        fetch,
        fetched: reading.ok && reading.value.id === id ? reading.value : null,
        listing: page.exchange,
        listed: petsOf(page).find((pet) => pet.id === id) ?? null,
        ...(status !== undefined && { filter: status }),
      };
    },
    unknownId: (): string => unknownId(world(), run),
    likeliestAgain: (listedPets: readonly ListedPet[]) => likeliestAgain(world(), listedPets),
  };
}

/**
 * Returns an id that no animal has, from the run's digits and far above those seen. Its last 32 bits are an
 * animal's id, so a service that keeps only 32 bits serves that animal.
 */
function unknownId({ animals }: World, run: string): string {
  const [known = '0'] = [...animals.keys()].filter((id) => BigInt.asUintN(32, BigInt(id)) === BigInt(id));
  let id = 2n ** 52n + BigInt(`0x${run}`) * 2n ** 20n;
  id = id - BigInt.asUintN(32, id) + BigInt(known);
  while (animals.has(id.toString())) id += 2n ** 32n;
  return id.toString();
}

/** Returns the listed animal that a repetition will most likely show: on the largest page, without a filter. */
function likeliestAgain({ pages }: World, listedPets: readonly ListedPet[]): ListedPet | undefined {
  const sizes = new Map(
    pages.map((page) => [page.exchange.id, page.limit + (page.status === undefined ? 0.5 : 0)]),
  );
  const sizeOf = ({ exchange }: ListedPet): number => sizes.get(exchange.id) ?? 0;
  return listedPets.toSorted((one, other) => sizeOf(other) - sizeOf(one))[0];
}
