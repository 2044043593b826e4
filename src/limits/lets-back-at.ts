import { type ServerClock, resetTime } from './clock.js';
import { readRetryAfter } from './retry-after.js';
import type { Sample } from './sample.js';

/** When, in our time, a refusal lets the client back by its Retry-After, or else by its Reset; null where it does not say. */
export function letsBackAt(refusal: Sample, clock: ServerClock | null): number | null {
  const after = readRetryAfter(refusal.retryAfter);
  if (after.kind === 'seconds') return refusal.answeredAt + after.seconds * 1000;
  if (after.kind === 'date' && clock !== null) return after.unixMs - clock.lowMs;
  return resetTime(refusal, clock)?.latest ?? null;
}
