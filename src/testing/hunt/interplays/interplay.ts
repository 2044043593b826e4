import type { RequirementId } from '../../../contract/types.js';

/** What two members of a server do to each other that neither declares of itself, with the mechanism. */
export interface Interplay {
  /** Any of these flaws, */
  readonly flaws: readonly string[];
  /** beside any of these members, flaws or variants, */
  readonly beside: readonly string[];
  /** is not to be seen in these rows of its own, */
  readonly hides?: readonly RequirementId[];
  /** or turns these red as well. */
  readonly reddens?: readonly RequirementId[];
  /** Only now and then, as the moment falls: no test can ask for it. */
  readonly isByChance?: true;
  /** Why, as a sentence. */
  readonly reason: string;
}
