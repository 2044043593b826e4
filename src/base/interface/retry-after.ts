import { DAY_MS } from '../kernel/day.js';

const MONTH = '(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';

/**
 * Three date forms of RFC 9110, 5.6.7: the current one and the two obsolete ones that a client must accept.
 * `Date.parse` would accept far more ("soon 5", "2026").
 */
const FORMS: readonly RegExp[] = [
  new RegExp(`^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d{2} ${MONTH} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$`),
  new RegExp(`^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \\d{2}-${MONTH}-\\d{2} \\d{2}:\\d{2}:\\d{2} GMT$`),
  new RegExp(`^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} [ \\d]\\d \\d{2}:\\d{2}:\\d{2} \\d{4}$`),
];

/** Parses an HTTP date into Unix ms; null if it is none. */
export function parseHttpDate(text: string): number | null {
  const form = FORMS.findIndex((pattern) => pattern.test(text));
  if (form === -1) return null;
  const parsed = Date.parse(form === 2 ? `${text} GMT` : text);
  return Number.isNaN(parsed) ? null : parsed;
}

/** Value of Retry-After (RFC 9110, 10.2.3): whole seconds from now, or a server time in Unix ms. */
type RetryAfter =
  | { readonly kind: 'absent' }
  | { readonly kind: 'seconds'; readonly seconds: number }
  | { readonly kind: 'date'; readonly unixMs: number }
  | { readonly kind: 'invalid'; readonly text: string };

/** Text that is neither whole seconds nor an HTTP date is `invalid`. */
export function readRetryAfter(text: string | null): RetryAfter {
  if (text === null) return { kind: 'absent' };
  const trimmed = text.trim();
  if (/^\d+$/.test(trimmed)) return { kind: 'seconds', seconds: Number(trimmed) };
  const date = parseHttpDate(trimmed);
  return date === null ? { kind: 'invalid', text } : { kind: 'date', unixMs: date };
}

/**
 * Returns the wait that a response asks for, in ms from its arrival. Null if it names none, or a date without
 * `Date`. A date is compared with the `Date` of the same response, so only the server's clock matters. `Date`
 * counts whole seconds and may be stale: the wait can be too long, never too short.
 *
 * @param response the text of its Retry-After, and its Date in Unix ms
 */
export function waitOf({
  retryAfter,
  date,
}: {
  readonly retryAfter: string | null;
  readonly date: number | null;
}): number | null {
  const after = readRetryAfter(retryAfter);
  if (after.kind === 'seconds') return after.seconds * 1000;
  return after.kind === 'date' && date !== null ? Math.max(0, after.unixMs - date) : null;
}

/**
 * Longest time that a Retry-After may name, ms: a ban lasts longer than a window, but no client waits for the
 * year 9999.
 */
export const LONGEST_BAN_MS = 366 * DAY_MS;
