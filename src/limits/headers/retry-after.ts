import { minuteMs } from '../bounds.js';
import { type ServerClock, resetTime } from '../clock.js';
import type { Sample } from '../sample.js';
import type { Figures } from '../series.js';

/** When, in our time, a refusal lets the client back by its Retry-After, or else by its Reset; null where it does not say. */
export function letsBackAt(refusal: Sample, clock: ServerClock | null): number | null {
  const after = readRetryAfter(refusal.retryAfter);
  if (after.kind === 'seconds') return refusal.answeredAt + after.seconds * 1000;
  if (after.kind === 'date' && clock !== null) return after.unixMs - clock.lowMs;
  return resetTime(refusal, clock)?.latest ?? null;
}

/** Of a limit by the minute: what lies further ahead says nothing of a minute, and no run is to hang on it. */
const MOST_WINDOWS = 3;

/** Whether a time (Unix ms) is near enough to `from` to be waited for: a server may name the year 9999. */
export const isWithinReach = (at: number, from: number, figures: Figures): boolean =>
  at <= from + MOST_WINDOWS * minuteMs(figures);

/**
 * The three forms of RFC 9110, 5.6.7: the one that senders write, and the two old ones that readers must take. `Date.parse`
 * alone would take far more ("soon 5", "2026").
 */
const FORMS: readonly RegExp[] = [
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** Reads an HTTP date into Unix ms; null when it is none. */
export function parseHttpDate(text: string): number | null {
  const form = FORMS.findIndex((pattern) => pattern.test(text));
  if (form === -1) return null;
  const parsed = Date.parse(form === 2 ? `${text} GMT` : text);
  return Number.isNaN(parsed) ? null : parsed;
}

/** What a Retry-After says (RFC 9110, 10.2.3): whole seconds from now, or a point in the server's time in Unix ms. */
type RetryAfter =
  | { readonly kind: 'absent' }
  | { readonly kind: 'seconds'; readonly seconds: number }
  | { readonly kind: 'date'; readonly unixMs: number }
  | { readonly kind: 'invalid'; readonly text: string };

/**
 * How long a refusal tells the client to wait, in ms from its answer; null where it does not say, or says a point in
 * time that cannot be placed. A date is held against the `Date` of the same answer, so that no clock but the server's
 * own matters: that one counts whole seconds and may be stale, and then the wait is longer, never shorter.
 */
export function waitOf({ retryAfter, date }: Pick<Sample, 'retryAfter' | 'date'>): number | null {
  const after = readRetryAfter(retryAfter);
  if (after.kind === 'seconds') return after.seconds * 1000;
  return after.kind === 'date' && date !== null ? Math.max(0, after.unixMs - date) : null;
}

/** Reads a Retry-After; what is neither whole seconds nor an HTTP date is `invalid`. */
export function readRetryAfter(text: string | null): RetryAfter {
  if (text === null) return { kind: 'absent' };
  const trimmed = text.trim();
  if (/^\d+$/.test(trimmed)) return { kind: 'seconds', seconds: Number(trimmed) };
  const date = parseHttpDate(trimmed);
  return date === null ? { kind: 'invalid', text } : { kind: 'date', unixMs: date };
}
