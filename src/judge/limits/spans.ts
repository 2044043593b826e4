import { longestByServer } from './bounds.js';
import type { Sample } from './sample.js';

/** Time from the first sending to the last answer, ms. */
export function spanMs(samples: readonly Sample[]): number {
  let [from, to] = [Infinity, -Infinity];
  for (const { sentAt, answeredAt } of samples)
    [from, to] = [Math.min(from, sentAt), Math.max(to, answeredAt)];
  return samples.length === 0 ? 0 : to - from;
}

/** Most whole requests that the plan's even refill brings in a time of ours. */
export const refillOver = (ms: number, { perMs }: { readonly perMs: number }): number =>
  Math.floor(longestByServer(ms) * perMs);
