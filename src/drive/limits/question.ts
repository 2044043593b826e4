import type { ProfileName } from '../../base/interface/names.js';
import type { RequirementId } from '../../base/interface/types.js';
import type { QuestionName } from '../../judge/limits/asked.js';
import type { QuestionCost } from './cost.js';

/** One question to a key's limiter: what must hold before it, what is sent, and what it decides. */
export interface Question {
  readonly name: QuestionName;
  /** Name for people: "the steady run". */
  readonly title: string;
  readonly asks: string;
  /** Name for `--profile`, and for its part of the log. */
  readonly profile: ProfileName;
  /** Questions that come before it, for the state in which they leave the key. */
  readonly after: readonly QuestionName[];
  /** State of the key before it. */
  readonly state: string;
  readonly sends: string;
  readonly often: string;
  /** Condition under which it is asked, to follow "only"; null for a question that is always asked. */
  readonly only: string | null;
  readonly decides: readonly RequirementId[];
  /** Those of them that an earlier question decides as well: here they are seen again, or from another side. */
  readonly again: readonly RequirementId[];
  readonly cost: QuestionCost;
}
