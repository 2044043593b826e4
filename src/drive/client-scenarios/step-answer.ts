import type { OwnError } from '../../base/interface/resources.js';
import { rateHeadersWith } from '../../base/interface/rate-headers.js';
import type { Header } from '../../wire/exchange/types.js';
import type { OwnAnswer } from '../../wire/proxy/passed.js';
import type { Step } from './refusals-shape.js';

/** Allowance in the headers of these answers: that of a Business key (part 8). */
const LIMIT = 1000;

/**
 * Returns the answer of a step at a time of the server's clock. It is what a sound server sends: an Error
 * body, rate headers and a Date.
 *
 * @param at Unix ms
 * @param location address that a redirect leads to
 */
export function answerOf(step: Step, at: number, location: string): OwnAnswer {
  switch (step.kind) {
    case 'redirect':
      return answer(307, at, LIMIT - 1, [['Location', location]], {
        code: 'moved',
        message: 'this request goes to another address',
      });
    case 'unavailable':
      return answer(503, at, LIMIT - 1, [['Retry-After', String(step.seconds)]], {
        code: 'unavailable',
        message: 'the service is not available for a moment',
      });
    case 'refuse':
    case 'ban': {
      const { kind, seconds } = step.wait;
      // A date is cut to the second, and written late in one: what a client rounds shows.
      const retryAfter = kind === 'seconds' ? String(seconds) : new Date(at + seconds * 1000).toUTCString();
      return answer(
        429,
        at,
        0,
        [['Retry-After', retryAfter]],
        step.kind === 'ban'
          ? { code: 'key_banned', message: 'this key is banned for a while' }
          : { code: 'rate_limited', message: 'the rate limit of this plan is used up' },
        seconds,
      );
    }
  }
}

function answer(
  status: number,
  at: number,
  remaining: number,
  headers: readonly Header[],
  error: Omit<OwnError, 'status'>,
  resetIn = 60,
): OwnAnswer {
  return {
    status,
    headers: [
      ['Date', new Date(at).toUTCString()],
      ['Content-Type', 'application/json'],
      ...rateHeadersWith({ limit: LIMIT, remaining, reset: Math.ceil(at / 1000) + resetIn }),
      ...headers,
    ],
    text: JSON.stringify({ ...error, status } satisfies OwnError),
  };
}

/**
 * Part of a second at which a date is written, ms. Of its rest, 400 ms are beyond whole seconds: a client
 * that rounds it down, or to the nearest second, is early by more than clocks differ.
 */
const AT_IN_SECOND_MS = 600;

/** Returns how long to hold an answer back until it is that late in a second, ms; 0 for steps without a date. */
export const untilLate = (step: Step, at: number): number =>
  (step.kind === 'refuse' || step.kind === 'ban') && step.wait.kind === 'date'
    ? (1000 + AT_IN_SECOND_MS - (at % 1000)) % 1000
    : 0;
