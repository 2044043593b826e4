import type { Fold } from './fold.js';
import { readReset } from './headers/header-number.js';
import type { Sample } from './sample.js';

/**
 * How far the server's clock is ahead of ours, in ms: somewhere between the two. `lowMs` always holds (a `Date` is never
 * ahead of the clock it was read from); `highMs` supposes a `Date` no staler than `STALE_MS`.
 */
export interface ServerClock {
  readonly lowMs: number;
  readonly highMs: number;
}

/** `Date` counts whole seconds. */
const RESOLUTION_MS = 1000;
/** Sound servers were seen to send a `Date` that was 2.3 s old: they write it anew only now and then. */
const STALE_MS = 2300;

/** What the `Date` of some answers allows: unbounded without any, and empty (high below low) where stale ones disagree. */
export type ClockBounds = ServerClock;

/** The intersection of what each answer's `Date` allows, which was written between its sending and its arrival. */
export const clockBounds: Fold<ClockBounds> = {
  none: { lowMs: -Infinity, highMs: Infinity },
  with: (bounds, { date, sentAt, answeredAt }) =>
    date === null ? bounds : overlap([bounds, { lowMs: date - answeredAt, highMs: date + RESOLUTION_MS - sentAt }]),
};

/** What all of these bounds allow together. */
export const overlap = (all: readonly ClockBounds[]): ClockBounds => ({
  lowMs: Math.max(...all.map(({ lowMs }) => lowMs)),
  highMs: Math.min(...all.map(({ highMs }) => highMs)),
});

/** The clock within such bounds. Where stale ones leave them empty, staleness is allowed for; null without any `Date`. */
export function clockWithin({ lowMs, highMs }: ClockBounds): ServerClock | null {
  if (lowMs === -Infinity) return null;
  return { lowMs, highMs: highMs >= lowMs ? highMs : lowMs + STALE_MS };
}

/** A point in time of which only bounds are known, in ms. */
export interface Between {
  readonly earliest: number;
  readonly latest: number;
}

/** The time of ours at which the server's clock shows `unixMs`. */
export const inOurTime = (unixMs: number, clock: ServerClock): Between => ({
  earliest: unixMs - clock.highMs,
  latest: unixMs - clock.lowMs,
});

/**
 * When, in our time, the limit resets by this answer's X-RateLimit-Reset, whatever unit it is written in; null where the
 * header is unreadable or the clock that it needs is unknown.
 */
export function resetTime(sample: Sample, clock: ServerClock | null): Between | null {
  const reset = readReset(sample.reset);
  if (reset === null) return null;
  if (reset.unit === 'seconds-to-go') {
    return { earliest: sample.sentAt + reset.seconds * 1000, latest: sample.answeredAt + reset.seconds * 1000 };
  }
  return clock === null ? null : inOurTime(reset.unixMs, clock);
}
