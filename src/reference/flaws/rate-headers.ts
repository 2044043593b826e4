import type { OperationName } from '../../contract/types.js';
import type { Behaviour, Change, Context } from '../behaviour.js';
import {
  always,
  bare,
  both,
  chain,
  of,
  onAnswers,
  onFigures,
  onHeader,
  RATE_HEADERS,
  seams,
  type Which,
  withStatus,
} from '../changes.js';
import { type Header, withHeader } from '../messages.js';
import { flawsTurning } from '../registry.js';
import { fixedWindow, type Limiter } from '../limiters/windows.js';

const [LIMIT, REMAINING, RESET] = RATE_HEADERS;

const bareOn = (which: Which, names?: readonly string[]): Change => onAnswers(which, (answer) => bare(answer, names));

const renamed = (rename: (name: string) => string): Change =>
  seams(({ rateHeaders }) => ({
    rateHeaders: (figures, context) =>
      rateHeaders(figures, context).map(([name, value]): Header => [rename(name), value]),
  }));

const secondsToGo = (reset: string, { request }: Context) =>
  String(Math.max(0, Number(reset) - Math.floor(request.at / 1000)));

const EVERY_FIFTH: Which = (_answer, { request }) => request.serial % 5 === 0;

const isSecondListing = (): Which => {
  let listings = 0;
  return (answer, context) => of('listPets')(answer, context) && ++listings > 1;
};

export const missingHeaderFlaws = flawsTurning('rate-headers-present', 'suites', {
  'no-rate-headers: No response has rate headers.': bareOn(always),
  'no-rate-headers-on-401: A 401 has no rate headers, because the limiter runs after the key check.': bareOn(
    withStatus(401),
  ),
  'no-rate-headers-on-404: A 404 has no rate headers.': bareOn(withStatus(404)),
  'no-rate-headers-on-400: A 400 has no rate headers, because the error handler starts from an empty response.': bareOn(
    withStatus(400),
  ),
  'no-rate-headers-on-201: The response to a creation has no rate headers.': bareOn(withStatus(201)),
  'no-rate-headers-on-fetches: The response to a fetch has no rate headers: the plug-in ignores its route.': bareOn(
    both(of('getPet'), withStatus(200)),
  ),
  'no-rate-headers-on-every-fifth: Every fifth response has no rate headers: one of five workers runs an older version.':
    bareOn(EVERY_FIFTH),
  'no-rate-headers-from-second-listing-on: Only the first listing has rate headers; the others come from a cache.': (
    behaviour,
  ) => bareOn(isSecondListing())(behaviour),
  'no-reset-header: There is no X-RateLimit-Reset.': bareOn(always, [RESET]),
  'no-remaining-header-on-errors: Errors have no X-RateLimit-Remaining.': bareOn(
    (answer) => answer.status >= 400,
    [REMAINING],
  ),
  'no-limit-header-on-creation: Responses to creations have no X-RateLimit-Limit.': bareOn(of('createPet'), [LIMIT]),
  'rate-headers-of-the-draft: The headers are called RateLimit-Limit and so on, as in the draft standard.': renamed(
    (name) => name.slice('X-'.length),
  ),
  'rate-headers-misspelt: The headers are called X-Rate-Limit-Limit and so on.': renamed((name) =>
    name.replace('RateLimit', 'Rate-Limit'),
  ),
});

export const malformedHeaderFlaws = flawsTurning('rate-headers-wellformed', 'suites', {
  'reset-in-seconds-to-go: Reset is the number of seconds left, the plug-in’s default.': onHeader(
    RESET,
    always,
    secondsToGo,
  ),
  'reset-in-milliseconds: Reset is in milliseconds.': onHeader(RESET, always, (reset) => `${reset}000`),
  'reset-with-fraction: Reset has a fraction.': onHeader(RESET, always, (reset) => `${reset}.0`),
  'reset-as-date: Reset is a date in ISO 8601.': onHeader(RESET, always, (reset) =>
    new Date(Number(reset) * 1000).toISOString(),
  ),
  'reset-as-http-date: Reset is a date as in the Date header.': onHeader(RESET, always, (reset) =>
    new Date(Number(reset) * 1000).toUTCString(),
  ),
  'reset-an-hour-late: Reset is an hour late: local time is used as UTC.': onHeader(RESET, always, (reset) =>
    String(Number(reset) + 3_600),
  ),
  'reset-an-hour-past: Reset lies an hour in the past.': onHeader(RESET, always, (reset) =>
    String(Number(reset) - 3_600),
  ),
  'reset-zero-on-401: The Reset of a 401 is 0.': onHeader(RESET, withStatus(401), () => '0'),
  'reset-in-milliseconds-on-404: The Reset of a 404 is in milliseconds, as another library writes it.': onHeader(
    RESET,
    withStatus(404),
    (reset) => `${reset}000`,
  ),
  'limit-with-window: Limit includes its window, as in the draft standard: "60;w=60".': onHeader(
    LIMIT,
    always,
    (limit, { settings }) => `${limit};w=${settings.minuteSeconds}`,
  ),
  'limit-per-minute-in-words: Limit is written as "60/minute".': onHeader(LIMIT, always, (limit) => `${limit}/minute`),
  'limit-with-separator: Numbers from a thousand have a separator.': onHeader(LIMIT, always, (limit) =>
    Number(limit).toLocaleString('en-US'),
  ),
  'limit-twice-in-one-header: Two limiters each add a Limit, and a proxy joins them with a comma.': onHeader(
    LIMIT,
    always,
    (limit) => `${limit}, ${limit}`,
  ),
  'remaining-negative: Remaining starts below zero: it is the used number, with a minus.': onFigures((figures) => ({
    ...figures,
    remaining: figures.remaining - figures.limit,
  })),
  'remaining-above-limit: Remaining counts up from Limit.': onFigures((figures) => ({
    ...figures,
    remaining: 2 * figures.limit - figures.remaining,
  })),
  'remaining-with-fraction: Remaining has a fraction, taken directly from a bucket.': onHeader(
    REMAINING,
    always,
    (remaining) => `${remaining}.5`,
  ),
  'remaining-empty: Remaining is empty on errors.': [
    onHeader(
      REMAINING,
      (answer) => answer.status >= 400,
      () => '',
    ),
    ['rate-headers-present'],
  ],
  'remaining-of-the-day: Remaining is of the day, but Limit of the minute.': seams(({ figures }) => ({
    figures: (minute, day) => ({ ...figures(minute, day), remaining: day.remaining }),
  })),
  'reset-of-the-day: Reset is of the day, but Limit of the minute.': seams(({ figures }) => ({
    figures: (minute, day) => ({ ...figures(minute, day), resetAt: day.resetAt }),
  })),
  'limit-unlimited-on-401: The Limit of a 401 is "unlimited".': onHeader(LIMIT, withStatus(401), () => 'unlimited'),
});

/** Limits an operation to a number of requests per minute, in addition to the plan. */
const allowing = (operation: OperationName, limit: number): Change =>
  seams(({ operations, refuse, retryAfter }): Partial<Behaviour> => {
    const quotas = new Map<string, Limiter>();
    return {
      operations: {
        ...operations,
        [operation]: (context: Context) => {
          const { caller, request, settings } = context;
          const whose = caller.kind === 'known' ? caller.key : '';
          const quota = quotas.get(whose) ?? fixedWindow({ limit, windowMs: settings.minuteSeconds * 1000 });
          quotas.set(whose, quota);
          const { admits, retryAt } = quota.look(request.at);
          if (!admits)
            return withHeader(
              refuse(context, { kind: 'limited', retryAt }),
              'Retry-After',
              retryAfter(retryAt, context) ?? '',
            );
          quota.take(request.at);
          return operations[operation](context);
        },
      },
    };
  });

/** Flaws with a smaller limit of one operation, in addition to the plan's. */
export const quotaFlaws = flawsTurning('rate-remaining-counts', 'suites', {
  'creations-ten-a-minute: A second limiter allows ten creations a minute; its 429 says that nothing is left.': chain(
    onHeader(REMAINING, both(of('createPet'), withStatus(429)), () => '0'),
    allowing('createPet', 10),
  ),
  'fetches-three-a-minute: The deprecated operation is throttled to three requests a minute, to push its users away.':
    allowing('getPet', 3),
});
