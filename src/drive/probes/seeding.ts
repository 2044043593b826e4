import { statusBreak } from '../../judge/checks/layers.js';
import { prerequisite } from '../../judge/checks/pets.js';
import { countAnimals, isKnownAs } from '../../judge/world/animals.js';
import { addedRightly } from '../../judge/world/created-ids.js';
import type { PetStatus } from '../../base/interface/contract.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { createCreations, Creation } from './creations.js';
import type { ProbeContext } from './context.js';
import type { createListings } from './listings.js';
import { declared } from './specs.js';
import { undecided, Unjudgeable } from './unjudgeable.js';

/** Most animals that a run adds, since they cannot be removed. Enough for 21 of a status. */
export const MAX_CREATIONS = 25;

/** Returns the name of an animal that only makes the store larger. */
const fillerName = (number: number): string => `filler ${number}`;

const fewerThan = (count: number, status: PetStatus | undefined): string => {
  const which = status === undefined ? '' : ` with status ${status}`;
  return count === 1 ? `no animal${which}` : `fewer than ${count} animals${which}`;
};

/** A filler refused as invalid, and an accepted creation that differs only in the name. */
export interface RefusedFiller {
  readonly filler: Exchange;
  readonly like: Exchange;
}

/** Creates the probes that add the animals a requirement needs. */
export function createSeeding(
  { courier, world, writes, affords }: ProbeContext,
  { census }: ReturnType<typeof createListings>,
  { create, created }: ReturnType<typeof createCreations>,
) {
  const fillers: Creation[] = [];
  const refused: RefusedFiller[] = [];

  const acceptedLike = ({ sent }: Creation) =>
    addedRightly(world()).find(
      (added) => added.sent.status === sent.status && added.sent.categoryId === sent.categoryId,
    );

  /**
   * Ensures that the store holds so many animals, in all or with a status; adds those missing. Throws
   * Unjudgeable.
   */
  async function holds(count: number, status?: PetStatus): Promise<void> {
    const first = await census();
    if (!first.reading.ok) throw new Unjudgeable(prerequisite(first.reading.broken, first.exchange));
    for (let number = 1; countAnimals(world(), status) < count; number += 1) {
      const obstacle = !writes
        ? 'writes are off'
        : world().additions.length >= MAX_CREATIONS
          ? `a run adds at most ${MAX_CREATIONS}`
          : null;
      if (obstacle !== null)
        throw undecided('store-too-small', `the store holds ${fewerThan(count, status)}, and ${obstacle}`);
      if (courier.recall(`POST /pets, ${fillerName(number)}`)) continue;
      // A fault of the plainest creation is not provoked again.
      const plain = await created();
      const fault = statusBreak(plain.exchange);
      if (fault) throw new Unjudgeable(prerequisite(fault, plain.exchange));
      if (countAnimals(world(), status) >= count) return;
      // `declared-status` covers a response that is neither 201 nor 400.
      const filler = await create(fillerName(number), { status: status ?? 'available' }, declared(201, 400));
      const like = statusOf(filler.exchange) === 400 ? acceptedLike(filler) : undefined;
      if (like) refused.push({ filler: filler.exchange, like: like.exchange });
      const broken = statusBreak(filler.exchange);
      if (broken) throw new Unjudgeable(prerequisite(broken, filler.exchange));
      if (!filler.reading.ok) throw new Unjudgeable(prerequisite(filler.reading.broken, filler.exchange));
      fillers.push(filler);
    }
  }

  return {
    holds,
    /**
     * Ensures that the store holds so many animals, in all or with a status. Returns false if the requests
     * for it would be missing later. Throws Unjudgeable if it is impossible.
     *
     * @param toCome requests with the key that the suites still need
     */
    affordsToHold: async (count: number, status: PetStatus | undefined, toCome: number): Promise<boolean> => {
      const missing = Math.max(0, count - countAnimals(world(), status));
      if (
        missing > 0 &&
        writes &&
        world().additions.length + missing <= MAX_CREATIONS &&
        !affords(missing + toCome)
      )
        return false;
      await holds(count, status);
      return true;
    },
    /** Ensures that the store holds an animal with a status and one without it. Throws Unjudgeable. */
    holdsWithAndWithout: async (status: PetStatus): Promise<void> => {
      await holds(1, status);
      if ([...world().animals.values()].some((animal) => !isKnownAs(animal, status))) return;
      await holds(1, status === 'sold' ? 'available' : 'sold');
    },
    fillers: (): readonly Creation[] => fillers,
    refusedFillers: (): readonly RefusedFiller[] => refused,
  };
}
