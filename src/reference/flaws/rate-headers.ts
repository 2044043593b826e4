import type { Change, Context } from '../behaviour.js';
import {
  always,
  bare,
  both,
  of,
  onAnswers,
  onFigures,
  onHeader,
  RATE_HEADERS,
  seams,
  withStatus,
  type Which,
} from '../changes.js';
import type { Header } from '../messages.js';
import { flawsTurning } from '../registry.js';

const [LIMIT, REMAINING, RESET] = RATE_HEADERS;

const bareOn = (which: Which, names?: readonly string[]): Change => onAnswers(which, (answer) => bare(answer, names));

/** The rate headers under other names. */
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

/** Rate headers that are missing. */
export const missingHeaderFlaws = flawsTurning(['rate-headers-present'], 'suites', {
  'no-rate-headers': {
    title: 'There are no rate headers at all.',
    change: bareOn(always),
  },
  'no-rate-headers-on-401': {
    title: 'A 401 has no rate headers, because the limiter comes after the guard.',
    change: bareOn(withStatus(401)),
  },
  'no-rate-headers-on-404': {
    title: 'A 404 has no rate headers.',
    change: bareOn(withStatus(404)),
  },
  'no-rate-headers-on-400': {
    title: 'A 400 has no rate headers, because the error handler starts from an empty answer.',
    change: bareOn(withStatus(400)),
  },
  'no-rate-headers-on-201': {
    title: 'A creation is answered without rate headers.',
    change: bareOn(withStatus(201)),
  },
  'no-rate-headers-on-fetches': {
    title: 'A fetched animal comes without rate headers: the route was left out of the plug-in.',
    change: bareOn(both(of('getPet'), withStatus(200))),
  },
  'no-rate-headers-on-every-fifth': {
    title: 'Every fifth answer has no rate headers: one of five workers runs an older version.',
    change: bareOn(EVERY_FIFTH),
  },
  'no-rate-headers-from-second-listing-on': {
    title: 'Only the first listing has rate headers; the others come from a cache.',
    change: (behaviour) => bareOn(isSecondListing())(behaviour),
  },
  'no-reset-header': {
    title: 'There is no X-RateLimit-Reset.',
    change: bareOn(always, [RESET]),
  },
  'no-remaining-header-on-errors': {
    title: 'Errors have no X-RateLimit-Remaining.',
    change: bareOn((answer) => answer.status >= 400, [REMAINING]),
  },
  'no-limit-header-on-creation': {
    title: 'Answers to creations have no X-RateLimit-Limit.',
    change: bareOn(of('createPet'), [LIMIT]),
  },
  'rate-headers-of-the-draft': {
    title: 'The headers are called RateLimit-Limit and so on, as in the draft standard.',
    change: renamed((name) => name.slice('X-'.length)),
  },
  'rate-headers-misspelt': {
    title: 'The headers are called X-Rate-Limit-Limit and so on.',
    change: renamed((name) => name.replace('RateLimit', 'Rate-Limit')),
  },
});

/** Rate headers that say something else than they should. */
export const malformedHeaderFlaws = flawsTurning(['rate-headers-wellformed'], 'suites', {
  'reset-in-seconds-to-go': {
    title: 'Reset is the number of seconds to go, the default of the plug-in.',
    change: onHeader(RESET, always, secondsToGo),
  },
  'reset-in-milliseconds': {
    title: 'Reset is in milliseconds.',
    change: onHeader(RESET, always, (reset) => `${reset}000`),
  },
  'reset-with-fraction': {
    title: 'Reset has a fraction.',
    change: onHeader(RESET, always, (reset) => `${reset}.0`),
  },
  'reset-as-date': {
    title: 'Reset is a date in ISO 8601.',
    change: onHeader(RESET, always, (reset) => new Date(Number(reset) * 1000).toISOString()),
  },
  'reset-as-http-date': {
    title: 'Reset is a date as in the Date header.',
    change: onHeader(RESET, always, (reset) => new Date(Number(reset) * 1000).toUTCString()),
  },
  'reset-an-hour-late': {
    title: 'Reset is an hour late: the local time was taken for UTC.',
    change: onHeader(RESET, always, (reset) => String(Number(reset) + 3_600)),
  },
  'reset-an-hour-past': {
    title: 'Reset lies an hour in the past.',
    change: onHeader(RESET, always, (reset) => String(Number(reset) - 3_600)),
  },
  'reset-zero-on-401': {
    title: 'The Reset of a 401 is 0.',
    change: onHeader(RESET, withStatus(401), () => '0'),
  },
  'reset-in-milliseconds-on-404': {
    title: 'The Reset of a 404 is in milliseconds, as another library writes it.',
    change: onHeader(RESET, withStatus(404), (reset) => `${reset}000`),
  },
  'limit-with-window': {
    title: 'Limit carries its window, as in the draft standard: "60;w=60".',
    change: onHeader(LIMIT, always, (limit, { settings }) => `${limit};w=${settings.minuteSeconds}`),
  },
  'limit-per-minute-in-words': {
    title: 'Limit is written as "60/minute".',
    change: onHeader(LIMIT, always, (limit) => `${limit}/minute`),
  },
  'limit-with-separator': {
    title: 'Figures of a thousand and more carry a separator.',
    change: onHeader(LIMIT, always, (limit) => Number(limit).toLocaleString('en-US')),
  },
  'limit-twice-in-one-header': {
    title: 'Two limiters each add a Limit, and a proxy joins them with a comma.',
    change: onHeader(LIMIT, always, (limit) => `${limit}, ${limit}`),
  },
  'remaining-negative': {
    title: 'Remaining begins below zero: it is what has been used, with a minus.',
    change: onFigures((figures) => ({ ...figures, remaining: figures.remaining - figures.limit })),
  },
  'remaining-above-limit': {
    title: 'Remaining counts up from Limit.',
    change: onFigures((figures) => ({ ...figures, remaining: 2 * figures.limit - figures.remaining })),
  },
  'remaining-with-fraction': {
    title: 'Remaining has a fraction, straight from a bucket.',
    change: onHeader(REMAINING, always, (remaining) => `${remaining}.5`),
  },
  'remaining-empty': {
    title: 'Remaining is empty on errors.',
    also: ['rate-headers-present'],
    change: onHeader(
      REMAINING,
      (answer) => answer.status >= 400,
      () => '',
    ),
  },
  'remaining-of-the-day': {
    title: 'Remaining is the day’s, beside the Limit of the minute.',
    change: seams(({ figures }) => ({
      figures: (minute, day) => ({ ...figures(minute, day), remaining: day.remaining }),
    })),
  },
  'reset-of-the-day': {
    title: 'Reset is the day’s, beside the Limit of the minute.',
    change: seams(({ figures }) => ({ figures: (minute, day) => ({ ...figures(minute, day), resetAt: day.resetAt }) })),
  },
  'limit-unlimited-on-401': {
    title: 'The Limit of a 401 is "unlimited".',
    change: onHeader(LIMIT, withStatus(401), () => 'unlimited'),
  },
});
