import type { Change, Context, RateFigures } from '../../reference/behaviour.js';
import { after, anew, chain, isOperation, seams } from '../changes/requests.js';
import { bare, limitedBy, onFigures, restated } from '../changes/answers.js';
import { flawsBy, flawsTurning, OF_THE_DAY } from '../registry.js';
import { type Algorithm, fixedWindow, type Limiter } from '../../reference/limiter.js';
import { expiryRenewed, expiryRenewedByRefusals, misread } from '../limiters/windows.js';
import { bucket, leakyBucket, quartersByTenths } from '../limiters/buckets.js';
import {
  allowanceOnTop,
  lasting,
  overserving,
  reportedAsWhole,
  scaled,
  undercounting,
  unforgiving,
  unlimited,
} from '../limiters/broken.js';

/** Counts requests in other buckets than their key's. The plan's limit applies to each bucket. */
const sorting = (bucketOf: (context: Context, key: string) => string): Change =>
  seams({ bucket: (context) => bucketOf(context, context.key) });

/** True if the balancer sends a request to the second of two servers. */
const isOfTheOther = ({ request }: Context): boolean => request.serial % 2 === 0;

/**
 * In a window of a few seconds, one counter may explain all returns within a burst. Whole seconds say little
 * there.
 */
const SIDE_BY_SIDE = { options: { minuteSeconds: 10 } } as const;

/** Rate figures for a key that a server has never seen. */
const untouched = ({ limit }: RateFigures, context: Context): RateFigures => ({
  limit,
  remaining: limit - 1,
  resetAt: context.request.at + minuteMs(context),
});

const MORE_THAN_ANY_PLAN = Number.MAX_SAFE_INTEGER;

/** Time between reading and writing a counter on a server with a slow store, ms. */
const SLOW_STORE_MS = 15;

const minuteMs = ({ settings }: Context): number => settings.minuteSeconds * 1000;

const tenth = (limit: number): number => Math.ceil(limit / 10);

/** Windows of at least this many seconds, in which whole seconds show the end. */
const TOLD_BY_SECONDS = { options: { minuteSeconds: 12 } } as const;

/** In whole seconds, an end must be clearly nearer than a window: uncertain in 20 s, certain in a minute. */
const TOLD_APART_BY_SECONDS = { options: { minuteSeconds: 30 } } as const;

const OF_ALL_OPERATIONS = { turns: ['rate-all-operations'] } as const;

/** A mistake that serves too few as well as too many, or at the wrong time. */
const IN_BOTH_FAMILIES = { families: ['how much', 'when back'] } as const;

const perServer = sorting((context, key) => `${key} ${isOfTheOther(context)}`);

const withoutLimitOnOne = seams({ isLimited: isOfTheOther });

/** Flaws of the number of served requests, of which are counted, and for whom. */
export const limitFlaws = [
  ...flawsBy('rate-429', 'load', limitedBy, {
    'limit-one-over: One request more than the plan allows is served: the counter is compared before it is increased.':
      overserving(() => 1),
    // In windows of a few seconds, Reset does not show if one has restarted.
    'limit-one-over-at-first: One request more than the plan allows is served: the first of a window is not counted.':
      [undercounting, { options: { minuteSeconds: 10 } }],
    'limit-tenth-over: A tenth more than the plan allows is served, as a tolerance for peaks.':
      overserving(tenth),
    'limit-never-enforced: Requests are counted but never refused.': unlimited,
  }),
  ...flawsBy('rate-not-early', 'load', limitedBy, {
    'limit-tenth-early: The limit is enforced a tenth below the plan, as a safety margin.': scaled(
      fixedWindow,
      (limit) => Math.floor(limit * 0.9),
    ),
    'limit-one-early: The last request of the plan is refused, and the headers do not count it either.':
      scaled(fixedWindow, (limit) => limit - 1),
    'business-refused-as-pro: A Business key is refused at the Pro limit, although its headers name the Business limit.':
      [scaled(fixedWindow, (limit) => (limit === 1_000 ? 300 : limit)), { plans: ['pro', 'business'] }],
    'window-of-two: The plan’s limit holds for two windows; Retry-After and Reset say so.': [
      lasting(2),
      ['rate-headers-wellformed'],
    ],
    'bucket-refills-at-half: A small bucket refills at half the plan’s rate.': bucket(
      (limit) => Math.floor(limit / 4),
      1 / 2,
    ),
    'bucket-refills-at-four-fifths: A bucket of three quarters refills at four fifths of the plan’s rate.': [
      bucket((limit) => Math.floor((3 * limit) / 4), 4 / 5),
      { options: { minuteSeconds: 60 } },
    ],
    'expiry-renewed: Each served request renews the expiry of the counter: INCR, then EXPIRE.': expiryRenewed,
    'expiry-renewed-by-refusals-too: Each request, also a refused one, renews the expiry of the counter.':
      expiryRenewedByRefusals,
  }),
  ...flawsTurning('rate-not-early', 'load', {
    'counts-double: Each request is counted twice, by the router and by the application.': [
      seams({ cost: () => 2 }),
      IN_BOTH_FAMILIES,
    ],
  }),
  ...flawsTurning('rate-remaining-counts', 'load', {
    'counts-one-in-ten-double: Every tenth request is counted twice, because a proxy in front repeats it.': [
      seams({ cost: ({ request }) => (request.serial % 10 === 0 ? 2 : 1) }),
      IN_BOTH_FAMILIES,
    ],
  }),
  ...flawsTurning(['rate-limit-value', 'rate-429'], 'load', {
    'free-served-by-an-old-table: A Free key gets 100 requests a minute, as in last year’s table, and its headers say so.':
      seams(({ allowance }) => ({
        allowance(plan, settings) {
          const { minute, day } = allowance(plan, settings);
          return { minute: plan === 'free' ? { ...minute, limit: 100 } : minute, day };
        },
      })),
  }),
  ...flawsTurning(['rate-limit-value', 'rate-not-early'], 'load', {
    'pro-served-as-free: A Pro key gets the limit of the Free plan, and its headers say so.': seams(
      ({ allowance }) => ({
        allowance: (plan, settings) => allowance(plan === 'pro' ? 'free' : plan, settings),
      }),
    ),
  }),
  ...flawsBy('rate-window', 'load', limitedBy, {
    'window-of-a-sixth: The limit resets after a sixth of the window: ten seconds for a minute.': [
      lasting(1 / 6),
      { options: { minuteSeconds: 6 } },
    ],
    'window-of-a-half: The limit resets after half of the window.': [
      lasting(1 / 2),
      { options: { minuteSeconds: 8 } },
    ],
    'quarters-by-tenths: A quarter of the plan comes back every tenth of a window: two and a half times the plan in total.':
      [quartersByTenths, { options: { minuteSeconds: 6 } }],
    'window-of-two-thirds: The limit resets after two thirds of the window.': [
      lasting(2 / 3),
      TOLD_BY_SECONDS,
    ],
    'window-of-a-half-told-as-whole: The limit resets after half the window; Reset and Retry-After name a whole one.':
      [reportedAsWhole(lasting(1 / 2)), TOLD_APART_BY_SECONDS],
    'window-of-three-quarters-told-as-whole: The limit resets after three quarters of the window that the headers name.':
      [reportedAsWhole(lasting(3 / 4)), TOLD_APART_BY_SECONDS],
    'limit-of-each-second: A tenth of the plan is allowed each second: six times the plan in a minute.': [
      scaled(fixedWindow, tenth, 1 / 60),
      { options: { minuteSeconds: 60 } },
    ],
    'small-bucket-too-fast: A bucket of a tenth of the plan refills at five quarters of the plan’s rate.': [
      bucket(tenth, 5 / 4),
      { options: { minuteSeconds: 60 } },
    ],
    // In a shorter one, rounding Retry-After hides it: the even rate fills the window.
    'allowance-on-top-of-a-rate: An even rate is served in addition to the limit, not as part of it.': [
      allowanceOnTop,
      { ...IN_BOTH_FAMILIES, options: { minuteSeconds: 30 } },
    ],
  }),
  ...flawsBy('rate-headers-wellformed', 'load', limitedBy, {
    'window-of-an-hour: The plan’s limit holds for an hour.': [lasting(60), { families: ['when back'] }],
  }),
  ...flawsTurning('rate-concurrent', 'load', {
    'checks-before-it-counts: The counter is read before the request is processed, and written only after it.':
      seams({
        work: () => SLOW_STORE_MS,
      }),
    // Long enough for a busy machine to read a burst, and for little to return meanwhile.
    'leaky-bucket-checks-before-it-counts: A bucket of a tenth of the plan is read before a request, and written after it.':
      [
        chain(limitedBy(leakyBucket), seams({ work: () => 3 * SLOW_STORE_MS })),
        { options: { minuteSeconds: 10 } },
      ],
    'limit-per-connection: Each connection has its own limit.': anew(() => {
      const connections: object[] = [];
      return sorting(({ request: { connection } }, key) => {
        if (!connections.includes(connection)) connections.push(connection);
        return `${key} ${connections.indexOf(connection)}`;
      });
    }),
  }),
  ...flawsTurning('rate-429', 'load', {
    'every-fourth-leaks: Every fourth request is not limited: one of four workers has no limiter.': seams({
      isLimited: ({ request }) => request.serial % 4 !== 0,
    }),
  }),
  ...flawsTurning({ turns: ['rate-429'], ...SIDE_BY_SIDE }, 'load', {
    'one-of-two-without-limit: One of two servers behind a balancer has no limiter; its headers say that nothing is used.':
      chain(
        withoutLimitOnOne,
        onFigures((figures, context) => (isOfTheOther(context) ? figures : untouched(figures, context))),
      ),
    // The second window starts a moment later, so headers of one may be judged by the other.
    'two-that-count-apart: Two servers behind a balancer have separate counters.': [
      perServer,
      IN_BOTH_FAMILIES,
    ],
    'two-that-count-apart-a-window-apart: Two servers count apart, and the clock of one is a window behind.':
      [
        chain(
          perServer,
          onFigures((figures, context) =>
            isOfTheOther(context) ? figures : { ...figures, resetAt: figures.resetAt - minuteMs(context) },
          ),
        ),
        { ...IN_BOTH_FAMILIES, also: ['rate-headers-wellformed'] },
      ],
  }),
  ...flawsTurning(['rate-429', 'rate-window', 'rate-headers-present'], 'load', {
    'no-limiter: There is no limiter, and no response has rate headers.': chain(
      seams({ isLimited: () => false }),
      bare(() => true),
    ),
  }),
  ...flawsTurning(['rate-all-operations', 'rate-headers-present'], 'load', {
    'counted-per-operation-without-headers: Each operation has its own limit, and no response has rate headers.':
      chain(
        sorting(({ route }, key) => `${key} ${route.kind === 'operation' ? route.operation : ''}`),
        bare(() => true),
      ),
  }),
  ...flawsTurning(['rate-429', 'rate-headers-present'], 'load', {
    'one-of-two-without-limit-and-headers: One of two servers behind a balancer has no limiter and no rate headers.':
      [
        chain(
          withoutLimitOnOne,
          bare((context) => !isOfTheOther(context)),
        ),
        SIDE_BY_SIDE,
      ],
  }),
  ...flawsTurning({ turns: ['rate-day-quota'], ...OF_THE_DAY }, 'load', {
    'day-not-enforced: The requests of a day are counted but never refused.': seams({
      dayAlgorithm: unlimited,
    }),
    'day-tenth-over: A tenth more than the day allows is served.': seams({
      dayAlgorithm: overserving(tenth),
    }),
    'day-refused-with-403: A used-up day returns 403; a used-up minute returns 429.': after(
      'refuse',
      (answer, context, admission) => {
        const isLong =
          admission.kind === 'limited' && admission.retryAt - context.request.at > minuteMs(context);
        return isLong ? restated(answer, 403) : answer;
      },
    ),
  }),
  ...flawsTurning(['rate-retry-after-honoured', 'rate-reset-truthful'], 'load', {
    'never-restored: A key that was refused once is refused for ever: its flag is never reset.': [
      limitedBy(unforgiving),
      ['ban-only-after-abuse'],
    ],
  }),
  ...flawsTurning('rate-per-key', 'load', {
    'keys-share-one-counter: All keys share one counter, each with the limit of its own plan.': [
      sharing(),
      IN_BOTH_FAMILIES,
    ],
  }),
  ...flawsTurning('rate-per-key', 'load', {
    'refusal-of-all-keys: Once one key is refused, all keys are, until its window is over.': refusingAll(),
  }),
  ...flawsTurning(['rate-per-key', 'rate-limit-value'], 'load', {
    'counted-by-address: Requests are counted by the sender’s address, with the Free plan’s limit for all.': [
      seams(({ allowance }) => ({
        bucket: ({ request }) => request.address,
        allowance: (_plan, settings) => allowance('free', settings),
      })),
      IN_BOTH_FAMILIES,
    ],
  }),
  ...flawsTurning({ ...OF_ALL_OPERATIONS, inSuites: true }, 'load', {
    'only-reads-counted: Only GET is limited; creations are neither counted nor refused.': seams({
      isLimited: ({ request }) => request.method === 'GET',
    }),
    'creations-not-counted: A creation is not counted, but is refused once the limit is used up.': seams({
      cost: (context) => (isOperation(context, 'createPet') ? 0 : 1),
    }),
    'fetches-not-limited: The limiter ignores the deprecated operation.': seams({
      isLimited: (context) => !isOperation(context, 'getPet'),
    }),
  }),
  ...flawsTurning(OF_ALL_OPERATIONS, 'load', {
    // The suites repeat a listing, at which Remaining then falls: there only rate-remaining-counts turns red.
    'counted-per-address-line: Requests are counted separately for each path and query, the library’s default.':
      sorting(({ request }, key) => `${key} ${request.method} ${request.path}?${request.query.toString()}`),
    'counted-per-operation: Each operation has its own limit.': sorting(
      ({ route }, key) => `${key} ${route.kind === 'operation' ? route.operation : ''}`,
    ),
  }),
];

/** A counter for each key, and one flag for all keys while any of them is refused. */
function refusingAll(): Change {
  return anew(() => {
    let until = -Infinity;
    return limitedBy(
      misread(fixedWindow, ({ admits, retryAt }, now) => {
        if (!admits) until = Math.max(until, retryAt);
        return now < until ? { admits: false, retryAt: until } : {};
      }),
    );
  });
}

/** One counter for all keys, each with its plan's limit. */
function sharing(): Change {
  return anew(() => {
    let shared: Limiter | undefined;
    const counter: Algorithm = ({ windowMs }) =>
      (shared ??= fixedWindow({ limit: MORE_THAN_ANY_PLAN, windowMs }));
    return limitedBy(
      misread(counter, (look, now, { limit }) => {
        const remaining = Math.max(0, limit - (MORE_THAN_ANY_PLAN - look.remaining));
        return { remaining, admits: remaining > 0, retryAt: remaining > 0 ? now : look.resetAt };
      }),
    );
  });
}
