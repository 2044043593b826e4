import { isLongBySeconds, minuteMs, refillIntervalMs, type Figures } from '../../limits/bounds.js';
import { resetTime, type ServerClock } from '../../limits/clock.js';
import { plainInteger, unixReset } from '../../limits/headers/header-number.js';
import { type Sample, wasServed } from '../../limits/sample.js';
import { leeway } from '../../limits/timing.js';

/**
 * Share of a window: a counter that each request extends lasts this much too long. A window of three quarters restarts
 * earlier, whatever its headers say.
 */
const SPREAD_SHARE = 0.8;
/** Requests left for the last part of a spread burst, before the 429. */
export const LEFT_FOR_THE_LAST = 1;

/** Returns when to send the last of the limit, so that it is spread over most of a window, Unix ms. */
export const lastOfSpreadAt = (first: Sample, figures: Figures): number =>
  first.sentAt + SPREAD_SHARE * minuteMs(figures);

/** Returns when every algorithm allows a request after a spread: a window after its first, plus one refill. */
export const servedAfterSpreadAt = (first: Sample, figures: Figures): number =>
  first.answeredAt + minuteMs(figures) + refillIntervalMs(figures) + leeway(figures);

/** Slack for rounding, and for a Reset that is always a window ahead of now, ms. */
const CREEPS_MS = 2000;

/** Is true if Reset moved with the requests, like the time until a bucket is full, and not only with time. */
export function refills(burst: readonly Sample[], figures: Figures): boolean {
  const served = burst.filter(wasServed);
  const told = served.flatMap(({ reset }) => unixReset(reset) ?? []);
  const [first, last] = [served[0], served.at(-1)];
  if (first === undefined || last === undefined || told.length < 2) return false;
  const moved = (told.at(-1) ?? 0) - (told[0] ?? 0);
  const due = (served.length * refillIntervalMs(figures)) / 2;
  return moved > due && moved > last.answeredAt - first.sentAt + CREEPS_MS;
}

/**
 * Returns when to send the last of a burst: after more than half a window, so that requests that extend their window
 * show. Null if they would not show: the limiter refills, the window ends before, or it lasts a few seconds, so that
 * whole seconds do not show its end (`SpreadSeries` does).
 * @param burst requests so far, from the first of its window
 */
export function lastOfBurstAt(burst: readonly Sample[], figures: Figures, clock: ServerClock | null): number | null {
  const [first, last] = [burst[0], burst.at(-1)];
  if (first === undefined || last === undefined || !isLongBySeconds(figures) || refills(burst, figures)) return null;
  const at = lastOfSpreadAt(first, figures);
  const reset = resetTime(last, clock);
  const rolls = reset !== null && reset.earliest < at + CREEPS_MS;
  return rolls || last.answeredAt >= at ? null : at;
}

/** Is true if only the last of the limit is left, by the last response and by the number sent. */
export function isAllButTheLast(burst: readonly Sample[], figures: Figures): boolean {
  const left = plainInteger(burst.at(-1)?.remaining ?? null);
  return (left !== null && left <= LEFT_FOR_THE_LAST) || burst.length >= figures.perMinute - LEFT_FOR_THE_LAST;
}
