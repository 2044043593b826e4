import { isNamedIn } from '../checks/leaving.js';
import { hasStatus, type PetView } from '../checks/pets.js';
import type { PetStatus } from '../contract/contract.js';
import type { Exchange } from '../exchange/types.js';
import { animalsIn } from './store.js';

/** Whether the answer to a creation tells no id that can be read: its animal is known by the name alone that it was given. */
export const isUntold = (addition: Exchange): boolean => animalsIn(addition).every(({ id }) => id === null);

/** Whether a creation may have added an animal of a status: it was asked for so, or answered so. */
export const mayHaveAdded = (addition: Exchange, status: PetStatus): boolean =>
  animalsIn(addition).some((pet) => hasStatus(pet, status)) ||
  addition.request.body?.includes(`"status":"${status}"`) === true;

/**
 * Whether some animals hold what a creation has added.
 * @param prefix what the names start with that the run gives
 */
export const isAmong = (pets: readonly PetView[], addition: Exchange, prefix: string): boolean =>
  isUntold(addition)
    ? pets.some((pet) => isNamedIn(pet, [addition], prefix))
    : animalsIn(addition).every(({ id }) => id === null || pets.some((pet) => pet.id === id));
