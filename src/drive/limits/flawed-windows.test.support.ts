import { beatingBucket } from '../../proof/limiters/buckets.js';
import { reportedAsWhole, scaled as rescaled } from '../../proof/limiters/broken.js';
import { fixedWindow } from '../../reference/limiter.js';
import {
  bursty,
  calendarWindow,
  expiryRenewed,
  fixedFromFirst,
  gcra,
  leaking,
  ofReference,
  slidingCounter,
  slidingLogNewest,
  slidingLogOldest,
  smallBucket,
  tokenBucket,
} from '../../testing/limiters/limiters.js';
import {
  bucketAt,
  ofSpan,
  oneLess,
  refusingEvery37th,
  forgettingIdle,
  scaled,
  steps,
  tenthTwice,
  withoutHeaders,
} from '../../testing/limiters/mistakes.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import { type Flawed, TOLD_WRONG, WITHOUT_HEADERS, FIFTY_MS, all, WINDOWS } from './flawed.test.support.js';

const SHARES = { 'a sixth': 1 / 6, 'a third': 1 / 3, 'two thirds': 2 / 3, 'three quarters': 3 / 4 };

const FORGETTING = [
  ['log', slidingLogOldest, 1 / 30],
  ['log', slidingLogOldest, 1 / 10],
  ['log, Reset by the newest request', slidingLogNewest, 1 / 10],
  ['window', fixedFromFirst, 1 / 4],
  ['window of the clock', calendarWindow, 1 / 4],
  ['bucket', tokenBucket, 1 / 4],
  ['GCRA', gcra, 1 / 4],
] as const;

/** Limiters that give back too early or refuse too early. */
export const WRONG_WINDOWS: Readonly<Record<string, Flawed>> = {
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
    'rate-not-early',
    {
      'a tenth early, of the clock, 50 ms away': () => ({ make: scaled(calendarWindow, 0.9) }),
      'a twentieth early, of the clock, 50 ms away': () => ({ make: scaled(calendarWindow, 0.95) }),
      'a fifth of the plan, of the clock, 50 ms away': () => ({ make: scaled(calendarWindow, 0.2) }),
    },
    FIFTY_MS,
  ),
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
  ...all(
    'rate-not-early',
    { 'a tenth early without headers': () => withoutHeaders({ make: scaled(fixedFromFirst, 0.9) }) },
    WITHOUT_HEADERS,
  ),
};
