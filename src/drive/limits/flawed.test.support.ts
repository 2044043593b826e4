import type { OperationName, RequirementId } from '../../base/interface/types.js';
import { beatingBucket } from '../../proof/limiters/buckets.js';
import { reportedAsWhole, scaled as rescaled } from '../../proof/limiters/broken.js';
import { fixedWindow } from '../../reference/limiter.js';
import {
  bursty,
  calendarWindow,
  countingLate,
  expiryRenewed,
  fixedFromFirst,
  gcra,
  leaking,
  ofReference,
  slidingCounter,
  slidingLogNewest,
  slidingLogOldest,
  smallBucket,
  strictPacer,
  tokenBucket,
} from '../../testing/limiters/limiters.js';
import {
  anewAfterRefusal,
  atRandom,
  blockingAll,
  bucketAt,
  byConnection,
  fixed,
  holdingMore,
  inTurn,
  inTurnAskew,
  neverRefusing,
  ofSpan,
  oneLess,
  oneMoreShown,
  oneOver,
  oneWithout,
  over,
  refusingEvery37th,
  forgettingIdle,
  remainingBefore,
  resetFromNow,
  scaled,
  sharedByAll,
  steps,
  tenthTwice,
  toldByClock,
  twiceFor,
  withoutHeaders,
} from '../../testing/limiters/mistakes.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import type { Circumstances } from '../../testing/simulated/simulate.js';

/** A limiter with one mistake. */
export interface Flawed {
  readonly behaviour: () => Behaviour;
  /** Row whose family turns red, and no other row. */
  readonly row: RequirementId;
  /** Other rows that the same mistake turns red. */
  readonly also?: readonly RequirementId[];
  /** Is true if a chance could explain what it shows: a key’s row is then open. */
  readonly isOpen?: boolean;
  readonly around?: Partial<Circumstances>;
}

/** Its headers contradict the plan as well. */
const TOLD_WRONG = { also: ['rate-headers-wellformed'] } as const satisfies Partial<Flawed>;

const WITHOUT_HEADERS = { also: ['rate-headers-present'] } as const satisfies Partial<Flawed>;

/** So far away that a bucket would refill by some requests during a burst. */
const FIFTY_MS = { around: { latencyMs: 50, jitterMs: 5 } } as const satisfies Partial<Flawed>;

/** Does not count an operation, and shows what others left. */
const freeOf = (operation: OperationName): Behaviour => ({
  ...fixed,
  countedBy: (key, of) => (of === operation ? null : key),
});

const retryAfterOne: Behaviour = {
  ...fixed,
  spoil: (draft) => (draft.retryAfter === null ? draft : { ...draft, retryAfter: '1' }),
};

/** Names each behaviour, and gives it to one row. */
const all = (
  row: RequirementId,
  of: Readonly<Record<string, () => Behaviour>>,
  more: Pick<Flawed, 'also' | 'around'> = {},
): Readonly<Record<string, Flawed>> =>
  Object.fromEntries(Object.entries(of).map(([name, behaviour]) => [name, { behaviour, row, ...more }]));

const SHARES = { 'a sixth': 1 / 6, 'a third': 1 / 3, 'two thirds': 2 / 3, 'three quarters': 3 / 4 };
const WINDOWS = {
  'from the first request': fixedFromFirst,
  'of the clock': calendarWindow,
  'of a log': slidingLogOldest,
  'of a log, Reset by the newest request': slidingLogNewest,
};
const FORGETTING = [
  ['log', slidingLogOldest, 1 / 30],
  ['log', slidingLogOldest, 1 / 10],
  ['log, Reset by the newest request', slidingLogNewest, 1 / 10],
  ['window', fixedFromFirst, 1 / 4],
  ['window of the clock', calendarWindow, 1 / 4],
  ['bucket', tokenBucket, 1 / 4],
  ['GCRA', gcra, 1 / 4],
] as const;
const LEAKING = { fixedFromFirst, calendarWindow, slidingLogOldest, tokenBucket, gcra, slidingCounter };

/** Limiters with one mistake, by what it is. */
export const FLAWED: Readonly<Record<string, Flawed>> = {
  ...all('rate-429', {
    'one over, fixed window': () => oneOver(fixedFromFirst),
    'one over, log': () => oneOver(slidingLogOldest),
    'one over, bucket': () => oneOver(tokenBucket),
    'every fourth leaks': () => ({ make: leaking(4, fixedFromFirst) }),
    'every fourth leaks, small bucket': () => ({ make: leaking(4, smallBucket) }),
    'two servers in turn that count apart': () => inTurn(2),
    'three servers in turn that count apart': () => inTurn(3),
    'two servers, each for its connections': () => byConnection(2),
    'three servers, each for its connections': () => byConnection(3),
    'a bucket that holds a fifth more than it shows': () => holdingMore(1.2, (limit) => limit / 5),
  }),
  // Remaining announces more than the plan.
  ...all(
    'rate-429',
    {
      'a tenth over': () => ({ make: scaled(fixedFromFirst, 1.1) }),
      'a tenth over, bucket': () => ({ make: scaled(tokenBucket, 1.1) }),
      'twice the plan': () => ({ make: scaled(fixedFromFirst, 2) }),
      'a bucket that holds one more than it shows': () => holdingMore(1.0167, () => 1),
      'one of two servers without a limiter': () => oneWithout(2, 0),
      'one of three servers without a limiter': () => oneWithout(3, 1),
      'one of two servers without a limiter, at random': () => oneWithout(2, 0, atRandom(2)),
      'two servers in turn that count apart, a window apart': () => inTurnAskew(2),
    },
    TOLD_WRONG,
  ),
  ...all(
    'rate-429',
    Object.fromEntries(
      Object.entries(LEAKING).map(([name, make]) => [
        `every tenth leaks: ${name}`,
        () => ({ make: leaking(10, make) }),
      ]),
    ),
  ),
  ...all(
    'rate-all-operations',
    {
      'a limiter for each operation, 150 ms away': () => ({
        ...fixed,
        countedBy: (key, of) => `${key} ${of}`,
      }),
      'creations are free, 150 ms away': () => freeOf('createPet'),
      'fetches are free, 150 ms away': () => freeOf('getPet'),
    },
    { around: { latencyMs: 150, jitterMs: 20 } },
  ),
  ...all(
    'rate-all-operations',
    {
      'creations count and are never refused': () => neverRefusing('createPet', fixedFromFirst),
      'creations count and are never refused, of the clock': () => neverRefusing('createPet', calendarWindow),
      'fetches count and are never refused, of a log': () => neverRefusing('getPet', slidingLogOldest),
    },
    FIFTY_MS,
  ),
  // Their Remaining is 0, which falls as far as theirs would.
  ...all(
    'rate-all-operations',
    { 'creations are free, 25 ms away': () => freeOf('createPet') },
    { around: { seed: 7919, latencyMs: 25, jitterMs: 2.5 } },
  ),
  ...all(
    'rate-429',
    { 'one over, bucket, 25 ms away': () => oneOver(tokenBucket) },
    { around: { seed: 7919, latencyMs: 25, jitterMs: 2.5 } },
  ),
  ...all(
    'rate-window',
    { 'an allowance on top of an even rate, 10 ms away': () => ({ make: bursty('both') }) },
    { around: { seed: 7919, minuteSeconds: 10, latencyMs: 10, jitterMs: 1 } },
  ),
  'three quarters of a window, of a log that refuses several at once': {
    behaviour: () => ofSpan(slidingLogOldest, 3 / 4),
    row: 'rate-window',
    around: { seed: 2_138_320_233, freeLimit: 70, latencyMs: 20, offsetMs: 23_703, staleMs: 1300 },
  },
  'Retry-After of 1, where all refusals come at once': {
    behaviour: () => retryAfterOne,
    row: 'rate-retry-after-honoured',
    around: { seed: 381_554_944, minuteSeconds: 6, freeLimit: 80, latencyMs: 100, jitterMs: 0.1 },
    isOpen: true,
  },
  'one over, bucket, after other requests of the run': {
    behaviour: () => oneOver(tokenBucket),
    row: 'rate-429',
    around: { seed: 2_117_029_491, freeLimit: 64, latencyMs: 0.05, jitterMs: 8, grainMs: 1, suites: 4 },
    isOpen: true,
  },
  'every tenth leaks of a sliding counter, 80 ms away': {
    behaviour: () => ({ make: leaking(10, slidingCounter) }),
    row: 'rate-remaining-counts',
    around: { seed: 1_573_502_436, latencyMs: 80, jitterMs: 0.1, grainMs: 1, usedBefore: 1, suites: 2 },
    isOpen: true,
  },
  ...Object.fromEntries(
    [6, 10, 60].flatMap((minuteSeconds) =>
      FORGETTING.map(([name, make, share]): readonly [string, Flawed] => [
        `forgets a key after ${share} of a window, ${name}, ${minuteSeconds} s`,
        {
          behaviour: () => ({ make: forgettingIdle(make, share) }),
          row: 'rate-window',
          around: { minuteSeconds, latencyMs: 20, jitterMs: 2 },
        },
      ]),
    ),
  ),
  // What comes back hides what it shows too much of, except by chance.
  'Remaining of the request before, of a bucket, 50 ms away': {
    behaviour: () => remainingBefore(tokenBucket),
    row: 'rate-concurrent',
    around: { latencyMs: 50, jitterMs: 5 },
    isOpen: true,
  },
  'one over, sliding counter': {
    behaviour: () => oneOver(slidingCounter),
    row: 'rate-429',
    isOpen: true,
  },
  ...all('rate-concurrent', {
    'counts late': () => ({ make: countingLate(15) }),
    'a limiter for each connection': () => ({ ...fixed, countedBy: (key, _of, _n, at) => `${key} ${at}` }),
  }),
  ...all('rate-all-operations', {
    'a limiter for each operation': () => ({ ...fixed, countedBy: (key, of) => `${key} ${of}` }),
    'creations are free': () => freeOf('createPet'),
    'fetches are free, of a bucket': () => ({
      make: tokenBucket,
      countedBy: (key, of) => (of === 'getPet' ? null : key),
    }),
  }),
  ...all('rate-per-key', {
    'one window for all keys': () => sharedByAll(fixedFromFirst),
    'one log for all keys': () => sharedByAll(slidingLogOldest),
    'one bucket for all keys': () => sharedByAll(tokenBucket),
    ...Object.fromEntries(
      Object.entries(WINDOWS).map(([name, make]) => [
        `a refusal that blocks all keys for a window, ${name}`,
        () => blockingAll(make, 1),
      ]),
    ),
    'a refusal that blocks all keys for a sixth of a window': () => blockingAll(fixedFromFirst, 1 / 6),
  }),
  // The first key is asked while no other is, so a refusal of another key leaves it requests.
  ...all(
    'rate-per-key',
    {
      'a refusal that blocks all keys for a sixth of a window, of a bucket': () =>
        blockingAll(tokenBucket, 1 / 6),
    },
    { also: ['rate-window'] },
  ),
  // All keys are whole again together, as after a restart, but that refuses nobody.
  ...all(
    'rate-retry-after-honoured',
    {
      'Retry-After to the edge of the clock, window from the first request': () => ({
        make: toldByClock(fixedFromFirst),
      }),
      'Retry-After to the edge of the clock, log': () => ({ make: toldByClock(slidingLogOldest) }),
    },
    { around: { seed: 4 } },
  ),
  ...all('rate-reset-truthful', {
    'a Reset that is always a window ahead': () => resetFromNow(fixedFromFirst),
  }),
  ...all(
    'rate-reset-truthful',
    { 'a Reset that is always a window of 10 s ahead': () => resetFromNow(fixedFromFirst) },
    { around: { minuteSeconds: 10, latencyMs: 20, jitterMs: 2 } },
  ),
  ...all('rate-window', {
    'a limit for each second': () => ofSpan(scaled(fixedFromFirst, 1 / 6), 1 / 60),
    'a limit for each second, of the clock': () => ofSpan(scaled(calendarWindow, 1 / 6), 1 / 60),
  }),
  ...all(
    'rate-window',
    {
      'a bucket of a tenth at five quarters of the rate': () => bucketAt(1 / 10, 5 / 4),
    },
    FIFTY_MS,
  ),
  // Full again at each whole second of Retry-After, it shows its rate to a paced client only.
  ...Object.fromEntries(
    [1.5, 6, 20].flatMap((minuteSeconds) =>
      [1 / 2, 1 / 4, 1 / 10].flatMap((holds) =>
        [1.1, 1.5].map((rate): readonly [string, Flawed] => [
          `a bucket of ${holds} of the plan at ${rate} of the rate, in ${minuteSeconds} s`,
          { behaviour: () => bucketAt(holds, rate), row: 'rate-window', around: { minuteSeconds } },
        ]),
      ),
    ),
  ),
  ...all(
    'rate-remaining-counts',
    {
      'one more shown than is left, of a bucket': () => oneMoreShown(tokenBucket),
      'one more shown than is left, of a log': () => oneMoreShown(slidingLogOldest),
    },
    FIFTY_MS,
  ),
  ...all(
    'rate-window',
    Object.fromEntries(
      Object.entries(SHARES).flatMap(([share, part]) =>
        Object.entries(WINDOWS).map(([name, make]) => [
          `${share} of a window, ${name}`,
          () => ofSpan(make, part),
        ]),
      ),
    ),
  ),
  ...all('rate-window', {
    ...Object.fromEntries(
      Object.entries({ 'a half': 1 / 2, 'two thirds': 2 / 3, 'three quarters': 3 / 4 }).map(
        ([share, part]) => [
          `${share} told as a whole window`,
          (): Behaviour => ({
            make: ofReference(reportedAsWhole(rescaled(fixedWindow, (limit) => limit, part))),
          }),
        ],
      ),
    ),
    'a sliding counter of a third of a window': () => ofSpan(slidingCounter, 1 / 3),
    'a small bucket of three quarters of a window': () => ofSpan(smallBucket, 3 / 4),
    'a quarter each tenth': () => steps(1 / 10, 2.5),
    'a quarter each sixth': () => steps(1 / 6, 1.5),
    'a tenth each twentieth': () => steps(1 / 20, 2),
    'a sixtieth of twice the plan': () => steps(1 / 60, 2),
    'a bucket of a third at four thirds of the rate': () => bucketAt(1 / 3, 4 / 3),
    'a bucket of a third at twice the rate': () => bucketAt(1 / 3, 2),
    'a bucket of a third at six times the rate': () => bucketAt(1 / 3, 6),
    'an allowance on top of an even rate': () => ({ make: bursty('both') }),
    'an allowance on top, which Remaining counts alone': () => ({ make: bursty('top') }),
    'every tenth leaks, small bucket': () => ({ make: leaking(10, smallBucket) }),
  }),
  ...all(
    'rate-window',
    {
      '55 s for a minute, from the first request': () => ofSpan(fixedFromFirst, 55 / 60),
      '55 s for a minute, of the clock': () => ofSpan(calendarWindow, 55 / 60),
      '55 s for a minute, of a log': () => ofSpan(slidingLogOldest, 55 / 60),
    },
    FIFTY_MS,
  ),
  ...all(
    'rate-429',
    {
      'two over, log, 50 ms away': () => over(slidingLogOldest, 2),
      'two over, window, 50 ms away': () => over(fixedFromFirst, 2),
    },
    FIFTY_MS,
  ),
  ...all(
    'rate-429',
    { 'two over, log, 10 s': () => over(slidingLogOldest, 2) },
    { around: { seed: 3, minuteSeconds: 10, latencyMs: 20, jitterMs: 2 } },
  ),
  ...all(
    'rate-concurrent',
    Object.fromEntries(
      Object.entries(WINDOWS).map(([name, make]) => [
        `a window that begins anew after a 429, ${name}`,
        () => ({ make: anewAfterRefusal(make) }),
      ]),
    ),
  ),
  ...all(
    'rate-429',
    {
      'every 20th leaks, 50 ms away': () => ({ make: leaking(20, fixedFromFirst) }),
      'every 50th leaks, 50 ms away': () => ({ make: leaking(50, fixedFromFirst) }),
      'every 20th leaks of the clock, 50 ms away': () => ({ make: leaking(20, calendarWindow) }),
    },
    FIFTY_MS,
  ),
  ...all(
    'rate-not-early',
    Object.fromEntries(
      Object.entries(WINDOWS).map(([name, make]) => [
        `one request less, ${name}, 50 ms away`,
        () => oneLess(make),
      ]),
    ),
    FIFTY_MS,
  ),
  ...all(
    'rate-remaining-counts',
    {
      'creations count twice, of a bucket, 50 ms away': () => twiceFor('createPet', tokenBucket),
      ...Object.fromEntries(
        Object.entries(WINDOWS).map(([name, make]) => [
          `Remaining of the request before, ${name}, 50 ms away`,
          () => remainingBefore(make),
        ]),
      ),
    },
    FIFTY_MS,
  ),
  ...all(
    'rate-not-early',
    {
      'a tenth early, of the clock, 50 ms away': () => ({ make: scaled(calendarWindow, 0.9) }),
      'a twentieth early, of the clock, 50 ms away': () => ({ make: scaled(calendarWindow, 0.95) }),
      'a fifth of the plan, of the clock, 50 ms away': () => ({ make: scaled(calendarWindow, 0.2) }),
    },
    FIFTY_MS,
  ),
  ...all('rate-remaining-counts', {
    'an allowance on top, with Remaining 0': () => ({ make: bursty('none') }),
  }),
  ...all('rate-not-early', {
    'a tenth early': () => ({ make: scaled(fixedFromFirst, 0.9) }),
    'a tenth early, log': () => ({ make: scaled(slidingLogOldest, 0.9) }),
    'a tenth early, of the clock': () => ({ make: scaled(calendarWindow, 0.9) }),
    'a fifth of the plan, of the clock': () => ({ make: scaled(calendarWindow, 0.2) }),
    'an expiry that requests renew': () => ({ make: expiryRenewed(false) }),
    'an expiry that refusals renew too': () => ({ make: expiryRenewed(true) }),
    'a refill at four fifths': () => bucketAt(3 / 4, 0.8),
    'quarters at half of the rate': () => ({
      make: ofReference(
        beatingBucket({
          share: 1 / 4,
          origin: (first) => first,
          reset: 'beat',
          rate: 1 / 2,
          capacity: ({ limit }) => limit,
        }),
      ),
    }),
    'sixtieths at seven tenths of the rate': () => steps(1 / 60, 0.7),
  }),
  ...all(
    'rate-not-early',
    {
      'a window of two that is told as one': () => ofSpan(fixedFromFirst, 2),
      'a window of the clock of one and a half': () => ofSpan(calendarWindow, 1.5),
      'a refill at half of the rate': () => bucketAt(1, 1 / 2),
    },
    TOLD_WRONG,
  ),
  // Remaining does not show it.
  ...all(
    'rate-not-early',
    {
      'refuses every 37th request': () => ({ make: refusingEvery37th }),
      'every tenth request counts twice': () => ({ make: tenthTwice }),
    },
    { also: ['rate-remaining-counts'] },
  ),
  ...all('rate-retry-after-honoured', {
    'Retry-After rounded down': () => ({ ...fixed, rounded: { retryAfter: 'down', reset: 'up' } }),
    'Retry-After rounded to the nearest second': () => ({
      ...fixed,
      rounded: { retryAfter: 'nearest', reset: 'up' },
    }),
    'Retry-After rounded to the nearest second, windows of the clock': () => ({
      make: calendarWindow,
      rounded: { retryAfter: 'nearest', reset: 'up' },
    }),
    'Retry-After of 1 in all 429s': () => retryAfterOne,
  }),
  ...all('rate-headers-present', {
    'a window without headers': () => withoutHeaders(fixed),
    'a bucket without headers': () => withoutHeaders({ make: tokenBucket }),
    'a pacer without headers': () => withoutHeaders({ make: strictPacer }),
  }),
  ...all(
    'rate-429',
    {
      'a tenth over without headers': () => withoutHeaders({ make: scaled(fixedFromFirst, 1.1) }),
      'a half window without headers': () => withoutHeaders(ofSpan(fixedFromFirst, 1 / 2)),
      'a limiter for each operation, without headers': () =>
        withoutHeaders({ ...fixed, countedBy: (key, of) => `${key} ${of}` }),
    },
    WITHOUT_HEADERS,
  ),
  ...all(
    'rate-not-early',
    { 'a tenth early without headers': () => withoutHeaders({ make: scaled(fixedFromFirst, 0.9) }) },
    WITHOUT_HEADERS,
  ),
  ...all(
    'rate-all-operations',
    {
      'a pacer that does not count fetches': () => ({
        make: strictPacer,
        countedBy: (key, of) => (of === 'getPet' ? null : key),
        spoil: (draft, { operation, now, figures }) =>
          operation === 'getPet'
            ? { ...draft, remaining: '1', reset: String(Math.ceil(now / 1000) + figures.minuteSeconds / 60) }
            : draft,
      }),
    },
    { around: { latencyMs: 0.4, jitterMs: 0.1 } },
  ),
};
