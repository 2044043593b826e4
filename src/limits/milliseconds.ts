import { speaksOfDay } from './answers.js';
import { minuteMs } from './bounds.js';
import { type ServerClock, resetTime } from './clock.js';
import { readRetryAfter } from './headers/retry-after.js';
import type { Sample } from './sample.js';
import type { Figures } from './series.js';

/** In milliseconds, a wait of a window is this much longer than the window itself, with a wide margin. */
const MANY_WINDOWS = 100;
/** Retry-After and Reset are both rounded. */
const AGREEMENT_MS = 2000;
/** Whole seconds are rounded up. */
const ROUNDED_UP_MS = 1000;

/**
 * Whether a Retry-After was written in milliseconds: as seconds it is many windows long, as milliseconds it ends when
 * Reset does, or within the window where Reset does not say.
 */
export function isInMilliseconds(refusal: Sample, figures: Figures, clock: ServerClock | null): boolean {
  const after = readRetryAfter(refusal.retryAfter);
  if (after.kind !== 'seconds' || speaksOfDay(refusal, figures)) return false;
  if (after.seconds < MANY_WINDOWS * figures.minuteSeconds) return false;
  const reset = resetTime(refusal, clock);
  if (reset === null) return after.seconds <= minuteMs(figures) + ROUNDED_UP_MS;
  const end = refusal.answeredAt + after.seconds;
  return end >= reset.earliest - AGREEMENT_MS && end <= reset.latest + AGREEMENT_MS;
}
