import type { Change, Context, RateFigures } from '../../reference/behaviour.js';
import {
  after,
  always,
  anew,
  around,
  both,
  chain,
  isOperation,
  on,
  type Which,
  withStatus,
} from '../changes/requests.js';
import { bare, onFigures, onHeader, removing } from '../changes/answers.js';
import { type Header, RATE_HEADERS, withHeader } from '../../reference/messages.js';
import { flawsBy, flawsTurning } from '../registry.js';
import { planOf } from '../../reference/options.js';
import { fixedWindow, type Limiter } from '../../reference/limiter.js';
import type { OperationName } from '../../base/interface/types.js';

const [LIMIT, REMAINING, RESET] = RATE_HEADERS;

const isError: Which = (_context, { status }) => status >= 400;

const renamed = (rename: (name: string) => string): Change =>
  after('rateHeaders', (headers) => headers.map(([name, value]): Header => [rename(name), value]));

const writing = (name: string) => (alter: (value: string, context: Context) => string) =>
  onHeader(name, alter);

const dated = (reset: string) => new Date(Number(reset) * 1000);

/** Limits an operation to a number of requests per minute, in addition to the plan. */
const allowing =
  (operation: OperationName, limit: number): Change =>
  (before) => {
    const { refuse, retryAfter } = before;
    const quotas = new Map<string, Limiter>();
    return around(operation, (context, sound) => {
      const { caller, request, settings } = context;
      const whose = caller.kind === 'known' ? caller.key : '';
      const quota = quotas.get(whose) ?? fixedWindow({ limit, windowMs: settings.minuteSeconds * 1000 });
      quotas.set(whose, quota);
      const { admits, retryAt } = quota.look(request.at);
      if (admits) {
        quota.take(request.at);
        return sound(context);
      }
      const refusal = refuse(context, { kind: 'limited', retryAt });
      return withHeader(refusal, 'Retry-After', retryAfter(retryAt, context) ?? '');
    })(before);
  };

/** Flaws of the rate headers; the limit itself is right. */
export const rateHeaderFlaws = [
  ...flawsBy('rate-headers-present', 'suites', (which: Which) => bare(which), {
    'no-rate-headers: No response has rate headers.': always,
    'no-rate-headers-on-401: A 401 has no rate headers, because the limiter runs after the key check.':
      withStatus(401),
    'no-rate-headers-on-404: A 404 has no rate headers.': withStatus(404),
    'no-rate-headers-on-400: A 400 has no rate headers, because the error handler starts from an empty response.':
      withStatus(400),
    'no-rate-headers-on-201: The response to a creation has no rate headers.': withStatus(201),
    'no-rate-headers-on-fetches: The response to a fetch has no rate headers: the plug-in ignores its route.':
      both(on('getPet'), withStatus(200)),
    'no-rate-headers-on-every-fifth: Every fifth response has no rate headers: one of five workers runs an older version.':
      ({ request }) => request.serial % 5 === 0,
  }),
  ...flawsTurning('rate-headers-present', 'suites', {
    'no-rate-headers-from-second-listing-on: Only the first listing has rate headers; the others come from a cache.':
      anew(() => {
        let listings = 0;
        return bare((context) => isOperation(context, 'listPets') && ++listings > 1);
      }),
    [`no-reset-header: There is no ${RESET}.`]: removing(RESET, always),
    [`no-remaining-header-on-errors: Errors have no ${REMAINING}.`]: removing(REMAINING, isError),
    [`no-limit-header-on-creation: Responses to creations have no ${LIMIT}.`]: removing(
      LIMIT,
      on('createPet'),
    ),
    'rate-headers-of-the-draft: The headers are called RateLimit-Limit and so on, as in the draft standard.':
      renamed((name) => name.slice('X-'.length)),
    'rate-headers-misspelt: The headers are called X-Rate-Limit-Limit and so on.': renamed((name) =>
      name.replace('RateLimit', 'Rate-Limit'),
    ),
  }),
  ...flawsBy('rate-headers-wellformed', 'suites', writing(RESET), {
    'reset-in-seconds-to-go: Reset is the number of seconds left, the plug-in’s default.': (
      reset,
      { request },
    ) => String(Math.max(0, Number(reset) - Math.floor(request.at / 1000))),
    'reset-in-milliseconds: Reset is in milliseconds.': (reset) => `${reset}000`,
    'reset-with-fraction: Reset has a fraction.': (reset) => `${reset}.0`,
    'reset-as-date: Reset is a date in ISO 8601.': (reset) => dated(reset).toISOString(),
    'reset-as-http-date: Reset is a date as in the Date header.': (reset) => dated(reset).toUTCString(),
    'reset-an-hour-late: Reset is an hour late: local time is used as UTC.': (reset) =>
      String(Number(reset) + 3_600),
    'reset-an-hour-past: Reset lies an hour in the past.': (reset) => String(Number(reset) - 3_600),
  }),
  ...flawsTurning('rate-headers-wellformed', 'suites', {
    'reset-zero-on-401: The Reset of a 401 is 0.': onHeader(RESET, () => '0', withStatus(401)),
    'reset-in-milliseconds-on-404: The Reset of a 404 is in milliseconds, as another library writes it.':
      onHeader(RESET, (reset) => `${reset}000`, withStatus(404)),
  }),
  ...flawsBy('rate-headers-wellformed', 'suites', writing(LIMIT), {
    'limit-with-window: Limit includes its window, as in the draft standard: "60;w=60".': (
      limit,
      { settings },
    ) => `${limit};w=${settings.minuteSeconds}`,
    'limit-per-minute-in-words: Limit is written as "60/minute".': (limit) => `${limit}/minute`,
    'limit-with-separator: Numbers from a thousand have a separator.': (limit) =>
      Number(limit).toLocaleString('en-US'),
    'limit-twice-in-one-header: Two limiters each add a Limit, and a proxy joins them with a comma.': (
      limit,
    ) => `${limit}, ${limit}`,
  }),
  ...flawsBy('rate-headers-wellformed', 'suites', onRemaining, {
    'remaining-negative: Remaining starts below zero: it is the used number, with a minus.': ({
      remaining,
      limit,
    }) => remaining - limit,
    'remaining-above-limit: Remaining counts up from Limit.': ({ remaining, limit }) => 2 * limit - remaining,
    'remaining-above-limit-on-fetches: On fetches Remaining is always one above Limit, from a counter that starts anew.':
      ({ remaining, limit }, context) => (isOperation(context, 'getPet') ? limit + 1 : remaining),
  }),
  ...flawsTurning('rate-headers-wellformed', 'suites', {
    'remaining-with-fraction: Remaining has a fraction, taken directly from a bucket.': onHeader(
      REMAINING,
      (remaining) => `${remaining}.5`,
    ),
    'remaining-empty: Remaining is empty on errors.': [
      onHeader(REMAINING, () => '', isError),
      ['rate-headers-present'],
    ],
    'remaining-of-the-day: Remaining is of the day, but Limit of the minute.': after(
      'figures',
      (figures, _minute, { remaining }) => ({ ...figures, remaining }),
    ),
    'reset-of-the-day: Reset is of the day, but Limit of the minute.': after(
      'figures',
      (figures, _minute, { resetAt }) => ({ ...figures, resetAt }),
    ),
    'limit-unlimited-on-401: The Limit of a 401 is "unlimited".': onHeader(
      LIMIT,
      () => 'unlimited',
      withStatus(401),
    ),
  }),
  // A smaller limit of one operation, in addition to the plan's. A busy machine needs more than two seconds to meet it.
  ...flawsTurning({ turns: ['rate-remaining-counts'], options: { minuteSeconds: 6 } }, 'suites', {
    'creations-ten-a-minute: A second limiter allows ten creations a minute; its 429 says that nothing is left.':
      chain(
        onHeader(REMAINING, () => '0', both(on('createPet'), withStatus(429))),
        allowing('createPet', 10),
      ),
    'fetches-three-a-minute: The deprecated operation is throttled to three requests a minute, to push its users away.':
      allowing('getPet', 3),
  }),
  ...flawsTurning('rate-limit-value', 'load', {
    'limit-header-of-another-plan: Limit is 100 for a Free key, the limit of last year.': onFigures(
      (figures) => (figures.limit === 60 ? { ...figures, limit: 100 } : figures),
    ),
  }),
  ...flawsTurning({ turns: ['rate-limit-value'], inSuites: true }, 'load', {
    'limit-header-counts-down: Limit is the remaining number, as Remaining is.': onFigures((figures) => ({
      ...figures,
      limit: figures.remaining,
    })),
    'limit-header-differs-on-creations: Limit is one higher on creations, whose route has another copy of the limits.':
      onHeader(LIMIT, (limit) => String(Number(limit) + 1), on('createPet')),
  }),
  ...flawsBy({ turns: ['rate-remaining-counts'], inSuites: true }, 'load', onRemaining, {
    'remaining-constant: Remaining never changes.': ({ limit }) => limit - 1,
    'remaining-falls-by-two: Remaining falls by two a request, although the limit counts one.': ({
      remaining,
      limit,
    }) => Math.max(0, limit - 2 * (limit - remaining)),
  }),
  ...flawsBy({ turns: ['rate-all-operations'], inSuites: true }, 'load', onRemaining, {
    'remaining-full-on-creations: On creations Remaining is always the whole limit, from a separate counter that never changes.':
      ({ remaining, limit }, context) => (isOperation(context, 'createPet') ? limit : remaining),
  }),
  ...flawsTurning('rate-remaining-counts', 'load', {
    'remaining-one-behind: Remaining is read before the request is counted, so the last served request leaves 1.':
      onServed((remaining) => remaining + 1),
    'remaining-never-none: Remaining is 1 at least, so that no client stops before a 429.': onServed(
      (remaining) => Math.max(1, remaining),
    ),
    'remaining-left-on-429: A 429 says that five requests are left.': onHeader(
      REMAINING,
      () => '5',
      withStatus(429),
    ),
  }),
  ...flawsTurning('rate-headers-wellformed', 'load', {
    'limit-of-the-day: Limit is of the day, but Remaining and Reset of the minute.': after(
      'figures',
      (figures, _minute, { limit }) => ({ ...figures, limit }),
    ),
    'remaining-below-zero-past-limit: Remaining falls below zero once requests are refused.': onHeader(
      REMAINING,
      () => '-1',
      withStatus(429),
    ),
    'remaining-above-limit-at-first: Remaining starts one above Limit.': [
      onServed((remaining, limit) => (remaining === limit - 1 ? limit + 1 : remaining)),
      { families: ['how much'] },
    ],
    'reset-of-the-first-window: Reset stays that of a key’s first window.': anew(() => {
      const first = new Map<string, string>();
      return onHeader(RESET, (reset, { caller }) => {
        const key = caller.kind === 'known' ? caller.key : '';
        if (!first.has(key)) first.set(key, reset);
        return first.get(key) ?? reset;
      });
    }),
    'reset-past-on-429: The Reset of a 429 is the time at which the window began.': onHeader(
      RESET,
      (reset) => String(Number(reset) - 3_600),
      withStatus(429),
    ),
  }),
];

function onRemaining(remaining: (figures: RateFigures, context: Context) => number): Change {
  return onFigures((figures, context) => ({ ...figures, remaining: remaining(figures, context) }));
}

function onServed(alter: (remaining: number, limit: number) => number): Change {
  return onHeader(
    REMAINING,
    (remaining, { caller, settings }) =>
      caller.kind === 'known'
        ? String(alter(Number(remaining), settings.plans[planOf(caller.key)].perMinute))
        : remaining,
    (_context, { status }) => status !== 429,
  );
}
