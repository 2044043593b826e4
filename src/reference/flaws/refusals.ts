import type { Change, Context } from '../behaviour.js';
import {
  asText,
  bare,
  both,
  emptied,
  of,
  onAnswers,
  onHeader,
  onObject,
  restated,
  RATE_HEADERS,
  seams,
  withStatus,
} from '../changes.js';
import { withoutHeader } from '../messages.js';
import { flawsOf, flawsTurning, type FlawEntry } from '../registry.js';

const REFUSED = withStatus(429);

const [, , RESET] = RATE_HEADERS;

/** Past the limit another status; Retry-After stays. */
const refusingWith = (status: number): Change => onAnswers(REFUSED, (answer) => restated(answer, status));

/** What Retry-After says, where it is there, given what a sound server would say, in seconds. */
const waiting = (alter: (seconds: number, context: Context) => string | null): Change =>
  seams(({ retryAfter }) => ({
    retryAfter: (retryAt, context) => {
      const told = retryAfter(retryAt, context);
      return told === null ? null : alter(Number(told), context);
    },
  }));

/** Mistakes in the answer to a request past the limit. */
export const refusalFlaws = [
  ...flawsOf('load', {
    ...Object.fromEntries<FlawEntry>(
      [503, 403, 400].map((status) => [
        `refused-with-${status}`,
        {
          title: `Past the limit the answer is ${status}.`,
          turns: ['rate-429'],
          change: refusingWith(status),
        },
      ]),
    ),
    'refused-with-200': {
      title: 'Past the limit a listing is answered with 200 and no animals.',
      turns: ['rate-429'],
      also: ['rate-remaining-counts', 'rate-concurrent', 'pet-shape'],
      change: onAnswers(REFUSED, (answer) => ({ ...answer, status: 200, body: { kind: 'json', value: [] } })),
    },
  }),
  ...flawsTurning(['rate-retry-after-present'], 'load', {
    'retry-after-missing': {
      title: 'A 429 has no Retry-After.',
      change: waiting(() => null),
    },
    'retry-after-missing-on-creation': {
      title: 'A 429 to a creation has no Retry-After.',
      change: onAnswers(both(REFUSED, of('createPet')), (answer) => withoutHeader(answer, 'Retry-After')),
    },
    'retry-after-in-words': {
      title: 'Retry-After is written as "2s".',
      change: waiting((seconds) => `${seconds}s`),
    },
    'retry-after-negative': {
      title: 'Retry-After is negative: now and then were subtracted the wrong way round.',
      change: waiting((seconds) => String(-seconds)),
    },
    'retry-after-with-fraction': {
      title: 'Retry-After has a fraction.',
      change: waiting((seconds) => seconds.toFixed(3)),
    },
    'retry-after-as-iso-date': {
      title: 'Retry-After is a date in ISO 8601.',
      change: waiting((seconds, { request }) => new Date(request.at + seconds * 1000).toISOString()),
    },
    'retry-after-in-milliseconds': {
      title: 'Retry-After is in milliseconds.',
      also: ['rate-retry-after-honoured'],
      change: waiting((seconds) => String(seconds * 1000)),
    },
  }),
  ...flawsTurning(['rate-retry-after-honoured'], 'load', {
    'retry-after-zero': {
      title: 'Retry-After is 0: a fraction of a minute was rounded down.',
      options: { minuteSeconds: 5 },
      change: waiting(() => '0'),
    },
    'retry-after-half': {
      title: 'Retry-After is half of the time that a client has to wait.',
      options: { minuteSeconds: 6 },
      change: waiting((seconds) => String(Math.max(1, Math.floor(seconds / 2)))),
    },
    'retry-after-past-date': {
      title: 'Retry-After is the date at which the window began.',
      options: { minuteSeconds: 5 },
      change: waiting((_seconds, { request }) => new Date(request.at - 1_000).toUTCString()),
    },
  }),
  ...flawsOf('load', {
    'reset-too-early': {
      title: 'The Reset of a refusal is the time of the refusal itself.',
      turns: ['rate-reset-truthful'],
      options: { minuteSeconds: 5 },
      change: onHeader(RESET, REFUSED, (_reset, { request }) => String(Math.ceil(request.at / 1000))),
    },
    'no-rate-headers-on-429': {
      title: 'A 429 has no rate headers.',
      turns: ['rate-headers-present'],
      change: onAnswers(REFUSED, (answer) => bare(answer)),
    },
    'no-reset-on-429': {
      title: 'A 429 has no Reset.',
      turns: ['rate-headers-present'],
      change: onAnswers(REFUSED, (answer) => bare(answer, [RESET])),
    },
  }),
  ...flawsTurning(['rate-429-error-body'], 'load', {
    'refusal-without-body': {
      title: 'A 429 has no body.',
      change: onAnswers(REFUSED, emptied),
    },
    'refusal-as-text': {
      title: 'A 429 says "Too many requests" as plain text, the default of the library.',
      also: ['json-media-type'],
      change: onAnswers(REFUSED, (answer) => asText(answer, 'Too many requests, please try again later.', 'text/html')),
    },
    'refusal-says-403': {
      title: 'The Error of a 429 says 403.',
      also: ['error-status-matches'],
      change: onObject(REFUSED, (error) => ({ ...error, status: 403 })),
    },
  }),
];
