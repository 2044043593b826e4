import { minuteMs } from './bounds.js';
import { type ServerClock, resetTime } from './clock.js';
import { readRetryAfter } from './headers/retry-after.js';
import type { Sample } from './sample.js';
import type { Figures } from './series.js';

/** When, in our time, a refusal lets the client back by its Retry-After, or else by its Reset; null where it does not say. */
export function letsBackAt(refusal: Sample, clock: ServerClock | null): number | null {
  const after = readRetryAfter(refusal.retryAfter);
  if (after.kind === 'seconds') return refusal.answeredAt + after.seconds * 1000;
  if (after.kind === 'date' && clock !== null) return after.unixMs - clock.lowMs;
  return resetTime(refusal, clock)?.latest ?? null;
}

/** Of a limit by the minute: what lies further ahead says nothing of a minute, and no run is to hang on it. */
const MOST_WINDOWS = 3;

/** Whether a time (Unix ms) is near enough to `from` to be waited for: a server may name the year 9999. */
export const isWithinReach = (at: number, from: number, figures: Figures): boolean =>
  at <= from + MOST_WINDOWS * minuteMs(figures);
