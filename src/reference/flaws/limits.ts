import type { Change, Context, RateFigures } from '../behaviour.js';
import { anew, chain, isOperation, seams } from '../changes/requests.js';
import { bare, limitedBy, onFigures, restated } from '../changes/answers.js';
import { flawsTurning, OF_THE_DAY } from '../registry.js';
import { type Algorithm, fixedWindow, type Limiter } from '../limiters/windows.js';
import { bucket, leakyBucket, quartersByTenths } from '../limiters/buckets.js';
import { lasting, overserving, scaled, undercounting, unforgiving, unlimited } from '../limiters/broken.js';

/** Counts requests in other buckets than their key's. The plan's limit applies to each bucket. */
const sorting = (bucketOf: (context: Context, key: string) => string): Change =>
  seams({ bucket: (context) => bucketOf(context, context.key) });

const isGet = ({ request }: Context) => request.method === 'GET';

/** Numbers objects in the order of their first use. */
const numbering = () => {
  const numbers = new WeakMap<object, number>();
  let last = 0;
  return (shown: object): number => {
    const number = numbers.get(shown) ?? (last += 1);
    numbers.set(shown, number);
    return number;
  };
};

/** True if the balancer sends a request to the second of two servers. */
const isOfTheOther = ({ request }: Context): boolean => request.serial % 2 === 0;

/** In a window of a few seconds, one counter may explain all returns within a burst. Whole seconds say little there. */
const SIDE_BY_SIDE = { options: { minuteSeconds: 10 } } as const;

/** Rate figures for a key that a server has never seen. */
const untouched = ({ limit }: RateFigures, context: Context): RateFigures => ({
  limit,
  remaining: limit - 1,
  resetAt: context.request.at + minuteMs(context),
});

/** Limit of a counter that never refuses. */
const MORE_THAN_ANY_PLAN = Number.MAX_SAFE_INTEGER;

/** Time between reading and writing a counter on a server with a slow store, ms. */
const SLOW_STORE_MS = 15;

const minuteMs = ({ settings }: Context): number => settings.minuteSeconds * 1000;

/** Flaws of the number of served requests. */
export const allowanceFlaws = [
  ...flawsTurning('rate-429', 'load', {
    'limit-never-enforced: Requests are counted but never refused.': [
      limitedBy(unlimited),
      ['rate-remaining-counts', 'rate-window', 'rate-concurrent', 'rate-all-operations'],
    ],
    'limit-one-over: One request more than the plan allows is served: the counter is compared before it is increased.':
      [limitedBy(overserving(() => 1)), ['rate-concurrent', 'rate-remaining-counts']],
    'limit-one-over-at-first: One request more than the plan allows is served: the first of a window is not counted.': [
      limitedBy(undercounting),
      {
        also: ['rate-concurrent', 'rate-remaining-counts'],
        // In windows of a few seconds, Reset does not show if one has restarted.
        options: { minuteSeconds: 10 },
      },
    ],
    'limit-tenth-over: A tenth more than the plan allows is served, as a tolerance for peaks.': [
      limitedBy(overserving((limit) => Math.ceil(limit / 10))),
      ['rate-remaining-counts', 'rate-concurrent'],
    ],
  }),
  ...flawsTurning('rate-not-early', 'load', {
    'limit-tenth-early: The limit is enforced a tenth below the plan, as a safety margin.': limitedBy(
      scaled(fixedWindow, (limit) => Math.floor(limit * 0.9)),
    ),
    'limit-one-early: The last request of the plan is refused, and the headers do not count it either.': limitedBy(
      scaled(fixedWindow, (limit) => limit - 1),
    ),
  }),
  ...flawsTurning(['rate-limit-value', 'rate-not-early'], 'load', {
    'pro-served-as-free: A Pro key gets the limit of the Free plan, and its headers say so.': seams(
      ({ allowance }) => ({ allowance: (plan, settings) => allowance(plan === 'pro' ? 'free' : plan, settings) }),
    ),
  }),
  ...flawsTurning('rate-not-early', 'load', {
    'business-refused-as-pro: A Business key is refused at the Pro limit, although its headers name the Business limit.':
      [limitedBy(scaled(fixedWindow, (limit) => (limit === 1_000 ? 300 : limit))), { plans: ['pro', 'business'] }],
  }),
  ...flawsTurning('rate-window', 'load', {
    'window-of-a-sixth: The limit resets after a sixth of the window: ten seconds for a minute.': [
      limitedBy(lasting(1 / 6)),
      { also: ['rate-429'], options: { minuteSeconds: 6 } },
    ],
    'window-of-a-half: The limit resets after half of the window.': [
      limitedBy(lasting(1 / 2)),
      { options: { minuteSeconds: 4 } },
    ],
  }),
  ...flawsTurning('rate-not-early', 'load', {
    'window-of-two: The plan’s limit holds for two windows; Retry-After and Reset say so.': [
      limitedBy(lasting(2)),
      ['rate-headers-wellformed'],
    ],
  }),
  ...flawsTurning('rate-headers-wellformed', 'load', {
    'window-of-an-hour: The plan’s limit holds for an hour.': [
      limitedBy(lasting(60)),
      ['rate-not-early', 'rate-retry-after-honoured', 'rate-reset-truthful'],
    ],
  }),
  ...flawsTurning('rate-not-early', 'load', {
    'bucket-refills-at-half: A small bucket refills at half the plan’s rate.': limitedBy(
      bucket((limit) => Math.floor(limit / 4), 1 / 2),
    ),
    'bucket-refills-at-four-fifths: A bucket of three quarters refills at four fifths of the plan’s rate.': [
      limitedBy(bucket((limit) => Math.floor((3 * limit) / 4), 4 / 5)),
      { options: { minuteSeconds: 60 } },
    ],
  }),
  ...flawsTurning('rate-window', 'load', {
    'quarters-by-tenths: A quarter of the plan comes back every tenth of a window: two and a half times the plan in total.':
      [
        limitedBy(quartersByTenths),
        { also: ['rate-429', 'rate-remaining-counts', 'rate-concurrent'], options: { minuteSeconds: 6 } },
      ],
  }),
  ...flawsTurning('rate-not-early', 'load', {
    'counts-double: Each request is counted twice, by the router and by the application.': [
      seams({ cost: () => 2 }),
      ['rate-remaining-counts'],
    ],
  }),
  ...flawsTurning('rate-concurrent', 'load', {
    'checks-before-it-counts: The counter is read before the request is processed, and written only after it.': [
      seams({ work: () => SLOW_STORE_MS }),
      ['rate-429', 'rate-remaining-counts'],
    ],
    'leaky-bucket-checks-before-it-counts: A bucket of a tenth of the plan is read before the request is processed, and written only after it.':
      [
        chain(limitedBy(leakyBucket), seams({ work: () => 3 * SLOW_STORE_MS })),
        {
          also: ['rate-429', 'rate-remaining-counts'],
          // Long enough for a busy machine to read a burst, and for little to return meanwhile.
          options: { minuteSeconds: 10 },
        },
      ],
  }),
  ...flawsTurning('rate-429', 'load', {
    'every-fourth-leaks: Every fourth request is not limited: one of four workers has no limiter.': [
      seams({ isLimited: ({ request }) => request.serial % 4 !== 0 }),
      ['rate-remaining-counts', 'rate-concurrent', 'rate-all-operations'],
    ],
    'one-of-two-without-limit: One of two servers behind a balancer has no limiter; its headers say that nothing is used.':
      [
        chain(
          seams({ isLimited: isOfTheOther }),
          seams(({ rateHeaders }) => ({
            rateHeaders: (figures, context) =>
              rateHeaders(isOfTheOther(context) ? figures : untouched(figures, context), context),
          })),
        ),
        { also: ['rate-remaining-counts', 'rate-concurrent'], ...SIDE_BY_SIDE },
      ],
  }),
  ...flawsTurning(['rate-429', 'rate-headers-present'], 'load', {
    'one-of-two-without-limit-and-headers: One of two servers behind a balancer has no limiter and no rate headers.': [
      chain(
        seams({ isLimited: isOfTheOther }),
        bare((context) => !isOfTheOther(context)),
      ),
      { also: ['rate-remaining-counts', 'rate-concurrent'], ...SIDE_BY_SIDE },
    ],
  }),
  ...flawsTurning('rate-429', 'load', {
    'two-that-count-apart: Two servers behind a balancer have separate counters.': [
      sorting((context, key) => `${key} ${isOfTheOther(context)}`),
      {
        // The second window starts a moment later, so headers of one may be judged by the other.
        also: ['rate-remaining-counts', 'rate-concurrent', 'rate-retry-after-honoured'],
        ...SIDE_BY_SIDE,
      },
    ],
    'two-that-count-apart-a-window-apart: Two servers behind a balancer have separate counters, and the clock of one is a window behind.':
      [
        chain(
          sorting((context, key) => `${key} ${isOfTheOther(context)}`),
          onFigures((figures, context) =>
            isOfTheOther(context) ? figures : { ...figures, resetAt: figures.resetAt - minuteMs(context) },
          ),
        ),
        {
          also: ['rate-remaining-counts', 'rate-concurrent', 'rate-headers-wellformed', 'rate-reset-truthful'],
          ...SIDE_BY_SIDE,
        },
      ],
  }),
  ...flawsTurning('rate-concurrent', 'load', {
    'limit-per-connection: Each connection has its own limit.': [
      anew(() => {
        const numberOf = numbering();
        return sorting(({ request }, key) => `${key} ${numberOf(request.connection)}`);
      }),
      ['rate-429', 'rate-remaining-counts', 'rate-all-operations', 'rate-window'],
    ],
  }),
  ...flawsTurning('rate-day-quota', 'load', {
    'day-not-enforced: The requests of a day are counted but never refused.': [
      seams({ dayAlgorithm: unlimited }),
      OF_THE_DAY,
    ],
    'day-tenth-over: A tenth more than the day allows is served.': [
      seams({ dayAlgorithm: overserving((limit) => Math.ceil(limit / 10)) }),
      OF_THE_DAY,
    ],
    'day-refused-with-403: A used-up day returns 403; a used-up minute returns 429.': [
      seams(({ refuse }) => ({
        refuse: (context, admission) => {
          const answer = refuse(context, admission);
          const isLong = admission.kind === 'limited' && admission.retryAt - context.request.at > minuteMs(context);
          return isLong ? restated(answer, 403) : answer;
        },
      })),
      OF_THE_DAY,
    ],
  }),
  ...flawsTurning(['rate-retry-after-honoured', 'rate-reset-truthful'], 'load', {
    'never-restored: A key that was refused once is refused for ever: its flag is never reset.': [
      limitedBy(unforgiving),
      ['ban-only-after-abuse', 'rate-not-early'],
    ],
  }),
];

/** Flaws of which requests are counted, and for whom. */
export const scopeFlaws = [
  ...flawsTurning('rate-per-key', 'load', {
    'keys-share-one-counter: All keys share one counter, each with the limit of its own plan.': [
      sharing(),
      ['rate-remaining-counts', 'rate-not-early', 'rate-429'],
    ],
  }),
  ...flawsTurning(['rate-per-key', 'rate-limit-value'], 'load', {
    'counted-by-address: Requests are counted by the sender’s address, with the Free plan’s limit for all.': [
      seams(({ allowance }) => ({
        bucket: ({ request }) => request.address,
        allowance: (_plan, settings) => allowance('free', settings),
      })),
      ['rate-remaining-counts', 'rate-not-early', 'rate-429'],
    ],
  }),
  ...flawsTurning('rate-all-operations', 'load', {
    'only-reads-counted: Only GET is limited; creations are neither counted nor refused.': [
      seams({ isLimited: isGet }),
      { also: ['rate-429', 'rate-remaining-counts', 'rate-concurrent'], inSuites: true },
    ],
    'creations-not-counted: A creation is not counted, but is refused once the limit is used up.': [
      seams({ cost: (context) => (isOperation(context, 'createPet') ? 0 : 1) }),
      { also: ['rate-429', 'rate-remaining-counts', 'rate-concurrent'], inSuites: true },
    ],
    'fetches-not-limited: The limiter ignores the deprecated operation.': [
      seams({ isLimited: (context) => !isOperation(context, 'getPet') }),
      { also: ['rate-429', 'rate-remaining-counts', 'rate-concurrent'], inSuites: true },
    ],
    'counted-per-operation: Each operation has its own limit.': [
      sorting(({ route }, key) => `${key} ${route.kind === 'operation' ? route.operation : ''}`),
      ['rate-429', 'rate-remaining-counts', 'rate-concurrent'],
    ],
    'counted-per-address-line: Requests are counted separately for each path and query, the library’s default.': [
      sorting(({ request }, key) => `${key} ${request.method} ${request.path}?${request.query.toString()}`),
      { also: ['rate-429', 'rate-remaining-counts', 'rate-concurrent'], inSuites: true },
    ],
  }),
];

/** One counter for all keys, each with its plan's limit. */
function sharing(): Change {
  return (behaviour) => {
    let shared: Limiter | undefined;
    const minuteAlgorithm: Algorithm = ({ limit, windowMs }) => {
      const counter = (shared ??= fixedWindow({ limit: MORE_THAN_ANY_PLAN, windowMs }));
      return {
        ...counter,
        look: (now) => {
          const look = counter.look(now);
          const remaining = Math.max(0, limit - (MORE_THAN_ANY_PLAN - look.remaining));
          return { ...look, remaining, admits: remaining > 0, retryAt: remaining > 0 ? now : look.resetAt };
        },
      };
    };
    return { ...behaviour, minuteAlgorithm };
  };
}
