import type { TimedRequest } from '../../wire/exchange/types.js';

/** A plan's limits and the length of its windows (60 and 86,400 s, except on test servers). */
export interface Figures {
  readonly perMinute: number;
  readonly perDay: number;
  /** W: this target's minute, in seconds. */
  readonly minuteSeconds: number;
  readonly daySeconds: number;
  /** Longest ban that the operator promises (`ban.maxSeconds`); absent if not declared. */
  readonly banSeconds?: number | undefined;
}

/** Returns the figures of a plan's day: it is a long window, of which holds what holds of the minute's. */
export const figuresOfDay = (figures: Figures): Figures => ({
  ...figures,
  perMinute: figures.perDay,
  minuteSeconds: figures.daySeconds,
});

/** So many a chance explains: a refill may bring one; a window's edge, a rounded or late Remaining another. */
export const SLACK = 2;
/** One is a mishap: it was all but there, or counted a response later. */
export const MISHAP = 1;
/** So many are no chance. */
export const FEWEST = SLACK + 1;
/** Fewest values that show how often something happens. */
export const MANY = 10;
/** What takes less than this share of a window, or of a plan, is none: a tenth is for clocks and latency. */
export const BRIEF = 0.1;
/** The rest of a window, or of a plan, is all of it. */
export const NEARLY = 1 - BRIEF;
/** More than half is most: neither chance, nor somebody else, nor a step of a refill makes up so much. */
export const MOSTLY = 1 / 2;
/** So many times what an even refill brings is clearly more. */
export const CLEARLY_MORE = 2;
/**
 * Windows after which nothing before them counts: a sliding counter weighs the window before, and a bucket
 * that refills at half the rate is full.
 */
export const REMEMBERED_WINDOWS = 2;
/** Answers of parallel requests come in any order: so many places at most. */
export const OVERTAKEN = 8;
/** Odds above which a chance may explain what is seen. */
export const DOUBTFUL = 0.1;
/** Odds at which no chance explains it. */
export const RARE = 0.001;

export const minuteMs = ({ minuteSeconds }: Figures): number => minuteSeconds * 1000;

/** Largest part by which a log counts its window: it forgets a request up to one part sooner. */
const PART = 1 / 6;

/** Returns the shortest time after which a request may leave a sliding window, ms. */
export const soonestExitMs = (figures: Figures): number => (1 - PART) * minuteMs(figures);

/** Shortest window, in seconds, for which headers and clocks in whole seconds are precise enough. */
const LONG_BY_SECONDS = 10;

export const isLongBySeconds = ({ minuteSeconds }: Figures): boolean => minuteSeconds >= LONG_BY_SECONDS;

/** Most by which a time in whole seconds is rounded up, ms. */
export const ROUNDED_UP_MS = 1000;

/** Most by which two such times together are off, ms. */
export const BOTH_ROUNDED_MS = 2 * ROUNDED_UP_MS;

/** Explains to a reader why a short window is tested only in part. */
export const inShort = ({ minuteSeconds }: Figures): string =>
  `headers count whole seconds, too coarse for a ${minuteSeconds} s window`;

/** Time in which a refilling limiter gives back one request: W / L, in ms. */
export const refillIntervalMs = (figures: Figures): number => minuteMs(figures) / figures.perMinute;

/** Servers count whole milliseconds: a span between two such times may seem up to 1 ms longer than it is. */
const FINE_GRAIN_MS = 2;
/** NTP on Unix corrects a clock by up to 500 parts in a million. */
const CLOCK_SLEW = 0.0005;

/** Longest time that `elapsedMs` of our time may last by the server's clock, ms. */
export const longestByServer = (elapsedMs: number): number =>
  Math.max(0, elapsedMs) * (1 + CLOCK_SLEW) + FINE_GRAIN_MS;

/** Returns the time of ours that surely lasts no longer than `ms` by the server's clock, ms. */
export const surelyWithin = (ms: number): number => ms * (1 - CLOCK_SLEW) - FINE_GRAIN_MS;

/** Requests that were all counted between the first sending and the last response. */
export interface Span {
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

const excessOf = (span: Span | null, rate: number): number =>
  span === null ? -Infinity : span.count - rate * (span.to - span.from);

/**
 * Finds the span that exceeds `base + rate * length` most, over all pairs of first and last request; null
 * without requests. A span ends with the latest response so far, even if that belongs to an earlier request:
 * so it is never overstated.
 *
 * @param requests in order of sending
 * @param rate per ms
 */
export function worstSpan(
  requests: readonly Pick<TimedRequest, 'sentAt' | 'answeredAt'>[],
  rate: number,
): Span | null {
  let worst: Span | null = null;
  let start = { index: 0, from: requests[0]?.sentAt ?? 0 };
  let lastAnswer = -Infinity;
  for (const [index, { sentAt, answeredAt }] of requests.entries()) {
    // A later start loses earlier requests and their time. It is better if that time is worth more.
    if (rate * (sentAt - start.from) > index - start.index) start = { index, from: sentAt };
    lastAnswer = Math.max(lastAnswer, answeredAt);
    const span: Span = { count: index - start.index + 1, from: start.from, to: lastAnswer };
    if (excessOf(span, rate) > excessOf(worst, rate)) worst = span;
  }
  return worst;
}
