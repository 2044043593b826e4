import type { Hunt, HuntName } from './hunt.js';
import { exploring } from './exploring.js';
import { keys } from './keys.js';
import { pairsOfLimiters, pairsOfSuites } from './pairs.js';
import { stores } from './stores.js';

/** Hunt with a hidden type of case: hunts differ in it, and are kept in one list. */
export type AnyHunt = <Result>(use: <Case>(hunt: Hunt<Case>) => Result) => Result;

const kept =
  <Case>(hunt: Hunt<Case>): AnyHunt =>
  (use) =>
    use(hunt);

/** All hunts, in the order in which they run. */
export const HUNTS: readonly AnyHunt[] = [
  kept(stores),
  kept(pairsOfSuites),
  kept(exploring),
  kept(keys),
  kept(pairsOfLimiters),
];

/** Returns the hunts of a name. */
export const huntsOf = (name: HuntName): readonly AnyHunt[] => HUNTS.filter((hunt) => hunt((it) => it.name === name));
