import type { Flaw } from '../registry.js';
import { rareBodies } from './bodies.js';
import { rareCategories } from './categories.js';
import { rareMembers } from './members.js';
import { rareMoments } from './moments.js';
import { rareNames } from './names.js';
import { rareKeys, rareReads } from './reads.js';

/**
 * Flaws that show for one value, one order or one moment, so that fixed requests pass them by: what exploring is put to the
 * proof with.
 */
export const rareFlaws: readonly Flaw[] = [
  ...rareNames,
  ...rareCategories,
  ...rareMembers,
  ...rareBodies,
  ...rareReads,
  ...rareKeys,
  ...rareMoments,
];
