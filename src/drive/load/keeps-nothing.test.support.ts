import type { Keeper } from './keeper.js';

/** Keeps no response, for tests of sending. */
export const keepsNothing: Keeper = { take: () => undefined };
