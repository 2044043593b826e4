import type { KeyName, ProfileName } from '../../base/interface/names.js';
import type { Figures } from '../../judge/limits/bounds.js';
import type { LoadAnswer } from './requests.js';

/** Source of a response. `passive` is true if the passive checks judge it. */
export interface Origin {
  readonly profile: ProfileName;
  readonly key: KeyName;
  readonly figures: Figures;
  /**
   * False for responses in place of 429 when the limit is used up, and in a ban: other requirements judge
   * those.
   */
  readonly passive: boolean;
  /** True if there is time before the next request: then it is judged immediately and not kept. */
  readonly inPassing: boolean;
}

export interface Keeper {
  readonly take: (answer: LoadAnswer, origin: Origin) => void;
}
