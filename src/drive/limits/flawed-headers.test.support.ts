import {
  bursty,
  calendarWindow,
  fixedFromFirst,
  leaking,
  slidingCounter,
  slidingLogOldest,
  strictPacer,
  tokenBucket,
} from '../../testing/limiters/limiters.js';
import {
  firstResetForEver,
  fixed,
  lowerThanShown,
  neverNoneShown,
  oneMoreShown,
  remainingBefore,
  resetFromNow,
  toldByClock,
  twiceFor,
  withoutHeaders,
} from '../../testing/limiters/mistakes.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import { type Flawed, FIFTY_MS, all, WINDOWS } from './flawed.test.support.js';

const retryAfterOne: Behaviour = {
  ...fixed,
  spoil: (draft) => (draft.retryAfter === null ? draft : { ...draft, retryAfter: '1' }),
};

/** Limiters whose headers are missing or untrue. */
export const WRONG_HEADERS: Readonly<Record<string, Flawed>> = {
  'Retry-After of 1, where all refusals come at once': {
    behaviour: () => retryAfterOne,
    row: 'rate-retry-after-honoured',
    around: { seed: 381_554_944, minuteSeconds: 6, freeLimit: 80, latencyMs: 100, jitterMs: 0.1 },
    isOpen: true,
  },
  'every tenth leaks of a sliding counter, 80 ms away': {
    behaviour: () => ({ make: leaking(10, slidingCounter) }),
    row: 'rate-remaining-counts',
    around: { seed: 1_573_502_436, latencyMs: 80, jitterMs: 0.1, grainMs: 1, usedBefore: 1, suites: 2 },
    isOpen: true,
  },
  // What comes back hides what it shows too much of, except by chance.
  'Remaining of the request before, of a bucket, 50 ms away': {
    behaviour: () => remainingBefore(tokenBucket),
    row: 'rate-concurrent',
    around: { latencyMs: 50, jitterMs: 5 },
    isOpen: true,
  },
  // Its Remaining falls at a refusal after a pause, as if somebody else had used the key.
  ...all(
    'rate-remaining-counts',
    {
      'a tenth lower than it shows, fixed window': () => ({ make: lowerThanShown(fixedFromFirst) }),
      'a tenth lower than it shows, log': () => ({ make: lowerThanShown(slidingLogOldest) }),
      'a tenth lower than it shows, bucket': () => ({ make: lowerThanShown(tokenBucket) }),
      'a tenth lower than it shows, sliding counter': () => ({ make: lowerThanShown(slidingCounter) }),
    },
    { also: ['rate-not-early'] },
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
  ...all('rate-headers-wellformed', {
    'the first Reset for ever': () => firstResetForEver(fixedFromFirst),
    'the first Reset for ever, of a log': () => firstResetForEver(slidingLogOldest),
  }),
  ...all(
    'rate-remaining-counts',
    {
      'a Remaining that is never 0 before a 429': () => neverNoneShown(fixedFromFirst),
      'a Remaining that is never 0 before a 429, of the clock': () => neverNoneShown(calendarWindow),
    },
    FIFTY_MS,
  ),
  ...all('rate-reset-truthful', {
    'a Reset that is always a window ahead': () => resetFromNow(fixedFromFirst),
  }),
  ...all(
    'rate-reset-truthful',
    { 'a Reset that is always a window of 10 s ahead': () => resetFromNow(fixedFromFirst) },
    { around: { minuteSeconds: 10, latencyMs: 20, jitterMs: 2 } },
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
  ...all('rate-remaining-counts', {
    'an allowance on top, with Remaining 0': () => ({ make: bursty('none') }),
  }),
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
  ...all('ban-only-after-abuse', {
    'a ban of all keys after four refusals of one': () => ({
      ...fixed,
      ban: { after: 4, ms: 130_000, status: 403, everyKey: true },
    }),
  }),
  ...all('rate-headers-present', {
    'a window without headers': () => withoutHeaders(fixed),
    'a bucket without headers': () => withoutHeaders({ make: tokenBucket }),
    'a pacer without headers': () => withoutHeaders({ make: strictPacer }),
  }),
};
