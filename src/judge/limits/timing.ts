import { minuteMs, ROUNDED_UP_MS, type Figures } from './bounds.js';
import { type Sample, describesDay } from './sample.js';
import { samplesOf } from './key-samples.js';
import type { KeySeries, Stall } from './series.js';
import { type ServerClock, resetTime } from './clock.js';
import { readRetryAfter } from '../../base/interface/retry-after.js';

/** A stall this long, ms, makes timers and responses too late for judgements within a second. */
const LONG_MS = 1000;
/** Share of a window: short stalls of this sum make a burst as slow as one long stall does. */
const MUCH_SHARE = 0.2;

/** Most time that stalls took within any stretch of `spanMs`, ms. */
function mostWithin(stalls: readonly Stall[], spanMs: number): number {
  let [most, sum, first] = [0, 0, 0];
  for (const { from, to } of stalls) {
    sum += to - from;
    for (let old = stalls[first]; old !== undefined && old.from < to - spanMs; old = stalls[(first += 1)])
      sum -= old.to - old.from;
    most = Math.max(most, sum, to - from);
  }
  return most;
}

/**
 * Returns the longest stall while a key's requests were open, ms; null if it was too short to matter. A
 * sample's times always enclose the server's work. After a long stall they enclose too much, and scheduled
 * requests left at the wrong time.
 */
export function stalledMs(key: KeySeries): number | null {
  const { figures, stalls } = key;
  const all = samplesOf(key);
  const [from, to] = [all[0]?.sentAt ?? Infinity, Math.max(...all.map(({ answeredAt }) => answeredAt))];
  const during = stalls.filter((stall) => stall.to >= from && stall.from <= to);
  const window = minuteMs(figures);
  const longest = Math.max(0, ...during.map((stall) => stall.to - stall.from));
  const much = mostWithin(during, window);
  if (longest >= LONG_MS) return longest;
  return much >= Math.max(LONG_MS, MUCH_SHARE * window) ? much : null;
}

/** Slack of a wait, ms: below 1 s, with room for timers and slow connections. */
const MOST_LEEWAY_MS = 900;
/** Share of a window: with windows of 1 or 2 s, a whole second would hide a Retry-After that is too short. */
const LEEWAY_OF_WINDOW = 0.15;

/** Returns the extra wait beyond Retry-After, ms: less than 1 s, and short compared with the window. */
export const leeway = (figures: Figures): number =>
  Math.min(MOST_LEEWAY_MS, LEEWAY_OF_WINDOW * minuteMs(figures));

/** A Retry-After in milliseconds seems this many windows long, with a wide margin. */
const MANY_WINDOWS = 100;
/** Slack for Retry-After and Reset, both rounded, ms. */
export const AGREEMENT_MS = 2000;

/**
 * Returns the unit of a Retry-After. It is milliseconds if seconds mean many windows, and milliseconds end at
 * Reset. If Reset is absent or past, they need only end within the window. Unknown if Reset fits neither.
 */
export function unitOf(refusal: Sample, figures: Figures, clock: ServerClock | null) {
  const after = readRetryAfter(refusal.retryAfter);
  if (after.kind !== 'seconds' || describesDay(refusal, figures)) return 'seconds';
  if (after.seconds < MANY_WINDOWS * figures.minuteSeconds) return 'seconds';
  const reset = resetTime(refusal, clock);
  // A Reset in the past does not show when the wait ends.
  if (reset === null || reset.latest < refusal.answeredAt - AGREEMENT_MS)
    return after.seconds <= minuteMs(figures) + ROUNDED_UP_MS ? 'milliseconds' : 'unknown';
  const isThen = (end: number): boolean =>
    end >= reset.earliest - AGREEMENT_MS && end <= reset.latest + AGREEMENT_MS;
  if (isThen(refusal.answeredAt + after.seconds)) return 'milliseconds';
  return isThen(refusal.answeredAt + after.seconds * 1000) ? 'seconds' : 'unknown';
}

/** Is true if a Retry-After is in milliseconds. */
export const isInMilliseconds = (...given: Parameters<typeof unitOf>): boolean =>
  unitOf(...given) === 'milliseconds';
