import { longestByServer } from './bounds.js';
import type { Sample } from './sample.js';

/** Time from the first sending to the last answer, ms. */
export const spanMs = (samples: readonly Sample[]): number =>
  samples.length === 0
    ? 0
    : Math.max(...samples.map(({ answeredAt }) => answeredAt)) -
      Math.min(...samples.map(({ sentAt }) => sentAt));

/** Most whole requests that the plan's even refill brings in a time of ours. */
export const refillOver = (ms: number, { perMs }: { readonly perMs: number }): number =>
  Math.floor(longestByServer(ms) * perMs);
