import { unestablished } from '../findings/finding.js';
import { statusBreak } from '../checks/layers.js';
import { hasStatus, prerequisite } from '../checks/pets.js';
import type { PetStatus } from '../contract/contract.js';
import type { createCreations, Creation } from './creations.js';
import type { ProbeContext } from './context.js';
import type { createListings } from './listings.js';
import { declared } from './specs.js';
import { countAnimals } from './store.js';
import { Unjudgeable } from './unjudgeable.js';

/**
 * The most animals that a run adds on purpose, whatever its key would allow: nothing takes them away again, and a store of
 * more than a page of 100 can no longer be listed whole. As many give one status 21.
 */
export const MAX_CREATIONS = 25;

/** An animal that only makes the store larger. */
const fillerName = (number: number): string => `filler ${number}`;

const fewerThan = (count: number, status: PetStatus | undefined): string => {
  const which = status === undefined ? '' : ` with status ${status}`;
  return count === 1 ? `no animal${which}` : `fewer than ${count} animals${which}`;
};

/** The probes that see to it that the store holds what a requirement needs. */
export function createSeeding(
  { courier, store, acceptedCreations, writes, affords }: ProbeContext,
  { census }: Pick<ReturnType<typeof createListings>, 'census'>,
  { create, created }: Pick<ReturnType<typeof createCreations>, 'create' | 'created'>,
) {
  const fillers: Creation[] = [];

  /**
   * Sees to it that the store holds so many animals, in all or with a status, where that is not too dear: false where the
   * requests that it takes would not be left for what the suites still have to ask. Throws Unjudgeable where it cannot be.
   * @param toCome requests with the key that the suites still take, whatever comes of this
   */
  async function affordsToHold(count: number, status: PetStatus | undefined, toCome: number): Promise<boolean> {
    const missing = Math.max(0, count - countAnimals(store(), status));
    if (missing > 0 && writes && acceptedCreations().length + missing <= MAX_CREATIONS && !affords(missing + toCome))
      return false;
    await holds(count, status);
    return true;
  }

  /** Makes sure that the store holds so many animals, in all or with a status; adds what is missing. Throws Unjudgeable. */
  async function holds(count: number, status?: PetStatus): Promise<void> {
    const first = await census();
    if (!first.reading.ok) throw new Unjudgeable(prerequisite(first.reading.broken, first.exchange));
    for (let number = 1; countAnimals(store(), status) < count; number += 1) {
      const obstacle = !writes
        ? 'writes are off'
        : acceptedCreations().length >= MAX_CREATIONS
          ? `a run adds no more than ${MAX_CREATIONS}`
          : null;
      if (obstacle !== null)
        throw new Unjudgeable(
          unestablished('store-too-small', `the store holds ${fewerThan(count, status)}, and ${obstacle}`),
        );
      if (courier.recall(`POST /pets, ${fillerName(number)}`)) continue;
      // Where the plainest creation is not answered as it should be, the same fault is not provoked once more.
      const plain = await created();
      const fault = statusBreak(plain.exchange);
      if (fault) throw new Unjudgeable(prerequisite(fault, plain.exchange));
      if (countAnimals(store(), status) >= count) return;
      // No row looks at it in particular: where it is neither taken nor refused, `declared-status` says so.
      const filler = await create(fillerName(number), { status: status ?? 'available' }, declared(201, 400));
      const broken = statusBreak(filler.exchange);
      if (broken) throw new Unjudgeable(prerequisite(broken, filler.exchange));
      if (!filler.reading.ok) throw new Unjudgeable(prerequisite(filler.reading.broken, filler.exchange));
      fillers.push(filler);
    }
  }

  /** Makes sure that the store holds an animal with a status and one without it. Throws Unjudgeable. */
  async function holdsWithAndWithout(status: PetStatus): Promise<void> {
    await holds(1, status);
    if ([...store().animals.values()].some((pet) => !hasStatus(pet, status))) return;
    await holds(1, status === 'sold' ? 'available' : 'sold');
  }

  return { affordsToHold, holds, holdsWithAndWithout, fillers: (): readonly Creation[] => fillers };
}
