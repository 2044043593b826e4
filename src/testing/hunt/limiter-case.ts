import * as fc from 'fast-check';
import { ALGORITHMS } from './limiter-algorithms.js';

/** How a time is made whole seconds. */
export type Rounding = 'up' | 'down' | 'nearest';

/** A limiter made at random, with the way to it. All that varies is here; the plan is `limit` a minute. */
export interface LimiterCase {
  readonly algorithm: string;
  /** The limiter's window, percent of the target's minute. */
  readonly window: number;
  /** Requests that it serves beyond the plan; negative: that it holds back. */
  readonly over: number;
  readonly retryAfter: Rounding;
  readonly retryAfterAs: 'seconds' | 'date';
  readonly reset: Rounding;
  /** The clock's, ms. */
  readonly grain: number;
  /** How often a window a clumped bucket gets something back. */
  readonly beats: number;
  /** Seconds of the target's minute. */
  readonly minute: number;
  readonly limit: number;
  readonly latency: number;
  readonly jitter: number;
  readonly offset: number;
  readonly stale: number;
  readonly usedBefore: number;
  readonly seed: number;
}

/** What is usual so many times, and else any: what is found shrinks to what is usual. */
const mostly = <T>(usual: T, weight: number, any: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof(
    { withCrossShrink: true, maxDepth: 1 },
    { weight, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: any },
  );

const ROUNDINGS = ['up', 'down', 'nearest'] as const;
const rounding = mostly<Rounding>('up', 2, fc.constantFrom(...ROUNDINGS));

/** A fifth of the largest plan here. */
const MOST_OVER = 18;

/** Limiters of any kind; about one in three of them is sound. */
export const limiterCases: fc.Arbitrary<LimiterCase> = fc.record({
  algorithm: fc.constantFrom(...Object.keys(ALGORITHMS)),
  window: mostly(100, 3, fc.integer({ min: 10, max: 120 })),
  over: mostly(0, 3, fc.integer({ min: -MOST_OVER, max: MOST_OVER })),
  retryAfter: rounding,
  retryAfterAs: fc.constantFrom('seconds', 'date'),
  reset: rounding,
  grain: mostly(1, 1, fc.constantFrom(1, 10, 100, 250, 1000)),
  beats: fc.integer({ min: 2, max: 60 }),
  minute: mostly(60, 4, fc.constant(6)),
  limit: mostly(60, 1, fc.integer({ min: 60, max: 90 })),
  latency: mostly(2, 1, fc.constantFrom(0.4, 2, 20, 80)),
  jitter: mostly(0.1, 1, fc.constantFrom(0.1, 1, 8)),
  offset: mostly(0, 1, fc.integer({ min: -90_000, max: 90_000 })),
  stale: mostly(0, 2, fc.constant(1300)),
  usedBefore: mostly(0, 2, fc.constantFrom(1, 25, 59)),
  seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
});
