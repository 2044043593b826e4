import type { Change, Context } from '../behaviour.js';
import {
  asText,
  banning,
  bare,
  both,
  chain,
  emptied,
  isOperation,
  of,
  onAnswers,
  onFigures,
  onHeader,
  onObject,
  RATE_HEADERS,
  restated,
  seams,
  withStatus,
} from '../changes.js';
import { withoutHeader } from '../messages.js';
import { planOf } from '../options.js';
import { flawsTurning } from '../registry.js';

const REFUSED = withStatus(429);

const [LIMIT, REMAINING, RESET] = RATE_HEADERS;

/** Flaws of header figures; the limit itself is right. */
export const figureFlaws = [
  ...flawsTurning('rate-limit-value', 'load', {
    'limit-header-of-another-plan: Limit is 100 for a Free key, the limit of last year.': onFigures((figures) =>
      figures.limit === 60 ? { ...figures, limit: 100 } : figures,
    ),
    'limit-header-counts-down: Limit is the remaining number, as Remaining is.': [
      onFigures((figures) => ({ ...figures, limit: figures.remaining })),
      { inSuites: true },
    ],
    'limit-header-differs-on-creations: Limit is one higher on creations, whose route has another copy of the limits.':
      [onHeader(LIMIT, of('createPet'), (limit) => String(Number(limit) + 1)), { inSuites: true }],
  }),
  ...flawsTurning('rate-remaining-counts', 'load', {
    'remaining-constant: Remaining never changes.': [
      onFigures((figures) => ({ ...figures, remaining: figures.limit - 1 })),
      { also: ['rate-all-operations'], inSuites: true },
    ],
    'remaining-falls-by-two: Remaining falls by two a request, although the limit counts one.': [
      onFigures((figures) => ({
        ...figures,
        remaining: Math.max(0, figures.limit - 2 * (figures.limit - figures.remaining)),
      })),
      { inSuites: true },
    ],
    'remaining-one-behind: Remaining is read before the request is counted, so the last served request leaves 1.':
      onAnswersServed((remaining) => remaining + 1),
  }),
  ...flawsTurning('rate-all-operations', 'load', {
    'remaining-full-on-creations: On creations Remaining is always the whole limit, from a separate counter that never changes.':
      [
        onFigures((figures, context) =>
          isOperation(context, 'createPet') ? { ...figures, remaining: figures.limit } : figures,
        ),
        { also: ['rate-remaining-counts'], inSuites: true },
      ],
  }),
  ...flawsTurning('rate-headers-wellformed', 'load', {
    'remaining-below-zero-past-limit: Remaining falls below zero once requests are refused.': onHeader(
      REMAINING,
      REFUSED,
      () => '-1',
    ),
  }),
  ...flawsTurning('rate-remaining-counts', 'load', {
    'remaining-left-on-429: A 429 says that five requests are left.': onHeader(REMAINING, REFUSED, () => '5'),
  }),
  ...flawsTurning('rate-headers-wellformed', 'load', {
    'remaining-above-limit-at-first: Remaining starts one above Limit.': [
      onAnswersServed((remaining, limit) => (remaining === limit - 1 ? limit + 1 : remaining)),
      ['rate-remaining-counts'],
    ],
    'reset-past-on-429: The Reset of a 429 is the time at which the window began.': onHeader(RESET, REFUSED, (reset) =>
      String(Number(reset) - 3_600),
    ),
  }),
];

/** Changes Remaining in successful responses. */
function onAnswersServed(alter: (remaining: number, limit: number) => number): Change {
  return onHeader(
    REMAINING,
    (answer, { caller }) => answer.status !== 429 && caller.kind === 'known',
    (remaining, { caller, settings }) =>
      caller.kind === 'known'
        ? String(alter(Number(remaining), settings.plans[planOf(caller.key)].perMinute))
        : remaining,
  );
}

/** Changes the status code of refused requests; Retry-After stays. */
const endedBy = (status: number): Change => onAnswers(REFUSED, (answer) => restated(answer, status));

/** Changes Retry-After, given the correct seconds. */
const waiting = (alter: (seconds: number, context: Context) => string | null): Change =>
  seams(({ retryAfter }) => ({
    retryAfter: (retryAt, context) => {
      const told = retryAfter(retryAt, context);
      return told === null ? null : alter(Number(told), context);
    },
  }));

/** Flaws of responses to requests over the limit. */
export const refusalFlaws = [
  ...flawsTurning('rate-429', 'load', {
    'refused-with-503: Past the limit the server returns 503.': endedBy(503),
    'refused-with-403: Past the limit the server returns 403.': endedBy(403),
    'refused-with-400: Past the limit the server returns 400.': endedBy(400),
    'refused-with-200: Past the limit a listing returns 200 and no animals.': [
      onAnswers(REFUSED, (answer) => ({ ...answer, status: 200, body: { kind: 'json', value: [] } })),
      ['rate-remaining-counts', 'rate-concurrent', 'pet-shape'],
    ],
  }),
  ...flawsTurning('rate-retry-after-present', 'load', {
    'retry-after-missing: A 429 has no Retry-After.': waiting(() => null),
    'retry-after-missing-on-creation: A 429 to a creation has no Retry-After.': onAnswers(
      both(REFUSED, of('createPet')),
      (answer) => withoutHeader(answer, 'Retry-After'),
    ),
    'retry-after-in-words: Retry-After is written as "2s".': waiting((seconds) => `${seconds}s`),
    'retry-after-negative: Retry-After is negative: two times were subtracted in the wrong order.': waiting((seconds) =>
      String(-seconds),
    ),
    'retry-after-with-fraction: Retry-After has a fraction.': waiting((seconds) => seconds.toFixed(3)),
    'retry-after-as-iso-date: Retry-After is a date in ISO 8601.': waiting((seconds, { request }) =>
      new Date(request.at + seconds * 1000).toISOString(),
    ),
    'retry-after-in-milliseconds: Retry-After is in milliseconds.': [
      waiting((seconds) => String(seconds * 1000)),
      ['rate-retry-after-honoured'],
    ],
  }),
  ...flawsTurning('rate-retry-after-honoured', 'load', {
    'retry-after-zero: Retry-After is 0: a fraction of a minute is rounded down.': [
      waiting(() => '0'),
      { options: { minuteSeconds: 5 } },
    ],
    'retry-after-half: Retry-After is half of the time that a client must wait.': [
      waiting((seconds) => String(Math.max(1, Math.floor(seconds / 2)))),
      { options: { minuteSeconds: 6 } },
    ],
    'retry-after-past-date: Retry-After is the date at which the window began.': [
      waiting((_seconds, { request }) => new Date(request.at - 1_000).toUTCString()),
      { options: { minuteSeconds: 5 } },
    ],
  }),
  ...flawsTurning('rate-reset-truthful', 'load', {
    'reset-too-early: The Reset of a 429 is the time of that 429.': [
      onHeader(RESET, REFUSED, (_reset, { request }) => String(Math.ceil(request.at / 1000))),
      { options: { minuteSeconds: 5 } },
    ],
  }),
  ...flawsTurning('rate-headers-present', 'load', {
    'no-rate-headers-on-429: A 429 has no rate headers.': onAnswers(REFUSED, (answer) => bare(answer)),
    'no-reset-on-429: A 429 has no Reset.': onAnswers(REFUSED, (answer) => bare(answer, [RESET])),
  }),
  ...flawsTurning('rate-429-error-body', 'load', {
    'refusal-without-body: A 429 has no body.': onAnswers(REFUSED, emptied),
    'refusal-as-text: A 429 says "Too many requests" as plain text, the library’s default.': [
      onAnswers(REFUSED, (answer) => asText(answer, 'Too many requests, please try again later.', 'text/html')),
      ['json-media-type'],
    ],
    'refusal-says-403: The Error of a 429 says 403.': [
      onObject(REFUSED, (error) => ({ ...error, status: 403 })),
      ['error-status-matches'],
    ],
  }),
];

export const banFlaws = [
  ...flawsTurning('ban-only-after-abuse', 'load', {
    'banned-at-first-429: The first 429 already bans the key.': [
      banning({ after: 0, status: 403 }),
      ['rate-retry-after-honoured', 'rate-reset-truthful', 'rate-not-early'],
    ],
  }),
  ...flawsTurning('ban-temporary', 'load', {
    'banned-for-ever: A ban never ends, although its responses name an end.': [
      chain(
        banning({ lengthMs: Number.POSITIVE_INFINITY }),
        seams(({ retryAfter }) => ({
          retryAfter: (retryAt, context) =>
            retryAfter(Math.min(retryAt, context.request.at + context.settings.banSeconds * 1000), context),
        })),
      ),
      { include: 'ban' },
    ],
  }),
  ...flawsTurning('ban-only-that-key', 'load', {
    'ban-of-every-key: A ban holds for every key: it is stored by address.': [
      banning({ whose: () => 'all' }),
      { also: ['rate-per-key', 'rate-not-early', 'rate-429'], include: 'ban' },
    ],
  }),
];
