import { answeredAt, answerHeader, statusOf, rateHeader } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { isExpected, isOfGateway } from '../../wire/exchange/gateway.js';
import { count, duration } from '../../base/kernel/format.js';
import { headerNumber, plainInteger, RATE_HEADERS } from '../../base/interface/rate-headers.js';
import { parseHttpDate, waitOf } from '../../base/interface/retry-after.js';

/** Time for a good client to wait before its next request, with the reason. */
export interface Pause {
  /** ms. */
  readonly ms: number;
  readonly what: string;
}

/** Number of waits for an unexpected 429, or for a target that is unavailable (502, 503, 504). */
export const MAX_PATIENCE = 3;

/**
 * First wait of the exponential backoff for an unavailable target without Retry-After (part 8, "Exceeding the
 * limit").
 */
const FIRST_BACKOFF_MS = 250;

/** Growth of the waits for an unavailable target: the three together outlast a rolling deployment of 3 s. */
const OUTAGE_FACTOR = 3;

/** Rounding of a correct Reset or Retry-After to seconds, ms. */
const ROUNDING_MS = 1000;

/**
 * Tolerance after a window, ms. All limits but the day's end within it; a Reset may be late by as much (part
 * 8).
 */
const GRACE_MS = 4000;

/**
 * Is true if an unexpected 429, 502, 503 or 504 demands a wait beyond the plan's minute: for the day, a ban
 * or maintenance.
 */
export const asksTooMuch = (exchange: Exchange, windowMs: number): boolean =>
  isRefusalForNow(exchange) && (retryAfterMs(exchange) ?? 0) > windowMs + GRACE_MS;

/** Is true for an unexpected response that a good client waits out: 429, and 502, 503 or 504. */
function isRefusalForNow(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  return (status === 429 || isOfGateway(exchange)) && !isExpected(exchange, status ?? 0);
}

/**
 * Returns the wait before a retry; null if the response is final. A longer wait than a run's is final,
 * because an early retry may lead to a ban. A 429 without a time gets one wait of a window: the limit is by
 * the minute, and refused requests may count.
 *
 * @param attempt 0 after the first response
 * @param windowMs the plan's minute, which bounds every wait
 */
export function pauseAfter(exchange: Exchange, attempt: number, windowMs: number): Pause | null {
  if (!isRefusalForNow(exchange) || attempt >= MAX_PATIENCE || asksTooMuch(exchange, windowMs)) return null;
  const asked = retryAfterMs(exchange);
  // A Retry-After that was rounded down is 0 in the last second, so the waits together last longer than that.
  const ms = asked === null ? null : Math.min(asked + FIRST_BACKOFF_MS * 2 ** attempt, windowMs + GRACE_MS);
  if (isOfGateway(exchange))
    return {
      ms: ms ?? FIRST_BACKOFF_MS * OUTAGE_FACTOR ** attempt,
      what: 'the target to be available again',
    };
  if (ms !== null) return { ms, what: `${refusingLimit(exchange)} to be free again (Retry-After)` };
  return attempt === 0
    ? {
        ms: windowMs + ROUNDING_MS,
        what: `${refusingLimit(exchange)} to be free again (one window, because it sent no Retry-After)`,
      }
    : null;
}

/** Names the limit that refused. Requests without a valid key have their own, usually by address. */
function refusingLimit(exchange: Exchange): string {
  if (exchange.credential.kind !== 'valid')
    return 'the target’s limit for requests without a valid key, which was used up,';
  const left = plainInteger(headerNumber(rateHeader(exchange, 'remaining')));
  return left === null || left === 0
    ? 'the target’s limit, which was already used up,'
    : `the target’s limit, which refused a request with ${RATE_HEADERS.remaining}: ${count(left)},`;
}

/** Explains why no more is sent to a target that still returns 429 after all waits. */
export function refusedThroughout(exchange: Exchange, waits: number, windowMs: number): string {
  if (asksTooMuch(exchange, windowMs))
    return 'the target returned 429 and asked for a longer wait than a run allows';
  return retryAfterMs(exchange) === null
    ? `the target returned 429 without a usable Retry-After, and again after ${duration(windowMs)}`
    : `the target returned 429 ${waits + 1} times in a row although the run waited for each Retry-After`;
}

/**
 * Returns the wait before a request whose key has a Remaining of 0; null for no wait.
 *
 * @param last the key's last response
 */
export const pauseBefore = (last: Exchange | undefined, now: number, windowMs: number): Pause | null =>
  last && rateHeader(last, 'remaining')?.trim() === '0' ? pauseToReset(last, now, windowMs) : null;

/** Returns the wait until the Reset of a response; null if that is over, or too far for the plan's minute. */
export function pauseToReset(last: Exchange, now: number, windowMs: number): Pause | null {
  const reset = Number(rateHeader(last, 'reset'));
  const date = Date.parse(answerHeader(last, 'date') ?? '');
  // Uses the server's clock if its Date shows it: whole seconds, so at most one is lost.
  const serverNow = Number.isNaN(date) ? answeredAt(last) : date;
  const ms = answeredAt(last) + (reset * 1000 - serverNow) - now;
  return ms > 0 && ms <= windowMs + 2 * ROUNDING_MS
    ? { ms: Math.min(ms, windowMs + ROUNDING_MS), what: 'the key’s rate limit to reset' }
    : null;
}

/** A larger number must be a point in time, not a wait. */
const LONGEST_WAIT_MS = 1e12;

export function retryAfterMs(exchange: Exchange): number | null {
  const date = parseHttpDate(answerHeader(exchange, 'date') ?? '') ?? answeredAt(exchange);
  const wait = waitOf({ retryAfter: answerHeader(exchange, 'retry-after'), date });
  return wait !== null && wait < LONGEST_WAIT_MS ? wait : null;
}
