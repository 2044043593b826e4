import {
  fixedFromFirst,
  slidingCounter,
  slidingLogNewest,
  slidingLogOldest,
  tokenBucket,
  gcra,
  strictPacer,
} from '../../testing/limiters/limiters.js';
import { clocksApart, expiryInSeconds, lending, weightedCounter } from '../../testing/limiters/gateways.js';
import { clumped } from '../../testing/limiters/clumped.js';
import {
  blocking,
  bucketOf,
  coldStart,
  doubling,
  hundredths,
  jittered,
  lateTimer,
  longTail,
  penalty,
  punishing,
  serial,
  shortQueue,
  stalling,
  storeAhead,
  sweptLog,
  weightedParts,
  wholeMsGcra,
} from '../../testing/limiters/servers.js';
import type { Draft } from '../../testing/limiters/server.js';
import type { Sound } from './sound.test.support.js';

/** Ticks that return little of a plan. */
const LONG = { leastSeconds: 10 } as const;
/** Rounds up Retry-After by another second. */
const oneMore = (draft: Draft): Draft =>
  draft.retryAfter === null || !/^\d+$/.test(draft.retryAfter)
    ? draft
    : { ...draft, retryAfter: String(Number(draft.retryAfter) + 1) };

/** Correct limiters as servers, proxies and their stores make them; each as sound as those of `SOUND`. */
export const SERVERS: Readonly<Record<string, Sound>> = {
  'window of a server with one thread': { behaviour: { make: serial(12, fixedFromFirst) } },
  'bucket of a server with one thread': { behaviour: { make: serial(12, tokenBucket) } },
  'window of a server that stalls before it decides': {
    behaviour: { make: stalling(60, 400, fixedFromFirst) },
  },
  'bucket of a server that stalls before it decides': { behaviour: { make: stalling(60, 400, tokenBucket) } },
  'sliding counter of a server that stalls before it decides': {
    behaviour: { make: stalling(60, 400, slidingCounter) },
  },
  'sliding log of a server that stalls before it decides': {
    behaviour: { make: stalling(60, 400, slidingLogOldest) },
  },
  'window behind a network with a long tail': { behaviour: { make: longTail(30, 2000, fixedFromFirst) } },
  'bucket behind a network with a long tail': { behaviour: { make: longTail(30, 2000, tokenBucket) } },
  'sliding counter behind a network with a long tail': {
    behaviour: { make: longTail(30, 2000, slidingCounter) },
  },
  'sliding log behind a network with a long tail': {
    behaviour: { make: longTail(30, 2000, slidingLogNewest) },
  },
  'window of a function that starts cold': { behaviour: { make: coldStart(1300, fixedFromFirst) } },
  'bucket of a function that starts cold': { behaviour: { make: coldStart(1300, tokenBucket) } },
  'window with a random time on top of Retry-After': { behaviour: { make: jittered(3000, fixedFromFirst) } },
  'bucket with a random time on top of Retry-After': { behaviour: { make: jittered(3000, tokenBucket) } },
  'bucket that doubles Retry-After at each refusal': { behaviour: { make: doubling(tokenBucket) } },
  'bucket that refuses until Retry-After, once it refused': { behaviour: { make: blocking(tokenBucket) } },
  'sliding counter that refuses until its window ends, once it refused': {
    behaviour: { make: blocking(weightedCounter({ share: 'down', retry: 'window' })) },
  },
  'window that blocks a key for another one': { behaviour: { make: penalty } },
  'window of a timer that is late': { behaviour: { make: lateTimer(400) } },
  'sliding log that is swept sixty times a window': { behaviour: { make: sweptLog(1 / 60) } },
  'sliding counter by tenths': { behaviour: { make: weightedParts(10) } },
  'bucket that takes for refusals too': { behaviour: { make: punishing } },
  'GCRA in whole milliseconds': { behaviour: { make: wholeMsGcra((l) => l) }, leastSeconds: 60 },
  'GCRA in whole milliseconds, with half of the plan as burst': {
    behaviour: { make: wholeMsGcra((l) => l / 2) },
    leastSeconds: 60,
  },
  'leaky bucket that holds back each request': { behaviour: { make: shortQueue(1 / 6, 0) } },
  'leaky bucket that holds back the second half': { behaviour: { make: shortQueue(1 / 2, 0.5) } },
  'sliding counter in whole hundredths': { behaviour: { make: hundredths } },
  'window of a store whose clock is ahead': { behaviour: { make: storeAhead(300) } },
  'window of a store whose clock is behind': { behaviour: { make: storeAhead(-300, fixedFromFirst) } },
  'bucket of four fifths': { behaviour: { make: bucketOf(4 / 5) } },
  'bucket of a twentieth': { behaviour: { make: bucketOf(1 / 20) } },
  'sliding counter that admits one for any part': {
    behaviour: { make: weightedCounter({ share: 'exact', retry: 'window' }) },
  },
  'bucket that lends half a request': { behaviour: { make: lending(1) } },
  'bucket of a hundredth that lends half a request': { behaviour: { make: lending(1 / 100) } },
  'sliding log by ticks of 100 ms': {
    behaviour: { make: slidingLogOldest },
    around: { grainMs: 100 },
    ...LONG,
  },
  'bucket by ticks of 100 ms': { behaviour: { make: tokenBucket }, around: { grainMs: 100 }, ...LONG },
  'sliding counter by ticks of 100 ms': {
    behaviour: { make: slidingCounter },
    around: { grainMs: 100 },
    ...LONG,
  },
  'GCRA by ticks of 15 ms': { behaviour: { make: gcra }, around: { grainMs: 15 } },
  'window with a second more as Retry-After': { behaviour: { make: fixedFromFirst, spoil: oneMore } },
  'pacer with a second more as Retry-After': { behaviour: { make: strictPacer, spoil: oneMore } },
  'bucket in one step, from its first request': {
    behaviour: { make: clumped({ share: 1, anchor: 'first', amount: 'sum', holds: 1, reset: 'beat' }) },
  },
  'bucket in one step of the clock': {
    behaviour: { make: clumped({ share: 1, anchor: 'clock', amount: 'sum', holds: 1, reset: 'full' }) },
  },
  'bucket by fifths': {
    behaviour: { make: clumped({ share: 1 / 5, anchor: 'first', amount: 'sum', holds: 1, reset: 'beat' }) },
  },
  'bucket of a half by tenths': {
    behaviour: {
      make: clumped({ share: 1 / 10, anchor: 'start', amount: 'sum', holds: 1 / 2, reset: 'full' }),
    },
  },
  'bucket of a tenth by twentieths': {
    behaviour: {
      make: clumped({ share: 1 / 20, anchor: 'clock', amount: 'sum', holds: 1 / 10, reset: 'beat' }),
    },
  },
  'window of the clock, of processes 200 ms apart': { behaviour: { make: clocksApart(200) }, ...LONG },
  'window of Redis with Reset to the nearest second': {
    behaviour: { make: expiryInSeconds, rounded: { retryAfter: 'up', reset: 'nearest' } },
    leastSeconds: 6,
  },
  'bucket of a server that bans with 429 after 9 refusals': {
    behaviour: { make: tokenBucket, ban: { after: 9, ms: 120_000, status: 429 } },
  },
};
