import type { PlanFigures } from '../../base/interface/plans.js';
import type { PlanName } from '../../base/interface/types.js';
import { testsRefusalBound } from './refusal-bound.test.support.js';

/**
 * The four plans of part 8. Enterprise is custom: this one needs all 26 connections at 150 ms, and 13 at 50
 * ms.
 */
const PLANS: ReadonlyMap<PlanName, PlanFigures> = new Map([
  ['free', { perMinute: 60, perDay: 1000 }],
  ['pro', { perMinute: 300, perDay: 10_000 }],
  ['business', { perMinute: 1000, perDay: 100_000 }],
  ['enterprise', { perMinute: 1500, perDay: 500_000 }],
]);

// One run of each server: the four plans send a thousand requests and more in each.
testsRefusalBound({ plans: PLANS }, 1);
testsRefusalBound({}, 2);
