import { folded, type Fold } from './fold.js';
import type { Sample } from './sample.js';
import type { Figures } from './series.js';

/** Requests of the run itself, a retry and probes, that may have used a part of a window or of what came back. */
export const OWN_PROBES = 3;

/** W in ms. */
export const minuteMs = ({ minuteSeconds }: Figures): number => minuteSeconds * 1000;

/** Of a shorter window a second is so large a part that what counts whole seconds, headers and clocks, tells little. */
const LONG_BY_SECONDS = 10;

/** Whether whole seconds are fine enough to tell what happens within a window. */
export const isLongBySeconds = ({ minuteSeconds }: Figures): boolean => minuteSeconds >= LONG_BY_SECONDS;

/** Why a short window is told of in part, for people. */
export const inShort = ({ minuteSeconds }: Figures): string =>
  `headers count whole seconds, of which a window of ${minuteSeconds} s has few`;

/** How long a limiter that refills takes for one request: W / L, in ms. */
export const refillIntervalMs = (figures: Figures): number => minuteMs(figures) / figures.perMinute;

/** What comes back in `elapsedMs` where the allowance refills evenly, with its fraction. */
export const refilled = (figures: Figures, elapsedMs: number): number =>
  Math.max(0, elapsedMs) / refillIntervalMs(figures);

/** Servers count whole milliseconds: between two such times up to one more seems to have passed than has. */
const FINE_GRAIN_MS = 2;
/** A clock that is being set right is slewed by up to 500 parts in a million, as NTP does on Unix systems. */
const CLOCK_SLEW = 0.0005;

/**
 * The longest that `elapsedMs` of our time may have been by the server's clock, ms.
 * @param grainMs how coarse that clock is
 */
export const longestByServer = (elapsedMs: number, grainMs = FINE_GRAIN_MS): number =>
  Math.max(0, elapsedMs) * (1 + CLOCK_SLEW) + grainMs;

/** The most that may come back in `elapsedMs` of our time where the allowance refills evenly, with its fraction. */
export const mayHaveRefilled = (figures: Figures, elapsedMs: number): number =>
  refilled(figures, longestByServer(elapsedMs));

/** The most whole requests that may come back in `elapsedMs` of our time where the allowance refills evenly. */
export const mostRefilled = (figures: Figures, elapsedMs: number): number =>
  Math.floor(mayHaveRefilled(figures, elapsedMs));

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

/** What is known of the spans between any two of the samples so far. */
export interface Spans {
  /** The span that exceeds `base + rate * length` by the most; null without samples. */
  readonly worst: Span | null;
  readonly count: number;
  readonly lastAnswer: number;
  /** Where a span that ends now has to start to be the worst; null without samples. */
  readonly start: { readonly index: number; readonly from: number } | null;
}

const excessOf = (span: Span | null, rate: number): number =>
  span === null ? -Infinity : span.count - rate * (span.to - span.from);

/**
 * Finds the worst span over all pairs of first and last request, sample by sample. `rate` is per ms. A span ends with the
 * last answer so far, also one to a request before it: where answers overtake each other it is never told as too bad.
 */
export const spansAt = (rate: number): Fold<Spans> => ({
  none: { worst: null, count: 0, lastAnswer: -Infinity, start: null },
  with({ worst, count: index, ...before }, { sentAt, answeredAt }) {
    // A later start costs the requests before it, and gains the time before it: it is better where that is worth more.
    const isBetter = before.start === null || rate * (sentAt - before.start.from) > index - before.start.index;
    const start = before.start === null || isBetter ? { index, from: sentAt } : before.start;
    const lastAnswer = Math.max(before.lastAnswer, answeredAt);
    const span: Span = { count: index - start.index + 1, from: start.from, to: lastAnswer };
    return { worst: excessOf(span, rate) > excessOf(worst, rate) ? span : worst, count: index + 1, lastAnswer, start };
  },
});

/** The worst span of samples in the order of sending (`Spans`); null without samples. */
export const worstSpan = (samples: readonly Sample[], rate: number): Span | null =>
  folded(spansAt(rate), samples).worst;
