import { isLongBySeconds, minuteMs, refillIntervalMs } from '../../limits/bounds.js';
import { resetTime, type ServerClock } from '../../limits/clock.js';
import { plainInteger, readReset } from '../../limits/headers/header-number.js';
import type { Figures } from '../../limits/series.js';
import { type Sample, wasServed } from '../../limits/sample.js';
import { leeway } from '../../limits/timing.js';

/**
 * A counter whose expiry each request renews lasts this much of a window longer than it may; and a window of three quarters
 * has begun anew before, whatever its headers tell.
 */
const SPREAD_SHARE = 0.8;

/** Of a burst this many are left for its last part, where it is spread: the last of the allowance, before the refusal. */
export const LEFT_FOR_THE_LAST = 1;

/** When the last of the allowance is asked for, so that it is spread over most of a window. Unix ms. */
export const lastOfSpreadAt = (first: Sample, figures: Figures): number =>
  first.sentAt + SPREAD_SHARE * minuteMs(figures);

/** When a client that spread its allowance is served again by every algorithm: a window after its first request, and one refill. */
export const servedAfterSpreadAt = (first: Sample, figures: Figures): number =>
  first.answeredAt + minuteMs(figures) + refillIntervalMs(figures) + leeway(figures);

/** Rounding; and what passes while a burst lasts moves a Reset that is a window ahead of now. */
const CREEPS_MS = 2000;

/** Whether Reset moved on with the requests, as the time does until a bucket is full, and not with time alone. */
export function refills(burst: readonly Sample[], figures: Figures): boolean {
  const served = burst.filter(wasServed);
  const told = served.flatMap(({ reset }) => {
    const read = readReset(reset);
    return read?.unit === 'unix-seconds' ? [read.unixMs] : [];
  });
  const [first, last] = [served[0], served.at(-1)];
  if (first === undefined || last === undefined || told.length < 2) return false;
  const moved = (told.at(-1) ?? 0) - (told[0] ?? 0);
  const due = (served.length * refillIntervalMs(figures)) / 2;
  return moved > due && moved > last.answeredAt - first.sentAt + CREEPS_MS;
}

/**
 * When the last of a burst is to be sent: after more than half of a window, so that an expiry which each request renews
 * shows in what follows. Null where it would not: where the limiter refills, where the window is over before, and in
 * windows of a few seconds, whose end whole seconds do not tell (`SpreadSeries` does it there).
 * @param burst what was sent of it, from the first of its window on
 */
export function lastOfBurstAt(burst: readonly Sample[], figures: Figures, clock: ServerClock | null): number | null {
  const [first, last] = [burst[0], burst.at(-1)];
  if (first === undefined || last === undefined || !isLongBySeconds(figures) || refills(burst, figures)) return null;
  const at = lastOfSpreadAt(first, figures);
  const reset = resetTime(last, clock);
  const rolls = reset !== null && reset.earliest < at + CREEPS_MS;
  return rolls || last.answeredAt >= at ? null : at;
}

/** Whether all but the last of the allowance is gone, by what the last answer says and by how many were sent. */
export function isAllButTheLast(burst: readonly Sample[], figures: Figures): boolean {
  const left = plainInteger(burst.at(-1)?.remaining ?? null);
  return (left !== null && left <= LEFT_FOR_THE_LAST) || burst.length >= figures.perMinute - LEFT_FOR_THE_LAST;
}
