import { loadPlans } from '../contract/plans.js';

/** What a large plan leaves to others that use the key, or to the run's own load. */
const SHARE = 1 / 4;

/** The most requests that the suites send with a key of a plan: a Free key's minute, or a quarter of a larger plan's. */
export const mostRequests = (perMinute: number): number =>
  Math.max(loadPlans().free.perMinute, Math.floor(perMinute * SHARE));
