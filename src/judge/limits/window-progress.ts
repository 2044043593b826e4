import { minuteMs, type Figures } from './bounds.js';
import type { ServerClock } from './clock.js';
import { windowBegan, windowsSeen } from './windows-seen.js';
import { bySending, wasRefused, wasServed, type Sample, servedIn } from './sample.js';
import type { OfKey } from './refill-rate.js';
import { nextAllowedAt } from './headers/retry-after.js';

/** Bursts of one key, each to its first 429, in order. */
export type Bursts = readonly (readonly Sample[])[];

/** Extent of the evidence for `rate-window`. */
type WindowProgress =
  /** The evidence spans a window, or the client was not allowed again before one ended. */
  | { readonly kind: 'over' }
  /** The client was allowed again before a window ended, and sends again at this time, Unix ms. */
  | { readonly kind: 'open'; readonly at: number }
  /** Refills were used long enough; one burst is missing, at this time, a window after the first. */
  | { readonly kind: 'drained'; readonly at: number }
  /** The last burst got no 429 (`unrefused`), or one that names no time (`no-time`). */
  | { readonly kind: 'unrefused' | 'no-time' };

/**
 * Share of the limit that makes a burst whole, and of a window that makes it over: retries and rounding take
 * the rest.
 */
const NEARLY = 0.9;
/**
 * Refills are used until this share of a window, and for at least that share: it shows a rate of a third too
 * much.
 */
const DRAINED = { until: 0.6, least: 1 / 6 };
/** First extra wait after a burst without a success, as a share of a window; it doubles each time. */
const FIRST_BACKOFF = 1 / 60;
/** Share of a window for late timers, and for a server's clock that is slower than ours. */
const LATER = 0.01;

/**
 * Measures how far bursts reach. A limiter that allows the client again before a window is over may be one of
 * short windows. So the client sends again whenever a 429 allows it, until a window has passed since the
 * first burst began.
 */
export function windowProgress(
  bursts: Bursts,
  { figures, earlier }: OfKey,
  clock: ServerClock | null,
): WindowProgress {
  // A burst that met the end of a window waited for the next one, which counts.
  const [first] = windowsSeen(bySending(bursts[0] ?? []), figures).pieces.at(-1)?.samples ?? [];
  const refusal = bursts.at(-1)?.find(wasRefused);
  if (first === undefined || refusal === undefined) return { kind: 'unrefused' };
  const allowedAt = nextAllowedAt(refusal, clock);
  if (allowedAt === null) return { kind: 'no-time' };
  const back = Math.max(allowedAt, refusal.answeredAt) + backoffMs(bursts, figures);
  const began = windowBegan(first, figures, earlier);
  return isRefilled(bursts, began + minuteMs(figures), figures)
    ? byRefills(bursts, began, back, figures)
    : byWindows(bursts, began, back, figures);
}

/**
 * Returns the extra wait after bursts without a success, ms: clients back off exponentially (part 8). Where
 * Retry-After is rounded down to 0, only so does the next window come before the most refusals in a row.
 */
function backoffMs(bursts: Bursts, figures: Figures): number {
  const refusedWhole = bursts.length - 1 - bursts.findLastIndex((burst) => burst.some(wasServed));
  return refusedWhole === 0 ? 0 : FIRST_BACKOFF * minuteMs(figures) * 2 ** (refusedWhole - 1);
}

/**
 * True if the allowance came back in parts before its window could end. The last burst may have found all of
 * it, a window later.
 */
function isRefilled(bursts: Bursts, windowEnd: number, figures: Figures): boolean {
  const [, second] = bursts;
  const inParts = (later: Bursts): boolean =>
    later.some((burst) => servedIn(burst) > 0) && later.every(isPart);
  const isPart = (burst: readonly Sample[]): boolean => servedIn(burst) < NEARLY * figures.perMinute;
  const isSooner = (second?.[0]?.sentAt ?? Infinity) < windowEnd;
  return isSooner && (inParts(bursts.slice(1)) || inParts(bursts.slice(1, -1)));
}

/**
 * Refills are used in the first part of a window. A limit on top of them is back when its window is over:
 * then comes the last burst.
 */
function byRefills(bursts: Bursts, began: number, back: number, figures: Figures): WindowProgress {
  const window = minuteMs(figures);
  const lastAt = began + (1 + LATER) * window;
  if ((bursts.at(-1)?.at(-1)?.sentAt ?? 0) >= lastAt) return { kind: 'over' };
  const refilledFrom = bursts[1]?.[0]?.sentAt ?? back;
  const until = Math.max(began + DRAINED.until * window, refilledFrom + DRAINED.least * window);
  return back < until ? { kind: 'open', at: back } : { kind: 'drained', at: lastAt };
}

/**
 * Windows of the clock allow the client again early once, at their edge: a whole burst begins the time anew.
 * A log allows it again as requests leave: after a burst of half a window or more, until its last one is a
 * window old.
 */
function byWindows(bursts: Bursts, began: number, back: number, figures: Figures): WindowProgress {
  const window = minuteMs(figures);
  const last = bursts.findLastIndex((burst) => servedIn(burst) >= NEARLY * figures.perMinute);
  const anew = (bursts[last]?.find(wasServed)?.sentAt ?? began) + NEARLY * window;
  const late = bursts[0]?.findLast(wasServed)?.sentAt ?? began;
  const isSpread = 2 * (late - began) >= window;
  const end = last > 0 ? Math.min(anew, isSpread ? late + window : Infinity) : began + window;
  const latest = bursts.at(-1) ?? [];
  // A burst without a success shows only the time that the client waited.
  const reached = servedIn(latest) > 0 ? back : (latest.at(-1)?.sentAt ?? 0);
  return reached >= end ? { kind: 'over' } : { kind: 'open', at: back };
}
