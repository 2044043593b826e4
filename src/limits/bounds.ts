import type { Sample } from './sample.js';
import type { Figures } from './series.js';

/** W in ms. */
export const minuteMs = ({ minuteSeconds }: Figures): number => minuteSeconds * 1000;

/** How long a limiter that refills takes for one request: W / L, in ms. */
export const refillIntervalMs = (figures: Figures): number => minuteMs(figures) / figures.perMinute;

/** What comes back in `elapsedMs` where the allowance refills evenly, with its fraction. */
export const refilled = (figures: Figures, elapsedMs: number): number =>
  Math.max(0, elapsedMs) / refillIntervalMs(figures);

/** Servers count whole milliseconds: between two such times up to one more seems to have passed than has. */
const CLOCK_GRAIN_MS = 2;
/** A clock that is being set right is slewed by up to 500 parts in a million, as NTP does on Unix systems. */
const CLOCK_SLEW = 0.0005;

/** The longest that `elapsedMs` of our time may have been by the server's clock, ms. */
export const longestByServer = (elapsedMs: number): number =>
  Math.max(0, elapsedMs) * (1 + CLOCK_SLEW) + CLOCK_GRAIN_MS;

/** The most whole requests that may come back in `elapsedMs` of our time where the allowance refills evenly. */
export const mostRefilled = (figures: Figures, elapsedMs: number): number =>
  Math.floor(refilled(figures, longestByServer(elapsedMs)));

/** The most that any sound limiter serves within one window: `floor(L + elapsed * L / W)`, elapsed by its own clock. */
export const mostInOneWindow = (figures: Figures, elapsedMs: number): number =>
  figures.perMinute + mostRefilled(figures, elapsedMs);

/** The most that any sound limiter serves in any span: two windows may touch it, and one more for each that fits in. */
export const mostInAnySpan = (figures: Figures, spanMs: number): number =>
  figures.perMinute * (Math.floor(spanMs / minuteMs(figures)) + 2);

/** Requests that were all counted between the sending of the first and the last answer. */
export interface Span {
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/**
 * The span that exceeds `base + rate * length` by the most, over all pairs of first and last request; null without
 * samples. `rate` is per ms. Samples in the order of sending; linear in their number.
 */
export function worstSpan(samples: readonly Sample[], rate: number): Span | null {
  let worst: { span: Span; excess: number } | null = null;
  let answered = -Infinity;
  let start = 0;
  let startScore = -Infinity;
  for (const [index, sample] of samples.entries()) {
    // The later a span starts, the fewer requests it holds and the shorter it is: the best start maximises rate * sentAt - index.
    const score = rate * sample.sentAt - index;
    if (score > startScore) [start, startScore] = [index, score];
    answered = Math.max(answered, sample.answeredAt);
    const from = samples[start]?.sentAt ?? sample.sentAt;
    const span: Span = { count: index - start + 1, from, to: answered };
    const excess = span.count - rate * (span.to - span.from);
    if (worst === null || excess > worst.excess) worst = { span, excess };
  }
  return worst?.span ?? null;
}
