import type { RequirementId } from '../../base/interface/types.js';

/** A mistake that explains findings, and the requirements that it explains; the first leads. */
export interface LikelyCause {
  /** Name that stays the same, for programs and searches. */
  readonly name: string;
  /** The mistake as a sentence, with the amount measured. */
  readonly title: string;
  readonly rows: readonly RequirementId[];
}
