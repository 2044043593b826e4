import type { OperationName } from '../../base/interface/types.js';
import {
  calendarWindow,
  countingLate,
  fixedFromFirst,
  gcra,
  leaking,
  slidingCounter,
  slidingLogOldest,
  smallBucket,
  strictPacer,
  tokenBucket,
} from '../../testing/limiters/limiters.js';
import {
  anewAfterRefusal,
  atRandom,
  blockingAll,
  byConnection,
  fixed,
  holdingMore,
  inTurn,
  inTurnAskew,
  neverRefusing,
  ofSpan,
  oneOver,
  oneWithout,
  over,
  scaled,
  sharedByAll,
  withoutHeaders,
} from '../../testing/limiters/mistakes.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import { type Flawed, TOLD_WRONG, WITHOUT_HEADERS, FIFTY_MS, all, WINDOWS } from './flawed.test.support.js';

/** Does not count an operation, and shows what others left. */
const freeOf = (operation: OperationName): Behaviour => ({
  ...fixed,
  countedBy: (key, of) => (of === operation ? null : key),
});

const LEAKING = { fixedFromFirst, calendarWindow, slidingLogOldest, tokenBucket, gcra, slidingCounter };

/** Limiters that count wrongly: too much is served, or the wrong request, operation, key or connection counts. */
export const MISCOUNTING: Readonly<Record<string, Flawed>> = {
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
  'one over, bucket, after other requests of the run': {
    behaviour: () => oneOver(tokenBucket),
    row: 'rate-429',
    around: { seed: 2_117_029_491, freeLimit: 64, latencyMs: 0.05, jitterMs: 8, grainMs: 1, suites: 4 },
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
    // Its Remaining jumps as if somebody else had used the key.
    'a bucket for each connection': () => ({
      make: tokenBucket,
      countedBy: (key, _of, _n, at) => `${key} ${at}`,
    }),
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
