import type { PetStatus } from '../../base/interface/contract.js';
import type { PetView } from '../checks/pets.js';

/** Most ids to remember: an endless record must not fill the memory. */
const MOST_IDS = 100_000;

/** Animals that responses of a record showed, by id. */
export interface KnownAnimals {
  readonly has: (id: string | null) => boolean;
  /** Counts the animals that were seen only with this status; all without one. */
  readonly count: (status: PetStatus | undefined) => number;
  /** Counts the animals that were seen only with another status, or with none. */
  readonly countOthers: (status: PetStatus) => number;
}

export function newAnimals(): KnownAnimals & { readonly learn: (pets: readonly PetView[]) => void } {
  /** `changing` for an animal that was seen with two. */
  const statuses = new Map<string, unknown>();
  const countWhere = (isWanted: (status: unknown) => boolean): number =>
    [...statuses.values()].filter((status) => status !== CHANGING && isWanted(status)).length;
  return {
    has: (id) => id !== null && statuses.has(id),
    count: (wanted) => (wanted === undefined ? statuses.size : countWhere((status) => status === wanted)),
    countOthers: (wanted) => countWhere((status) => status !== wanted),
    learn(pets) {
      for (const { id, status } of pets) {
        if (id === null) continue;
        const known = statuses.get(id);
        if (!statuses.has(id) && statuses.size < MOST_IDS) statuses.set(id, status);
        else if (statuses.has(id) && known !== status) statuses.set(id, CHANGING);
      }
    },
  };
}

const CHANGING = Symbol('changing');
