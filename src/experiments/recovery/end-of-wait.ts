import { type Between, inOurTime, resetTime, type ServerClock } from '../../limits/clock.js';
import { readRetryAfter } from '../../limits/headers/retry-after.js';
import type { Sample } from '../../limits/sample.js';

/** When, in our time, Retry-After lets the client back; null where it does not say. */
export function endOfWait(refusal: Sample, clock: ServerClock | null): Between | null {
  const after = readRetryAfter(refusal.retryAfter);
  if (after.kind === 'seconds') {
    const waitMs = after.seconds * 1000;
    return { earliest: refusal.sentAt + waitMs, latest: refusal.answeredAt + waitMs };
  }
  if (after.kind !== 'date' || clock === null) return null;
  const { earliest, latest } = inOurTime(after.unixMs, clock);
  return { earliest, latest: Math.max(latest, refusal.answeredAt) };
}

/** Reset and Retry-After are both rounded. */
export const AGREEMENT_MS = 2000;

/** Whether the Reset of a refusal had come when it was answered, although it asks for a longer wait. */
export function resetHasPassed(refusal: Sample, clock: ServerClock | null): boolean {
  const [reset, wait] = [resetTime(refusal, clock), endOfWait(refusal, clock)];
  if (reset === null || wait === null) return false;
  return reset.latest < refusal.answeredAt && wait.earliest > refusal.answeredAt + AGREEMENT_MS;
}
