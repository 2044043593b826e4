import type { Figures } from '../../judge/limits/bounds.js';
import type { Target } from '../../wire/targets/target.js';
import type { ProfileName } from '../../base/interface/names.js';

/** Number of requests and duration of an experiment with one key. */
export interface Cost {
  readonly requests: number;
  readonly seconds: number;
}

/** Facts for a cost, apart from the plan's figures. */
export interface CostGiven {
  readonly latencyMs: number;
  readonly ban: Pick<Target['ban'], 'maxRequests' | 'maxSeconds'>;
}

/** Experiment with keys under load: what it needs and costs. Its steps in `SEQUENCE` send the requests. */
export interface Experiment {
  readonly name: ProfileName;
  /** Experiments whose results it needs. */
  readonly after: readonly ProfileName[];
  readonly keys: 'each-plan' | 'one-plan' | 'sacrificial';
  /** With all others; only if others leave a requirement open; or only by option, with the reason. */
  readonly runs:
    | { readonly kind: 'always' | 'if-needed' }
    | { readonly kind: 'opt-in'; readonly because: string };
  readonly cost: (figures: Figures, given: CostGiven) => Cost;
}
