import { parseHttpDate } from './http-date.js';
import type { Sample } from '../sample.js';

/** What a Retry-After says (RFC 9110, 10.2.3): whole seconds from now, or a point in the server's time in Unix ms. */
export type RetryAfter =
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
