import {
  isLongBySeconds,
  minuteMs,
  mostInOneWindow,
  refillIntervalMs,
  ROUNDED_UP_MS,
  type Figures,
} from '../../../judge/limits/bounds.js';
import { gainShown } from '../../../judge/limits/clumps.js';
import { resetTime, type ServerClock } from '../../../judge/limits/clock.js';
import { plainInteger } from '../../../judge/limits/headers/header-number.js';
import { quickestOf, type Sample } from '../../../judge/limits/sample.js';
import { MOST_UNCERTAIN } from '../../load/refusal-bound.js';

/**
 * Most room in a window that is worth a wait, as a share. A longer burst begins with less, as after the
 * suites' requests: if the window ends in it, the rest counts as the start of the next window's, no later
 * than after a wait.
 */
const MOST_ROOM = 0.75;

/**
 * Returns when a burst of `burstMs` may begin after the key's latest response, to stay inside one window:
 * now, or just after Reset if the window ends earlier and the next one has more room. A refilling limiter
 * shows a near Reset when all is there. No window ends then, and waiting gains nothing and costs little.
 */
export function burstStart(
  latest: Sample,
  figures: Figures,
  clock: ServerClock | null,
  { burstMs, now }: { readonly burstMs: number; readonly now: number },
): number {
  const reset = resetTime(latest, clock);
  const neededMs = Math.min(burstMs, MOST_ROOM * minuteMs(figures));
  if (reset === null || reset.earliest - ROUNDED_UP_MS - now > neededMs) return now;
  const left = plainInteger(latest.remaining);
  const refills =
    left === figures.perMinute - 1 && reset.latest - latest.sentAt <= refillIntervalMs(figures) + 1000;
  const wait = reset.latest + 50;
  if (refills && minuteMs(figures) > 2 * burstMs + 3000) return now;
  // Never longer than a window: after it, any first request begins a new one.
  return Math.min(Math.max(wait, now), latest.answeredAt + minuteMs(figures));
}

/**
 * Requests that measure latency. The first opens the connection; the quicker of the other two shows the
 * network.
 */
const LATENCY_REQUESTS = 3;

/** Returns how many requests at the start of a burst measure latency. */
export const latencyRequests = ({ perMinute }: Figures): number =>
  Math.ceil(Math.min(LATENCY_REQUESTS, perMinute / 4));

/** Returns the time from sending to response on an open connection by the first samples of a burst, ms. */
export function latencyOf(burst: readonly Sample[], figures: Figures): number {
  const first = burst.slice(0, latencyRequests(figures));
  return quickestOf(first.length > 1 ? first.slice(1) : first);
}

/** Is true if a refill brings more than the few requests that may be open near the edge can use. */
export const isOutrun = (latencyMs: number, figures: Figures): boolean =>
  latencyMs / MOST_UNCERTAIN >= refillIntervalMs(figures);

/** Factor on latency * L / W at which a burst takes at most a third of a window, so that little refills. */
const LEAST_SHARE = 3;
/** Factor at which it takes a tenth, so that the rest of the window is left for later requests. */
const QUICK_SHARE = 10;

/** Factor on the latency of several connections: queues form. */
const SLOWER_IN_QUEUES = 2;
/** Most connections of a key: more are a load of their own, and some servers refuse them. */
const MOST_CONNECTIONS = 64;

/**
 * Returns the connections of a burst at this latency: one if that is quick enough, else as many as the bound
 * of refusals allows near the edge. A few more cost nothing, and keep refills during the burst small. On a
 * slow target a burst takes a third of a window with as many as latency and plan need.
 */
export function connectionsFor(latencyMs: number, figures: Figures): number {
  const share = isLongBySeconds(figures) ? QUICK_SHARE : LEAST_SHARE;
  if (share * latencyMs <= refillIntervalMs(figures)) return 1;
  const needed = Math.ceil((SLOWER_IN_QUEUES * LEAST_SHARE * latencyMs) / refillIntervalMs(figures));
  return Math.max(MOST_UNCERTAIN, Math.min(needed, MOST_CONNECTIONS));
}

/** Returns how long it may take to use up the limit, ms. */
export function burstMs(figures: Figures, latencyMs: number): number {
  const connections = connectionsFor(latencyMs, figures);
  return figures.perMinute * latencyMs * (connections === 1 ? 1 : SLOWER_IN_QUEUES / connections);
}

/** Single requests: three of each operation show its cost, and two more. */
const SINGLE_REQUESTS = 11;

/** Returns how long the single part of a burst takes, ms. */
export const singlesMs = (latencyMs: number): number => SINGLE_REQUESTS * latencyMs;

/** Returns how many of the remaining requests may be concurrent; the others go one by one. */
export const quickPart = (remaining: number, connections: number): number =>
  Math.max(0, remaining - SINGLE_REQUESTS - (connections > 1 ? 2 : 0));

/** Due refills that prove that none comes, with a reserve for open requests. */
const REFILLS_WANTED = 3;
/** Share of a refill interval below which no request can come back, and the bound is the limit itself. */
const LESS_THAN_ONE = 0.8;

/**
 * Returns the pause before the single part, in ms. A burst shorter than one refill interval needs none. For a
 * slightly longer one it would be unclear whether an extra request was a refill: the pause makes it longer.
 */
export function pauseBeforeTail(
  firstAnsweredAt: number,
  now: number,
  latencyMs: number,
  figures: Figures,
): number {
  const interval = refillIntervalMs(figures);
  const atTheEnd = now - firstAnsweredAt + (SINGLE_REQUESTS + 2) * latencyMs;
  return atTheEnd < LESS_THAN_ONE * interval ? 0 : pauseForRefills(firstAnsweredAt, now, figures);
}

/** Returns the pause, in ms, after which several refills since the first response are due. */
export const pauseForRefills = (firstAnsweredAt: number, now: number, figures: Figures): number =>
  Math.max(0, firstAnsweredAt + REFILLS_WANTED * refillIntervalMs(figures) - now);

/** Requests above the bound, enough to exclude rounding and a limit that is a tenth too high. */
export const BEYOND = 3;
const BEYOND_SHARE = 0.15;

/**
 * Returns the most requests of a burst without a 429, `elapsedMs` after the first of its `samples`. It
 * exceeds an even refill only if Remaining shows that more came back. The maximum is two windows' worth: a
 * target that is too slow gives back as fast as requests come.
 */
export function burstCeiling(figures: Figures, elapsedMs: number, samples: readonly Sample[]): number {
  const most = (inWindow: number): number =>
    Math.min(inWindow, 2 * figures.perMinute) + Math.max(BEYOND, Math.ceil(BEYOND_SHARE * figures.perMinute));
  const evenly = mostInOneWindow(figures, elapsedMs);
  if (samples.length < most(evenly)) return most(evenly);
  return most(Math.max(evenly, figures.perMinute + gainShown(samples, figures)));
}

/** Responses or rounds without a lower Remaining, after which no more will reach the limit. */
const STUCK_AFTER = 4;

/** Is true if what is left no longer falls, by its values so far. */
export function isStuck(lefts: readonly number[]): boolean {
  const before = lefts.at(-1 - STUCK_AFTER);
  return before !== undefined && (lefts.at(-1) ?? 0) >= before;
}
