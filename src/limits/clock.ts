import { readReset } from './header-number.js';
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

/**
 * The server's clock from the `Date` of the answers, each of which was written between sending and answer: the
 * intersection of what each allows. Where stale ones leave it empty, staleness is allowed for; null without any `Date`.
 */
export function serverClock(samples: readonly Sample[]): ServerClock | null {
  let lowMs = -Infinity;
  let highMs = Infinity;
  for (const { date, sentAt, answeredAt } of samples) {
    if (date === null) continue;
    lowMs = Math.max(lowMs, date - answeredAt);
    highMs = Math.min(highMs, date + RESOLUTION_MS - sentAt);
  }
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
