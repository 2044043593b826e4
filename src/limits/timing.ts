import { minuteMs } from './bounds.js';
import { type Sample, speaksOfDay } from './sample.js';
import type { KeySeries, Stall, Figures } from './series.js';
import { type ServerClock, resetTime } from './clock.js';
import { readRetryAfter } from './headers/retry-after.js';

/** A stall this long makes timers, and the answers read after it, too late for what is judged within a second, ms. */
const LONG_MS = 1000;
/** Of a window: short stalls that take so much of one together make a burst as slow as a long one. */
const MUCH_SHARE = 0.2;

/** The most time that stalls took within any stretch of `spanMs`, ms. */
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
 * The longest that the sender of a key's requests was held up while they were under way, ms; null where it was not, or by
 * so little that the times of its samples tell what they are held against. A sample's times enclose what the server did
 * at any rate; after a long stall they enclose too much, and what was to be sent at a moment was sent at another.
 * @param all every sample of the key, in the order of sending
 */
export function heldUpMs({ figures, stalls }: KeySeries, all: readonly Sample[]): number | null {
  const [from, to] = [all[0]?.sentAt ?? Infinity, Math.max(...all.map(({ answeredAt }) => answeredAt))];
  const during = stalls.filter((stall) => stall.to >= from && stall.from <= to);
  const window = minuteMs(figures);
  const longest = Math.max(0, ...during.map((stall) => stall.to - stall.from));
  const much = mostWithin(during, window);
  if (longest >= LONG_MS) return longest;
  return much >= Math.max(LONG_MS, MUCH_SHARE * window) ? much : null;
}

/** Over 1 s a wait would no longer be "exactly that long"; a little is left for timers and slow connections. */
const MOST_LEEWAY_MS = 900;
/** With windows of a second or two a whole second would hide a Retry-After that is too short. */
const LEEWAY_OF_WINDOW = 0.15;

/** How much longer than asked to wait, in ms: less than 1 s, and little beside the window. */
export const leeway = (figures: Figures): number => Math.min(MOST_LEEWAY_MS, LEEWAY_OF_WINDOW * minuteMs(figures));

/** In milliseconds, a wait of a window is this much longer than the window itself, with a wide margin. */
const MANY_WINDOWS = 100;
/** Retry-After and Reset are both rounded. */
const AGREEMENT_MS = 2000;
/** Whole seconds are rounded up. */
const ROUNDED_UP_MS = 1000;

/** What a Retry-After may count where, as seconds, it is many windows long. */
type Unit = 'seconds' | 'milliseconds' | 'untold';

/**
 * What a Retry-After counts: as seconds it is many windows long, as milliseconds it ends when Reset does, or within the
 * window where Reset does not say or is past; untold where Reset tells of neither end.
 */
function unitOf(refusal: Sample, figures: Figures, clock: ServerClock | null): Unit {
  const after = readRetryAfter(refusal.retryAfter);
  if (after.kind !== 'seconds' || speaksOfDay(refusal, figures)) return 'seconds';
  if (after.seconds < MANY_WINDOWS * figures.minuteSeconds) return 'seconds';
  const reset = resetTime(refusal, clock);
  // One that is past says nothing of when the wait ends.
  if (reset === null || reset.latest < refusal.answeredAt - AGREEMENT_MS)
    return after.seconds <= minuteMs(figures) + ROUNDED_UP_MS ? 'milliseconds' : 'untold';
  const isThen = (end: number): boolean => end >= reset.earliest - AGREEMENT_MS && end <= reset.latest + AGREEMENT_MS;
  if (isThen(refusal.answeredAt + after.seconds)) return 'milliseconds';
  return isThen(refusal.answeredAt + after.seconds * 1000) ? 'seconds' : 'untold';
}

/** Whether a Retry-After was written in milliseconds. */
export const isInMilliseconds = (...given: Parameters<typeof unitOf>): boolean => unitOf(...given) === 'milliseconds';

/** Whether nothing tells if a Retry-After was written in seconds. */
export const isOfUntoldUnit = (...given: Parameters<typeof unitOf>): boolean => unitOf(...given) === 'untold';
