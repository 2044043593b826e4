import { wasRefused } from '../../limits/answers.js';
import { minuteMs, refillIntervalMs } from '../../limits/bounds.js';
import { resetTime, type ServerClock } from '../../limits/clock.js';
import type { Sample } from '../../limits/sample.js';
import type { Figures } from '../../limits/series.js';
import { BEYOND } from '../../load/bursting/pace.js';
import { leeway } from '../../limits/leeway.js';

/** Of the plan: no sound limiter refuses it, but for a strict pacer (part 8, measured). */
export const STEADY_SHARE = 0.95;

/** A window that is longer than the plan's refuses at 95 % only after 1 / 0.95 of the plan's window. */
const STEADY_WINDOWS = 1.1;

/** The steady run: silence before it, gap between requests, and how long it lasts, in ms. */
export interface SteadyPlan {
  readonly silenceMs: number;
  readonly gapMs: number;
  readonly requests: number;
}

/**
 * A steady run has to hold one whole window, also a clock-aligned one that had begun before it: it lasts a little more than one, and
 * what the first answer's Reset leaves of the one before. Give null for the first answer to learn the longest.
 */
export function steadyPlan(figures: Figures, first: Sample | null, clock: ServerClock | null): SteadyPlan {
  const gapMs = refillIntervalMs(figures) / STEADY_SHARE;
  const window = minuteMs(figures);
  const reset = first === null ? null : resetTime(first, clock);
  const untilReset = first === null || reset === null ? window : reset.latest - first.sentAt;
  // What is left of a window that has begun already does not count: the next has to be filled too.
  const begun = untilReset < 0.95 * window;
  const whole = STEADY_WINDOWS * window;
  const lasts = first === null ? whole + window : whole + (begun ? Math.max(0, untilReset) : 0);
  return { silenceMs: 2 * window + leeway(figures), gapMs, requests: Math.ceil(lasts / gapMs) };
}

/** Whether the last answers of a steady run make going on pointless: three refusals in a row are no strict pacer's. */
export const steadyDecided = (samples: readonly Sample[]): boolean =>
  samples.length >= 3 && samples.slice(-3).every(wasRefused);

/** What comes back bit by bit and, once a day, all at once; a few more show that it is no rounding. */
export function dayCeiling(figures: Figures, elapsedMs: number): number {
  const back = (figures.perDay * elapsedMs) / (figures.daySeconds * 1000);
  return Math.floor(figures.perDay + back) + BEYOND;
}
