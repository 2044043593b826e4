import type { Change, Context, RateFigures } from '../behaviour.js';
import { bare, chain, isOperation, onAnswers, onFigures, restated, seams } from '../changes.js';
import { quartersByTenths } from '../limiters/beating-bucket.js';
import { fixedWindow } from '../limiters/fixed-window.js';
import { leakyBucket } from '../limiters/gcra.js';
import { overserving, scaled, undercounting, unforgiving, unlimited } from '../limiters/broken.js';
import type { Algorithm, Limiter } from '../limiters/limiter.js';
import { bucket } from '../limiters/token-bucket.js';
import { SHORT_DAY } from '../options.js';
import { flawsOf } from '../registry.js';

const counting = (minuteAlgorithm: Algorithm): Change => seams(() => ({ minuteAlgorithm }));

/** Puts requests in other buckets than their key's. The plan's limit still holds in each. */
const sorting = (bucketOf: (context: Context, key: string) => string): Change =>
  seams(() => ({ bucket: (context) => bucketOf(context, context.key) }));

const isGet = ({ request }: Context) => request.method === 'GET';

/** Numbers the objects that it is shown. */
const numbering = () => {
  const numbers = new WeakMap<object, number>();
  let last = 0;
  return (shown: object): number => {
    const number = numbers.get(shown) ?? (last += 1);
    numbers.set(shown, number);
    return number;
  };
};

/** Whether a request falls to the second of two servers that a balancer asks in turn. */
const isOfTheOther = ({ request }: Context): boolean => request.serial % 2 === 0;

/** In a window of a few seconds so much may come back within a burst that one counter would explain it, and whole seconds tell little. */
const SIDE_BY_SIDE = { options: { minuteSeconds: 10 } } as const;

/** What a server says of a key that it has never met. */
const untouched = ({ limit }: RateFigures, context: Context): RateFigures => ({
  limit,
  remaining: limit - 1,
  resetAt: context.request.at + minuteMs(context),
});

/** A counter that never refuses by itself. */
const MORE_THAN_ANY_PLAN = Number.MAX_SAFE_INTEGER;

/** How long a server with a slow store takes between looking at a counter and writing it, ms. */
const SLOW_STORE_MS = 15;

const minuteMs = ({ settings }: Context): number => settings.minuteSeconds * 1000;

/** What shows only when a day is used up. */
const OF_THE_DAY = { include: 'day-quota', plans: ['enterprise'], options: { plans: SHORT_DAY } } as const;

/** Mistakes about how many requests are served. */
export const allowanceFlaws = flawsOf('load', {
  'limit-never-enforced': {
    title: 'Requests are counted and never refused.',
    turns: ['rate-429'],
    also: ['rate-remaining-counts', 'rate-window', 'rate-concurrent', 'rate-all-operations'],
    change: counting(unlimited(fixedWindow)),
  },
  'limit-one-over': {
    title: 'One request more than the plan allows is served: the counter is compared before it is raised.',
    turns: ['rate-429'],
    also: ['rate-concurrent', 'rate-remaining-counts'],
    change: counting(overserving(fixedWindow, () => 1)),
  },
  'limit-one-over-at-first': {
    title: 'One request more than the plan allows is served: the first of a window is not counted.',
    turns: ['rate-429'],
    also: ['rate-concurrent', 'rate-remaining-counts'],
    // In windows of a few seconds Reset does not tell whether one has begun anew.
    options: { minuteSeconds: 10 },
    change: counting(undercounting(fixedWindow, () => 1)),
  },
  'limit-tenth-over': {
    title: 'A tenth more than the plan allows is served, a tolerance that was meant for peaks.',
    turns: ['rate-429'],
    also: ['rate-remaining-counts', 'rate-concurrent'],
    change: counting(overserving(fixedWindow, (limit) => Math.ceil(limit / 10))),
  },
  'limit-tenth-early': {
    title: 'The limit is enforced a tenth below the plan, a margin for safety.',
    turns: ['rate-not-early'],
    change: counting(scaled(fixedWindow, (limit) => Math.floor(limit * 0.9))),
  },
  'limit-one-early': {
    title: 'The last request of the plan is refused, and not counted on by the headers either.',
    turns: ['rate-not-early'],
    change: counting(scaled(fixedWindow, (limit) => limit - 1)),
  },
  'pro-served-as-free': {
    title: 'A Pro key is given the allowance of the Free plan, and its headers say so.',
    turns: ['rate-limit-value', 'rate-not-early'],
    change: seams(({ allowance }) => ({
      allowance: (plan, settings) => allowance(plan === 'pro' ? 'free' : plan, settings),
    })),
  },
  'business-refused-as-pro': {
    plans: ['pro', 'business'],
    title: 'A Business key is refused where a Pro key would be, though its headers name the Business limit.',
    turns: ['rate-not-early'],
    change: counting(scaled(fixedWindow, (limit) => (limit === 1_000 ? 300 : limit))),
  },
  'window-of-a-sixth': {
    options: { minuteSeconds: 6 },
    title: 'The allowance comes back after a sixth of the window: ten seconds for a minute.',
    turns: ['rate-window'],
    also: ['rate-429'],
    change: counting(scaled(fixedWindow, (limit) => limit, 1 / 6)),
  },
  'window-of-a-half': {
    options: { minuteSeconds: 4 },
    title: 'The allowance comes back after half of the window.',
    turns: ['rate-window'],
    change: counting(scaled(fixedWindow, (limit) => limit, 1 / 2)),
  },
  'window-of-two': {
    title: 'The plan’s figure holds for two windows; Retry-After and Reset say so.',
    turns: ['rate-not-early'],
    also: ['rate-headers-wellformed'],
    change: counting(scaled(fixedWindow, (limit) => limit, 2)),
  },
  'window-of-an-hour': {
    title: 'The plan’s figure holds for an hour.',
    turns: ['rate-headers-wellformed'],
    also: ['rate-not-early', 'rate-retry-after-honoured', 'rate-reset-truthful'],
    change: counting(scaled(fixedWindow, (limit) => limit, 60)),
  },
  'bucket-refills-at-half': {
    title: 'A small bucket refills at half the plan’s rate.',
    turns: ['rate-not-early'],
    change: counting(
      bucket({ capacity: ({ limit }) => Math.max(1, Math.floor(limit / 4)), refill: ({ limit }) => limit / 2 }),
    ),
  },
  'quarters-by-tenths': {
    options: { minuteSeconds: 6 },
    title: 'A quarter of the plan comes back every tenth of a window: two and a half times the plan in sum.',
    turns: ['rate-window'],
    also: ['rate-429', 'rate-remaining-counts', 'rate-concurrent'],
    change: counting(quartersByTenths),
  },
  'counts-double': {
    title: 'Each request is counted twice, by the limiter of the router and by that of the application.',
    turns: ['rate-not-early'],
    also: ['rate-remaining-counts'],
    change: seams(() => ({ cost: () => 2 })),
  },
  'checks-before-it-counts': {
    title: 'The counter is read, the request is worked on, and only then the counter is written.',
    turns: ['rate-concurrent'],
    also: ['rate-429', 'rate-remaining-counts'],
    change: seams(() => ({ work: () => SLOW_STORE_MS })),
  },
  'leaky-bucket-checks-before-it-counts': {
    // So long that a busy machine has read all that came at once by then, and little comes back meanwhile.
    options: { minuteSeconds: 10 },
    title: 'A bucket of a tenth of the plan is read, the request is worked on, and only then the bucket is written.',
    turns: ['rate-concurrent'],
    also: ['rate-429', 'rate-remaining-counts'],
    change: chain(
      counting(leakyBucket),
      seams(() => ({ work: () => 3 * SLOW_STORE_MS })),
    ),
  },
  'every-fourth-leaks': {
    title: 'Every fourth request passes the limiter by: one of four workers has none.',
    turns: ['rate-429'],
    also: ['rate-remaining-counts', 'rate-concurrent', 'rate-all-operations'],
    change: seams(() => ({ isLimited: ({ request }) => request.serial % 4 !== 0 })),
  },
  'one-of-two-without-limit': {
    ...SIDE_BY_SIDE,
    title: 'One of two servers behind a balancer has no limiter; its headers say that nothing has been used.',
    turns: ['rate-429'],
    also: ['rate-remaining-counts', 'rate-concurrent'],
    change: chain(
      seams(() => ({ isLimited: isOfTheOther })),
      seams(({ rateHeaders }) => ({
        rateHeaders: (figures, context) =>
          rateHeaders(isOfTheOther(context) ? figures : untouched(figures, context), context),
      })),
    ),
  },
  'one-of-two-without-limit-and-headers': {
    ...SIDE_BY_SIDE,
    title: 'One of two servers behind a balancer has no limiter, and no headers of one.',
    turns: ['rate-429', 'rate-headers-present'],
    also: ['rate-remaining-counts', 'rate-concurrent'],
    change: chain(
      seams(() => ({ isLimited: isOfTheOther })),
      onAnswers(
        (_answer, context) => !isOfTheOther(context),
        (answer) => bare(answer),
      ),
    ),
  },
  'two-that-count-apart': {
    ...SIDE_BY_SIDE,
    title: 'Two servers behind a balancer have a counter each.',
    turns: ['rate-429'],
    // What one says of its window may be asked of the other, whose window began a moment later.
    also: ['rate-remaining-counts', 'rate-concurrent', 'rate-retry-after-honoured'],
    change: sorting((context, key) => `${key} ${isOfTheOther(context)}`),
  },
  'two-that-count-apart-a-window-apart': {
    ...SIDE_BY_SIDE,
    title: 'Two servers behind a balancer have a counter each, and the clock of one is a window behind.',
    turns: ['rate-429'],
    also: ['rate-remaining-counts', 'rate-concurrent', 'rate-headers-wellformed', 'rate-reset-truthful'],
    change: chain(
      sorting((context, key) => `${key} ${isOfTheOther(context)}`),
      onFigures((figures, context) =>
        isOfTheOther(context) ? figures : { ...figures, resetAt: figures.resetAt - minuteMs(context) },
      ),
    ),
  },
  'limit-per-connection': {
    title: 'Each connection has an allowance of its own.',
    turns: ['rate-concurrent'],
    also: ['rate-429', 'rate-remaining-counts', 'rate-all-operations'],
    change: (behaviour) => {
      const numberOf = numbering();
      return sorting(({ request }, key) => `${key} ${numberOf(request.connection)}`)(behaviour);
    },
  },
  'day-not-enforced': {
    ...OF_THE_DAY,
    title: 'The requests of a day are counted and never refused.',
    turns: ['rate-day-quota'],
    change: seams(() => ({ dayAlgorithm: unlimited(fixedWindow) })),
  },
  'day-tenth-over': {
    ...OF_THE_DAY,
    title: 'A tenth more than the day allows is served.',
    turns: ['rate-day-quota'],
    change: seams(() => ({ dayAlgorithm: overserving(fixedWindow, (limit) => Math.ceil(limit / 10)) })),
  },
  'day-refused-with-403': {
    ...OF_THE_DAY,
    title: 'Once the day is used up the answer is 403; a minute that is used up is answered with 429.',
    turns: ['rate-day-quota'],
    change: seams(({ refuse }) => ({
      refuse: (context, admission) => {
        const answer = refuse(context, admission);
        const isLong = admission.kind === 'limited' && admission.retryAt - context.request.at > minuteMs(context);
        return isLong ? restated(answer, 403) : answer;
      },
    })),
  },
  'never-restored': {
    title: 'A key that was refused once is refused for ever: nobody resets the flag.',
    turns: ['rate-retry-after-honoured', 'rate-reset-truthful'],
    also: ['ban-only-after-abuse', 'rate-not-early'],
    change: counting(unforgiving(fixedWindow)),
  },
});

/** Mistakes about whose requests, and which, are counted. */
export const scopeFlaws = flawsOf('load', {
  'keys-share-one-counter': {
    title: 'All keys are counted together, each against the limit of its own plan.',
    turns: ['rate-per-key'],
    also: ['rate-remaining-counts', 'rate-not-early', 'rate-429'],
    change: sharing(),
  },
  'counted-by-address': {
    title: 'Requests are counted by the sender’s address, with the Free plan’s allowance for everybody.',
    turns: ['rate-per-key', 'rate-limit-value'],
    also: ['rate-remaining-counts', 'rate-not-early', 'rate-429'],
    change: seams(({ allowance }) => ({
      bucket: ({ request }) => request.address,
      allowance: (_plan, settings) => allowance('free', settings),
    })),
  },
  'only-reads-counted': {
    inSuites: true,
    title: 'Only GET is limited; creations are neither counted nor refused.',
    turns: ['rate-all-operations'],
    also: ['rate-429', 'rate-remaining-counts', 'rate-concurrent'],
    change: seams(() => ({ isLimited: isGet })),
  },
  'creations-not-counted': {
    inSuites: true,
    title: 'A creation costs nothing, though it is refused once the allowance is gone.',
    turns: ['rate-all-operations'],
    also: ['rate-429', 'rate-remaining-counts', 'rate-concurrent'],
    change: seams(() => ({ cost: (context) => (isOperation(context, 'createPet') ? 0 : 1) })),
  },
  'fetches-not-limited': {
    inSuites: true,
    title: 'The deprecated operation was left out of the limiter.',
    turns: ['rate-all-operations'],
    also: ['rate-429', 'rate-remaining-counts', 'rate-concurrent'],
    change: seams(() => ({ isLimited: (context) => !isOperation(context, 'getPet') })),
  },
  'counted-per-operation': {
    title: 'Each operation has an allowance of its own.',
    turns: ['rate-all-operations'],
    also: ['rate-429', 'rate-remaining-counts', 'rate-concurrent'],
    change: sorting(({ route }, key) => `${key} ${route.kind === 'operation' ? route.operation : ''}`),
  },
  'counted-per-address-line': {
    inSuites: true,
    title: 'Requests are counted for each path and query, the default of the library.',
    turns: ['rate-all-operations'],
    also: ['rate-429', 'rate-remaining-counts', 'rate-concurrent'],
    change: sorting(({ request }, key) => `${key} ${request.method} ${request.path}?${request.query.toString()}`),
  },
});

/** One counter behind all keys, each held against the limit of its own plan. */
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
