import { ROUNDED_UP_MS } from './bounds.js';
import type { Sample } from './sample.js';
import { readReset, unixReset } from '../../base/interface/rate-headers.js';

/**
 * Bounds of the server's clock minus ours, ms. `lowMs` always holds: a `Date` is never ahead of its clock.
 * `highMs` assumes a `Date` no staler than `STALE_MS`.
 */
export interface ServerClock {
  readonly lowMs: number;
  readonly highMs: number;
}

/** Correct servers may send a `Date` that is 2.3 s old: they renew it only now and then. */
export const STALE_MS = 2300;

export const NO_CLOCK: ServerClock = { lowMs: -Infinity, highMs: Infinity };

/** Narrows bounds by one more response. A server writes `Date` between the sending and the response. */
const narrowed = (bounds: ServerClock, { date, sentAt, answeredAt }: Sample): ServerClock =>
  date === null
    ? bounds
    : {
        lowMs: Math.max(bounds.lowMs, date - answeredAt),
        highMs: Math.min(bounds.highMs, date + ROUNDED_UP_MS - sentAt),
      };

/** Intersects the bounds of all responses: infinite without any `Date`; high below low if stale ones disagree. */
export const clockBounds = (samples: readonly Sample[]): ServerClock => samples.reduce(narrowed, NO_CLOCK);

export const overlap = (all: readonly ServerClock[]): ServerClock => ({
  lowMs: Math.max(...all.map(({ lowMs }) => lowMs)),
  highMs: Math.min(...all.map(({ highMs }) => highMs)),
});

/**
 * Returns the clock within bounds; null without any `Date`. If stale ones leave the bounds empty, it widens
 * them.
 */
export function clockWithin({ lowMs, highMs }: ServerClock): ServerClock | null {
  if (lowMs === -Infinity) return null;
  return { lowMs, highMs: highMs >= lowMs ? highMs : lowMs + STALE_MS };
}

export interface Between {
  readonly earliest: number;
  readonly latest: number;
}

export const inOurTime = (unixMs: number, clock: ServerClock): Between => ({
  earliest: unixMs - clock.highMs,
  latest: unixMs - clock.lowMs,
});

/**
 * Returns our time of a response's Reset, in whatever unit it is. Null if the header is unreadable or the
 * clock that it needs is unknown.
 */
export function resetTime(sample: Sample, clock: ServerClock | null): Between | null {
  const reset = readReset(sample.reset);
  if (reset === null) return null;
  if (reset.unit === 'seconds-to-go') {
    return {
      earliest: sample.sentAt + reset.seconds * 1000,
      latest: sample.answeredAt + reset.seconds * 1000,
    };
  }
  return clock === null ? null : inOurTime(reset.unixMs, clock);
}

/** Returns the same of a Reset in Unix seconds; null for one in another unit. */
export const unixResetTime = (sample: Sample, clock: ServerClock | null): Between | null =>
  unixReset(sample.reset) === null ? null : resetTime(sample, clock);
