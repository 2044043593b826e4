import { isLongBySeconds, minuteMs, mostInOneWindow, refillIntervalMs } from '../../limits/bounds.js';
import { cameBack } from '../../limits/came-back.js';
import { resetTime, type ServerClock } from '../../limits/clock.js';
import { plainInteger } from '../../limits/headers/header-number.js';
import type { Sample } from '../../limits/sample.js';
import type { Figures } from '../../limits/series.js';

/** Reset is told in whole seconds, and may be rounded up. */
const RESET_ROUNDED_MS = 1000;

/**
 * When a burst that will take `burstMs` may go on after its first answer, so that it stays inside one window: now, or just
 * after Reset where the window ends sooner than that. A limiter that refills shows a Reset close by when all is there, and
 * then no window ends: nothing is gained by waiting there, and little lost.
 */
export function burstStart(first: Sample, figures: Figures, clock: ServerClock | null, burstMs: number): number {
  const reset = resetTime(first, clock);
  if (reset === null || reset.earliest - RESET_ROUNDED_MS - first.answeredAt > burstMs) return first.answeredAt;
  const left = plainInteger(first.remaining);
  const refills = left === figures.perMinute - 1 && reset.latest - first.sentAt <= refillIntervalMs(figures) + 1000;
  const wait = reset.latest + 50;
  if (refills && minuteMs(figures) > 2 * burstMs + 3000) return first.answeredAt;
  // Never longer than a window: past it, any first request begins a new one.
  return Math.min(Math.max(wait, first.answeredAt), first.answeredAt + minuteMs(figures));
}

/** At most so many: more would be an attack, and a target that needs them is too slow to be judged. */
const MOST_CONNECTIONS = 64;

/** So many times latency * L / W, and a burst lasts a third of a window at the most: little refills meanwhile. */
const LEAST_SHARE = 3;
/** And so many times, and it lasts a tenth: the rest of the window is left for what comes after it. */
const QUICK_SHARE = 10;

/** Connections that a burst needs at this latency; in windows of a few seconds as few as will do, for one by one tells more. */
export function connectionsFor(
  latencyMs: number,
  figures: Figures,
): { readonly connections: number; readonly tooSlow: boolean } {
  const times = (share: number): number => Math.ceil((share * latencyMs) / refillIntervalMs(figures));
  const needed = times(isLongBySeconds(figures) ? QUICK_SHARE : LEAST_SHARE);
  const connections = Math.min(MOST_CONNECTIONS, Math.max(1, needed));
  return { connections, tooSlow: times(LEAST_SHARE) > MOST_CONNECTIONS };
}

/** How long the allowance takes to be used up, s. */
export const burstSeconds = (figures: Figures, latencyMs: number): number =>
  (figures.perMinute * latencyMs) / connectionsFor(latencyMs, figures).connections / 1000;

/** Three of each operation show what each costs; two more stand beside them. */
const SINGLE_REQUESTS = 11;

/** How many of the allowance to leave for single requests: `quick` ones may be sent at once, the rest one by one. */
export function tailLength(
  remaining: number,
  connections: number,
): { readonly quick: number; readonly single: number } {
  const single = Math.min(remaining, SINGLE_REQUESTS + (connections > 1 ? 2 : 0));
  return { quick: Math.max(0, remaining - single), single };
}

/** Enough refills due to prove that none comes, with some to spare for what was under way. */
const REFILLS_WANTED = 3;
/** Below it not one request can come back meanwhile, and the bound is the limit itself. */
const LESS_THAN_ONE = 0.8;

/**
 * How long to pause before the single part, in ms. A burst that lasts less than one refill interval needs none; of one
 * that lasts a little longer it could not be told whether a request too many had come back, so it is made to last.
 */
export function pauseBeforeTail(firstAnsweredAt: number, now: number, latencyMs: number, figures: Figures): number {
  const interval = refillIntervalMs(figures);
  const atTheEnd = now - firstAnsweredAt + (SINGLE_REQUESTS + 2) * latencyMs;
  return atTheEnd < LESS_THAN_ONE * interval ? 0 : pauseForRefills(firstAnsweredAt, now, figures);
}

/** How long to pause, in ms, until several requests ought to have come back since the first answer, if any do. */
export const pauseForRefills = (firstAnsweredAt: number, now: number, figures: Figures): number =>
  Math.max(0, firstAnsweredAt + REFILLS_WANTED * refillIntervalMs(figures) - now);

/** Enough above the bound that what is served there is no rounding, and no limit that is a tenth too high. */
export const BEYOND = 3;
const BEYOND_SHARE = 0.15;

/**
 * How many a burst may send in all before it ends without a refusal, `elapsedMs` after the first of its `samples`: more
 * than comes back evenly only where Remaining shows that more did. Never more than two windows' worth: a target that is
 * too slow gives back as fast as it is asked, and cannot be judged so.
 */
export function burstCeiling(figures: Figures, elapsedMs: number, samples: readonly Sample[]): number {
  const most = (inWindow: number): number =>
    Math.min(inWindow, 2 * figures.perMinute) + Math.max(BEYOND, Math.ceil(BEYOND_SHARE * figures.perMinute));
  const evenly = mostInOneWindow(figures, elapsedMs);
  if (samples.length < most(evenly)) return most(evenly);
  const back = cameBack(samples, figures);
  return most(Math.max(evenly, figures.perMinute + (back === null ? 0 : back.most + back.unseen)));
}
