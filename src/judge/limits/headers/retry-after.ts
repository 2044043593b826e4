import { readRetryAfter } from '../../../base/interface/retry-after.js';
import { minuteMs, type Figures } from '../bounds.js';
import { type ServerClock, resetTime } from '../clock.js';
import type { Sample } from '../sample.js';

export { readRetryAfter, waitOf } from '../../../base/interface/retry-after.js';

/** Returns when a 429 allows the next request, by our clock: by Retry-After, else by Reset; null without both. */
export function nextAllowedAt(refusal: Sample, clock: ServerClock | null): number | null {
  const after = readRetryAfter(refusal.retryAfter);
  if (after.kind === 'seconds') return refusal.answeredAt + after.seconds * 1000;
  if (after.kind === 'date' && clock !== null) return after.unixMs - clock.lowMs;
  return resetTime(refusal, clock)?.latest ?? null;
}

/** Windows that a run waits for at most. A later time says nothing about a limit by the minute. */
const MOST_WINDOWS = 3;

/** Is true if a time (Unix ms) is near enough to `from` to wait for it: a server may name the year 9999. */
export const isWithinReach = (at: number, from: number, figures: Figures): boolean =>
  at <= from + MOST_WINDOWS * minuteMs(figures);
