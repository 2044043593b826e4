import { longestByServer, minuteMs, REMEMBERED_WINDOWS, ROUNDED_UP_MS, type Figures } from './bounds.js';
import { inOurTime, resetTime, type Between, type ServerClock } from './clock.js';
import { readRetryAfter } from '../../base/interface/retry-after.js';
import type { Sample } from './sample.js';

/** Returns the longest wait for a minute's limit, ms, in whole seconds. */
export const longestWaitMs = (figures: Figures): number =>
  REMEMBERED_WINDOWS * minuteMs(figures) + ROUNDED_UP_MS;

/**
 * Returns when a refusal allows its client back, Unix ms by our clock: exactly Retry-After after its arrival,
 * or when the server's clock has certainly reached a date. Without a valid one: a second after Reset, else a
 * window. It allows for two clocks that differ, not for rounding by the server.
 */
export const whenAllowed = (refusal: Sample, figures: Figures, clock: ServerClock | null): number =>
  refusal.answeredAt + Math.min(Math.max(0, waitAskedMs(refusal, figures, clock)), longestWaitMs(figures));

/** Is true if a refusal asks for a longer wait than any minute's: for the day, a ban, or the year 9999. */
export const asksBeyondMinute = (refusal: Sample, figures: Figures, clock: ServerClock | null): boolean =>
  waitAskedMs(refusal, figures, clock) > longestWaitMs(figures);

/** Returns the wait that a refusal asks for, ms from its arrival. */
function waitAskedMs(refusal: Sample, figures: Figures, clock: ServerClock | null): number {
  const end = endOfWait(refusal, clock);
  if (end !== null) return longestByServer(end.latest - refusal.answeredAt);
  const reset = resetTime(refusal, clock);
  return reset === null ? minuteMs(figures) : reset.latest + ROUNDED_UP_MS - refusal.answeredAt;
}

/** Returns the end of Retry-After by our clock; null if it names none. */
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
