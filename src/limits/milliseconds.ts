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

/** What a Retry-After may count where, as seconds, it is many windows long. */
type Unit = 'seconds' | 'milliseconds' | 'untold';

/**
 * What a Retry-After counts: as seconds it is many windows long, as milliseconds it ends when Reset does, or within the
 * window where Reset does not say or is past; untold where Reset tells of neither end.
 */
function unitOf(refusal: Sample, figures: Figures, clock: ServerClock | null): Unit {
  const after = readRetryAfter(refusal.retryAfter);
  if (after.kind !== 'seconds' || speaksOfDay(refusal, figures)) return 'seconds';
  if (after.seconds < MANY_WINDOWS * figures.minuteSeconds) return 'seconds';
  const reset = resetTime(refusal, clock);
  // One that is past says nothing of when the wait ends.
  if (reset === null || reset.latest < refusal.answeredAt - AGREEMENT_MS)
    return after.seconds <= minuteMs(figures) + ROUNDED_UP_MS ? 'milliseconds' : 'untold';
  const isThen = (end: number): boolean => end >= reset.earliest - AGREEMENT_MS && end <= reset.latest + AGREEMENT_MS;
  if (isThen(refusal.answeredAt + after.seconds)) return 'milliseconds';
  return isThen(refusal.answeredAt + after.seconds * 1000) ? 'seconds' : 'untold';
}

/** Whether a Retry-After was written in milliseconds. */
export const isInMilliseconds = (...given: Parameters<typeof unitOf>): boolean => unitOf(...given) === 'milliseconds';

/** Whether nothing tells if a Retry-After was written in seconds. */
export const isOfUntoldUnit = (...given: Parameters<typeof unitOf>): boolean => unitOf(...given) === 'untold';
