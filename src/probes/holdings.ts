import { unestablished } from '../checks/finding.js';
import { statusBreak } from '../checks/layers.js';
import { hasStatus, prerequisite } from '../checks/pets.js';
import type { PetStatus } from '../contract/contract.js';
import { loadPlans } from '../contract/plans.js';
import type { createAdditions, Creation } from './additions.js';
import type { ProbeContext } from './context.js';
import type { createListings } from './listings.js';
import { declared } from './specs.js';
import { countAnimals } from './store.js';
import { Unsettled } from './unsettled.js';

/** The most animals that a run adds on purpose. */
const MAX_ADDITIONS = 25;

/** An animal that only makes the store larger. */
const fillerName = (number: number): string => `filler ${number}`;

const fewerThan = (count: number, status: PetStatus | undefined): string => {
  const which = status === undefined ? '' : ` with status ${status}`;
  return count === 1 ? `no animal${which}` : `fewer than ${count} animals${which}`;
};

/** The probes that see to it that the store holds what a requirement needs. */
export function createHoldings(
  { courier, store, additions, writes }: ProbeContext,
  { census }: Pick<ReturnType<typeof createListings>, 'census'>,
  { create }: Pick<ReturnType<typeof createAdditions>, 'create'>,
) {
  const fillers: Creation[] = [];

  /**
   * Whether the store holds so many animals of a status, or may be given them: at most 25 in a run, and no more than leave
   * its requests within a minute of the smallest plan. A store that was too small all in all has no such bounds to keep.
   * @param toCome requests with the key that the suites still take, whatever comes of this
   */
  const canHold = async (count: number, status: PetStatus, toCome: number): Promise<boolean> => {
    const missing = count - countAnimals(store(), status);
    if (missing > 0) {
      const sent = courier.exchanges().filter(({ credential }) => credential.kind === 'valid').length;
      const isDear = sent + missing + toCome > loadPlans().free.perMinute;
      const wasSmall = courier.recall(`POST /pets, ${fillerName(1)}`) !== undefined;
      if (!writes || additions().length + missing > MAX_ADDITIONS || (isDear && !wasSmall)) return false;
    }
    await holds(count, status);
    return true;
  };

  /** Makes sure that the store holds so many animals, in all or with a status; adds what is missing. Throws Unsettled. */
  async function holds(count: number, status?: PetStatus): Promise<void> {
    const first = await census();
    if (!first.reading.ok) throw new Unsettled(prerequisite(first.reading.broken, first.exchange));
    for (let number = 1; countAnimals(store(), status) < count; number += 1) {
      const obstacle = !writes
        ? 'writes are off'
        : additions().length >= MAX_ADDITIONS
          ? `a run adds no more than ${MAX_ADDITIONS}`
          : null;
      if (obstacle !== null)
        throw new Unsettled(
          unestablished('store-too-small', `the store holds ${fewerThan(count, status)}, and ${obstacle}`),
        );
      if (courier.recall(`POST /pets, ${fillerName(number)}`)) continue;
      // No row looks at it in particular: where it is neither taken nor refused, `declared-status` says so.
      const filler = await create(fillerName(number), { status: status ?? 'available' }, declared(201, 400));
      const broken = statusBreak(filler.exchange);
      if (broken) throw new Unsettled(prerequisite(broken, filler.exchange));
      if (!filler.reading.ok) throw new Unsettled(prerequisite(filler.reading.broken, filler.exchange));
      fillers.push(filler);
    }
  }

  /** Makes sure that the store holds an animal with a status and one without it. Throws Unsettled. */
  async function holdsWithAndWithout(status: PetStatus): Promise<void> {
    await holds(1, status);
    if ([...store().animals.values()].some((pet) => !hasStatus(pet, status))) return;
    await holds(1, status === 'sold' ? 'available' : 'sold');
  }

  return { canHold, holds, holdsWithAndWithout, fillers: (): readonly Creation[] => fillers };
}
