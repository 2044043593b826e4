import type { Target } from '../../wire/targets/target.js';

/** Number of requests and duration of a profile with one key. */
export interface Cost {
  readonly requests: number;
  readonly seconds: number;
}

/** Facts for a cost, apart from the plan's figures. */
export interface CostGiven {
  readonly latencyMs: number;
  readonly ban: Pick<Target['ban'], 'maxRequests' | 'maxSeconds'>;
}
