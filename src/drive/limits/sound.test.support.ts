import { byHalves } from '../../proof/limiters/buckets.js';
import {
  bySeconds,
  countingRefusals,
  slidingCounter as counter,
  slidingLog,
} from '../../proof/limiters/windows.js';
import { type Beat, clumped } from '../../testing/limiters/clumped.js';
import {
  clocksApart,
  expiryInSeconds,
  lagging,
  nearestBucket,
  patient,
  pausing,
  weightedCounter,
} from '../../testing/limiters/gateways.js';
import {
  calendarWindow,
  fixedFromFirst,
  ofReference,
  queue,
  renewedByRefusal,
  slidingCounter,
  slidingLogOldest,
  slidingParts,
  tokenBucket,
} from '../../testing/limiters/limiters.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import { SOUND_LIMITERS } from '../../testing/limiters/sound.js';
import type { Circumstances } from '../../testing/simulated/simulate.js';

/** Refill by steps of a window's part; in sum the plan. */
const steps = (share: number, more: Partial<Beat> = {}): Behaviour => ({
  make: clumped({ share, anchor: 'start', amount: 'sum', holds: 1, reset: 'beat', ...more }),
});

/** Whole seconds of the server, in which one second returns little of a plan. */
const BY_SECONDS = { leastSeconds: 10 } as const;

export interface Sound {
  readonly behaviour: Behaviour;
  /** Shortest window in which its figures mean something, s. */
  readonly leastSeconds?: number;
  /** Circumstances that belong to it. */
  readonly around?: Partial<Circumstances>;
}

/** Correct limiters by what they are: no row of limits may be red, at any window and latency. */
export const SOUND: Readonly<Record<string, Sound>> = {
  ...Object.fromEntries(
    Object.entries(SOUND_LIMITERS).map(([name, make]) => [name, { behaviour: { make } }]),
  ),
  'window that every 429 extends': { behaviour: { make: renewedByRefusal } },
  'window of Redis, whose rest is in whole seconds': {
    behaviour: { make: expiryInSeconds },
    leastSeconds: 6,
  },
  'window of the clock, of processes 20 ms apart': { behaviour: { make: clocksApart(20) } },
  'window with a whole window as Retry-After': { behaviour: { make: patient(fixedFromFirst) } },
  'window with Retry-After as a date': { behaviour: { make: fixedFromFirst, retryAfterAs: 'date' } },
  'window with Reset rounded down': {
    behaviour: { make: fixedFromFirst, rounded: { retryAfter: 'up', reset: 'down' } },
  },
  'window with Reset rounded to the nearest second': {
    behaviour: { make: fixedFromFirst, rounded: { retryAfter: 'up', reset: 'nearest' } },
  },
  'window of a store whose clock is 2 s ahead of Date': {
    behaviour: { make: calendarWindow, dated: (date) => date - 2000 },
    around: { staleMs: 0 },
    ...BY_SECONDS,
  },
  'window of a server that bans after 9 refusals': {
    behaviour: { make: fixedFromFirst, ban: { after: 9, ms: 120_000, status: 403 } },
  },
  'window of a server that pauses': { behaviour: { make: pausing(50, 300) } },
  'window whose Remaining lags': {
    behaviour: { make: lagging(2, fixedFromFirst) },
    around: { latencyMs: 20, jitterMs: 1 },
  },
  'sliding window by tenths': { behaviour: { make: slidingParts(10) } },
  'sliding window by sixths': { behaviour: { make: slidingParts(6) } },
  'sliding window by sixtieths': { behaviour: { make: slidingParts(60) } },
  'sliding log by whole seconds': {
    behaviour: { make: ofReference(bySeconds(slidingLog)) },
    ...BY_SECONDS,
  },
  'sliding log that counts refusals': { behaviour: { make: ofReference(countingRefusals(slidingLog)) } },
  'sliding log of a server that pauses': { behaviour: { make: pausing(40, 500, slidingLogOldest) } },
  'sliding counter that counts refusals': { behaviour: { make: ofReference(countingRefusals(counter)) } },
  'sliding counter of whole requests, with the window’s end as Retry-After': {
    behaviour: { make: weightedCounter({ share: 'down', retry: 'window' }) },
  },
  'sliding counter of whole requests': {
    behaviour: { make: weightedCounter({ share: 'down', retry: 'exact' }) },
  },
  'sliding counter with a whole window as Retry-After, and Reset rounded down': {
    behaviour: { make: patient(slidingCounter), rounded: { retryAfter: 'up', reset: 'down' } },
  },
  'sliding counter that rounds up': { behaviour: { make: weightedCounter({ share: 'up', retry: 'exact' }) } },
  'sliding counter of whole requests that counts refusals': {
    behaviour: { make: weightedCounter({ share: 'down', retry: 'exact', countsRefusals: true }) },
  },
  'sliding counter with a whole window as Retry-After': { behaviour: { make: patient(slidingCounter) } },
  'bucket with the nearest whole request as Remaining': { behaviour: { make: nearestBucket } },
  'bucket by whole seconds': {
    behaviour: { make: tokenBucket },
    around: { grainMs: 1000 },
    ...BY_SECONDS,
  },
  'bucket by quarters': { behaviour: steps(1 / 4) },
  'bucket by quarters, Reset when it is full': { behaviour: steps(1 / 4, { reset: 'full' }) },
  'bucket by thirds': { behaviour: steps(1 / 3, { reset: 'full' }) },
  'bucket by halves': { behaviour: { make: ofReference(byHalves) } },
  'bucket by tenths from the first request': { behaviour: steps(1 / 10, { anchor: 'first' }) },
  'bucket by tenths of the clock': { behaviour: steps(1 / 10, { anchor: 'clock' }) },
  'bucket by 24ths': { behaviour: steps(1 / 24, { reset: 'full' }) },
  'bucket by 43rds': { behaviour: steps(1 / 43, { reset: 'full' }) },
  'bucket by sixtieths of the clock': { behaviour: steps(1 / 60, { anchor: 'clock' }) },
  'bucket by 600ths': { behaviour: steps(1 / 600) },
  'bucket in one step': { behaviour: steps(1) },
  'bucket of a quarter by quarters': { behaviour: steps(1 / 4, { holds: 1 / 4 }) },
  'leaky bucket with a queue': { behaviour: { make: queue } },
};
