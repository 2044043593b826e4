import { answerHeader, statusOf } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import { duration } from '../format/format.js';
import { parseHttpDate, waitOf } from '../limits/headers/retry-after.js';

/** Time that a good client waits before its next request, and its message meanwhile. */
export interface Pause {
  /** ms. */
  readonly ms: number;
  readonly what: string;
}

/** A 429 or a 503 that nobody provoked is waited out this many times before it stands. */
export const MAX_PATIENCE = 3;

/** Exponential backoff where a 503 does not say how long (part 8, "Exceeding the limit"): 250 ms, doubled each time. */
const FIRST_BACKOFF_MS = 250;

/** A truthful Reset is rounded to a second, and so may be a Retry-After. */
const ROUNDING_MS = 1000;

/** Until a window has passed every limit but the day's lets a client back; a Reset may be past it by as much (part 8). */
const GRACE_MS = 4000;

/**
 * Whether an unexpected 429 or 503 asks for a longer wait than for the plan's minute: for the day's allowance, for the end
 * of a ban or of maintenance.
 */
export const asksTooMuch = (exchange: Exchange, windowMs: number): boolean =>
  isRefusalForNow(exchange) && (retryAfterMs(exchange) ?? 0) > windowMs + GRACE_MS;

/** Whether an answer is a 429 or a 503 that its row does not expect. */
function isRefusalForNow(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  return (status === 429 || status === 503) && !isExpected(exchange, status);
}

const isExpected = ({ intent }: Exchange, status: number): boolean =>
  intent.kind === 'expects' && intent.statuses.includes(status);

/**
 * How long to wait before the same request is sent again; null when the answer stands. One that asks for more than a run
 * waits stands: a client that comes back sooner may be banned. A 429 that names no time is waited out for one window, once:
 * the plan's allowance is by the minute, and a limiter may count what it refuses.
 * @param attempt 0 after the first answer
 * @param windowMs the plan's minute, which bounds every wait that a target may ask for
 */
export function pauseAfter(exchange: Exchange, attempt: number, windowMs: number): Pause | null {
  if (!isRefusalForNow(exchange) || attempt >= MAX_PATIENCE || asksTooMuch(exchange, windowMs)) return null;
  const asked = retryAfterMs(exchange);
  const ms = asked === null ? null : Math.min(asked + FIRST_BACKOFF_MS, windowMs + GRACE_MS);
  if (statusOf(exchange) === 503)
    return { ms: ms ?? FIRST_BACKOFF_MS * 2 ** attempt, what: 'the target to be available again' };
  if (ms !== null) return { ms, what: 'the target’s limit was already used up; its Retry-After' };
  return attempt === 0
    ? {
        ms: windowMs + ROUNDING_MS,
        what: 'the target’s limit was already used up; one window, as no Retry-After says how long',
      }
    : null;
}

/** Why no more is sent to a target that still answers 429 after all waits, in words. */
export function refusedThroughout(exchange: Exchange, waits: number, windowMs: number): string {
  if (asksTooMuch(exchange, windowMs)) return 'the target answered 429 and asked for a longer wait than a run’s';
  return retryAfterMs(exchange) === null
    ? `the target answered 429 with no Retry-After that says how long, and again after ${duration(windowMs)}`
    : `the target answered 429 ${waits + 1} times in a row although its Retry-After was waited out`;
}

/**
 * How long to wait before a request with a key whose last answer said that nothing remains; null when it need not.
 * @param last the key's last answer
 */
export function pauseBefore(last: Exchange | undefined, now: number, windowMs: number): Pause | null {
  if (!last || answerHeader(last, 'x-ratelimit-remaining')?.trim() !== '0') return null;
  const reset = Number(answerHeader(last, 'x-ratelimit-reset'));
  const date = Date.parse(answerHeader(last, 'date') ?? '');
  const answeredAt = last.sentAt + last.latencyMs;
  // The server's own clock where it shows one: Date has whole seconds, so at most one is lost.
  const serverNow = Number.isNaN(date) ? answeredAt : date;
  const until = answeredAt + (reset * 1000 - serverNow);
  const ms = until - now;
  return ms > 0 && ms <= windowMs + 2 * ROUNDING_MS
    ? { ms: Math.min(ms, windowMs + ROUNDING_MS), what: 'the key’s allowance to come back at its Reset' }
    : null;
}

/** No wait is meant by more, but a point in time that was told as a number. */
const LONGEST_WAIT_MS = 1e12;

/** Returns the wait that Retry-After asks for, ms; null if it cannot be read. */
export function retryAfterMs(exchange: Exchange): number | null {
  const date = parseHttpDate(answerHeader(exchange, 'date') ?? '') ?? exchange.sentAt + exchange.latencyMs;
  const wait = waitOf({ retryAfter: answerHeader(exchange, 'retry-after'), date });
  return wait !== null && wait < LONGEST_WAIT_MS ? wait : null;
}
