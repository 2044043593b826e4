import type { Figures } from '../../judge/limits/bounds.js';
import type { Target } from '../../wire/targets/target.js';

/** Requests and duration with one key. */
export interface Cost {
  readonly requests: number;
  readonly seconds: number;
}

export interface CostGiven {
  readonly latencyMs: number;
  readonly ban: Pick<Target['ban'], 'maxRequests' | 'maxSeconds'>;
}

export type QuestionCost = (figures: Figures, given: Pick<CostGiven, 'latencyMs'>) => Cost;

export const NOTHING: Cost = { requests: 0, seconds: 0 };

export const plus = (one: Cost, other: Cost): Cost => ({
  requests: one.requests + other.requests,
  seconds: one.seconds + other.seconds,
});
