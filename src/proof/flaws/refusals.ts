import type { Change, Context } from '../../reference/behaviour.js';
import { after, both, chain, fallingOver, on, seams, withStatus } from '../changes/requests.js';
import {
  answeredWith,
  asText,
  banning,
  bare,
  emptying,
  limitedBy,
  onAnswers,
  onHeader,
  onObject,
  removing,
  setting,
} from '../changes/answers.js';
import { RATE_HEADERS } from '../../reference/messages.js';
import { flawsBy, flawsTurning } from '../registry.js';
import { calendarWindow } from '../limiters/windows.js';
import { lasting } from '../limiters/broken.js';

const REFUSED = withStatus(429);

const [, , RESET] = RATE_HEADERS;

const FIVE_SECONDS = { options: { minuteSeconds: 5 } } as const;

/** Changes Retry-After, given the correct seconds. Another form of it, of a second flaw, stays. */
const waiting = (alter: (seconds: number, context: Context) => string | null): Change =>
  after('retryAfter', (seconds, _retryAt, context) =>
    seconds === null || Number.isNaN(Number(seconds)) ? seconds : alter(Number(seconds), context),
  );

const waitRounded = (round: (seconds: number) => number): Change =>
  seams({ retryAfter: (retryAt, { request }) => String(Math.max(0, round((retryAt - request.at) / 1000))) });

const roundedDown: Change = waitRounded(Math.floor);
const roundedToNearest: Change = waitRounded(Math.round);

/** Tenths of such windows are whole seconds, as in a minute, so nothing is rounded by accident. */
const TENTHS_OF_WHOLE_SECONDS = { options: { minuteSeconds: 10 } } as const;

/** Flaws of responses to requests over the limit, of the time that they name, and of bans. */
export const refusalFlaws = [
  // Retry-After stays.
  ...flawsBy('rate-429', 'load', (status: number) => answeredWith(REFUSED, status), {
    'refused-with-503: Past the limit the server returns 503.': 503,
    'refused-with-403: Past the limit the server returns 403.': 403,
    'refused-with-400: Past the limit the server returns 400.': 400,
  }),
  ...flawsTurning('declared-status', 'load', {
    'one-in-hundreds-falls-over: Every 613th request returns 500 if it lists: a connection to the database is lost now and then.':
      fallingOver('listPets', ({ request }) => request.serial % 613 === 30),
  }),
  ...flawsTurning('rate-429', 'load', {
    'refused-with-200: Past the limit a listing returns 200 and no animals.': [
      onAnswers(REFUSED, (answer) => ({ ...answer, status: 200, body: { kind: 'json', value: [] } })),
      ['pet-shape'],
    ],
  }),
  ...flawsBy('rate-retry-after-present', 'load', waiting, {
    'retry-after-missing: A 429 has no Retry-After.': () => null,
    'retry-after-in-words: Retry-After is written as "2s".': (seconds) => `${seconds}s`,
    'retry-after-negative: Retry-After is negative: two times were subtracted in the wrong order.': (
      seconds,
    ) => String(-seconds),
    'retry-after-with-fraction: Retry-After has a fraction.': (seconds) => seconds.toFixed(3),
    'retry-after-as-iso-date: Retry-After is a date in ISO 8601.': (seconds, { request }) =>
      new Date(request.at + seconds * 1000).toISOString(),
    'retry-after-in-milliseconds: Retry-After is in milliseconds.': [
      (seconds) => String(seconds * 1000),
      { families: ['when back'] },
    ],
  }),
  ...flawsTurning('rate-retry-after-present', 'load', {
    'retry-after-missing-on-creation: A 429 to a creation has no Retry-After.': removing(
      'Retry-After',
      both(REFUSED, on('createPet')),
    ),
    'retry-after-for-ever: Retry-After names the last second of the year 9999.': seams({
      retryAfter: () => 'Fri, 31 Dec 9999 23:59:59 GMT',
    }),
  }),
  ...flawsBy('rate-retry-after-honoured', 'load', waiting, {
    'retry-after-zero: Retry-After is 0: a fraction of a minute is rounded down.': [() => '0', FIVE_SECONDS],
    'retry-after-half: Retry-After is half of the time that a client must wait.': [
      (seconds) => String(Math.max(1, Math.floor(seconds / 2))),
      { options: { minuteSeconds: 6 } },
    ],
    'retry-after-past-date: Retry-After is the date at which the window began.': [
      (_seconds, { request }) => new Date(request.at - 1_000).toUTCString(),
      FIVE_SECONDS,
    ],
  }),
  ...flawsTurning('rate-retry-after-honoured', 'load', {
    'retry-after-rounded-down: Retry-After is rounded down, so a client that waits exactly that long retries too early.':
      roundedDown,
    'retry-after-rounded-to-nearest: Retry-After is rounded to the nearest second, so half of all clients retry too early.':
      [roundedToNearest, TENTHS_OF_WHOLE_SECONDS],
    'retry-after-rounded-to-nearest-by-the-calendar: Windows start with the minute; Retry-After is rounded to the nearest.':
      [chain(limitedBy(calendarWindow), roundedToNearest), TENTHS_OF_WHOLE_SECONDS],
  }),
  // Windows in which whole seconds show the end.
  ...flawsTurning('rate-window', 'load', {
    'window-of-a-sixth-rounded-down: The limit resets after a sixth of the window, and Retry-After is rounded down.':
      [
        chain(limitedBy(lasting(1 / 6)), roundedDown),
        { families: ['when back'], options: { minuteSeconds: 12 } },
      ],
  }),
  ...flawsTurning('rate-reset-truthful', 'load', {
    'reset-too-early: The Reset of a 429 is the time of that 429.': [
      onHeader(RESET, (_reset, { request }) => String(Math.ceil(request.at / 1000)), REFUSED),
      FIVE_SECONDS,
    ],
    'reset-a-window-from-now: Reset is always a whole window from now, although the window began before.': [
      onHeader(RESET, (_reset, { request, settings }) =>
        String(Math.ceil(request.at / 1000) + settings.minuteSeconds),
      ),
      TENTHS_OF_WHOLE_SECONDS,
    ],
  }),
  ...flawsTurning('rate-headers-present', 'load', {
    'no-rate-headers-on-429: A 429 has no rate headers.': bare(REFUSED),
    'no-reset-on-429: A 429 has no Reset.': removing(RESET, REFUSED),
  }),
  ...flawsTurning('rate-429-error-body', 'load', {
    'refusal-without-body: A 429 has no body.': emptying(REFUSED),
    'refusal-as-text: A 429 says "Too many requests" as plain text, the library’s default.': [
      onAnswers(REFUSED, (answer) =>
        asText(answer, 'Too many requests, please try again later.', 'text/html'),
      ),
      ['json-media-type'],
    ],
    'refusal-says-403: The Error of a 429 says 403.': [
      onObject(REFUSED, setting('status', 403)),
      ['error-status-matches'],
    ],
  }),
  ...flawsTurning('ban-only-after-abuse', 'load', {
    'banned-at-first-429: The first 429 already bans the key.': [
      banning({ after: 0, status: 403 }),
      { families: ['when back'] },
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
      { also: ['rate-per-key'], families: ['how much', 'when back'], include: 'ban' },
    ],
  }),
];
