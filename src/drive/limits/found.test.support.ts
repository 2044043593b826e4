import { byHalves, tokenBucket } from '../../proof/limiters/buckets.js';
import {
  bySeconds,
  countingRefusals,
  slidingCounter as counter,
  slidingLog,
} from '../../proof/limiters/windows.js';
import { clumped, wholeSecondRefill } from '../../testing/limiters/clumped.js';
import {
  bucketAndWindow,
  clocksApart,
  lending,
  patient,
  weightedCounter,
} from '../../testing/limiters/gateways.js';
import {
  calendarWindow,
  fixedFromFirst,
  ofReference,
  slidingCounter,
  slidingLogNewest,
  slidingLogOldest,
  slidingParts,
  tokenBucket as evenBucket,
} from '../../testing/limiters/limiters.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import type { Circumstances } from '../../testing/simulated/simulate.js';
import { OF_TELLERS } from './found-tellers.test.support.js';

/** Correct limiters of which a search once found a row red, with its circumstances. */
export const FOUND: readonly (readonly [what: string, Behaviour, Partial<Circumstances>])[] = [
  ...[
    { seed: 7, minuteSeconds: 10, latencyMs: 20, jitterMs: 1 },
    { seed: 6, latencyMs: 10, jitterMs: 5 },
    { seed: 10, latencyMs: 20, jitterMs: 1, freeLimit: 90 },
  ].map(
    (around) =>
      [
        `a sliding counter that admits one for any part that is left, ${around.latencyMs} ms away, seed ${around.seed}`,
        { make: weightedCounter({ share: 'exact', retry: 'window' }) },
        around,
      ] as const,
  ),
  [
    'a bucket of three requests that is full again between the first two',
    { make: lending(1 / 100) },
    { freeLimit: 100, latencyMs: 50, jitterMs: 1 },
  ],
  ...[
    { seed: 2, latencyMs: 20, jitterMs: 1 },
    { seed: 655155, minuteSeconds: 6, latencyMs: 80, jitterMs: 8, offsetMs: 700, grainMs: 1 },
    { seed: 419269, minuteSeconds: 10, latencyMs: 150, jitterMs: 0.1 },
  ].map(
    (around) =>
      [
        `a bucket and a window of the clock, whose Resets mean two things, ${around.latencyMs} ms away`,
        { make: bucketAndWindow },
        around,
      ] as const,
  ),
  [
    'a bucket of one step, refilled every half of a window, whose first requests came late',
    {
      make: clumped({ share: 0.5, anchor: 'first', amount: 'down', holds: 0.25, reset: 'beat' }),
      retryAfterAs: 'date',
    },
    {
      seed: 505869651,
      minuteSeconds: 3,
      latencyMs: 80,
      jitterMs: 0.01,
      offsetMs: -57131,
      staleMs: 1300,
      grainMs: 1,
    },
  ],
  [
    'a sliding log that others used before, in a window of seconds, whose day ends',
    {
      make: slidingLogOldest,
      retryAfterAs: 'date',
      rounded: { retryAfter: 'up', reset: 'down' },
      countsDays: true,
    },
    {
      seed: 1509187260,
      minuteSeconds: 3,
      freeLimit: 70,
      jitterMs: 0.1,
      offsetMs: -59816,
      usedBefore: 5,
      dayLeft: 100,
    },
  ],
  [
    'a bucket by halves whose only step comes among parallel requests',
    {
      make: ofReference(byHalves),
      retryAfterAs: 'date',
      rounded: { retryAfter: 'up', reset: 'down' },
      countsDays: true,
    },
    {
      seed: 1438112004,
      minuteSeconds: 10,
      freeLimit: 83,
      latencyMs: 20,
      jitterMs: 0.01,
      offsetMs: 12906,
      staleMs: 1300,
      suites: 2,
      dayLeft: 400,
    },
  ],
  [
    'a bucket by thirds whose step comes nearly a window after the first request',
    {
      make: clumped({ share: 1 / 3, anchor: 'start', amount: 'sum', holds: 1, reset: 'full' }),
      rounded: { retryAfter: 'up', reset: 'up' },
    },
    {
      seed: 797425248,
      minuteSeconds: 15,
      freeLimit: 7,
      latencyMs: 80,
      jitterMs: 1,
      offsetMs: 37017,
      dayLeft: 100,
    },
  ],
  [
    'a bucket by halves, far away',
    { make: ofReference(byHalves), rounded: { retryAfter: 'up', reset: 'down' } },
    {
      seed: 1911455448,
      minuteSeconds: 15,
      freeLimit: 30,
      latencyMs: 200,
      jitterMs: 0.1,
      offsetMs: 40552,
      usedBefore: 7,
      suites: 2,
      dayLeft: 400,
    },
  ],
  [
    'a sliding window by tenths, whose requests leave in two parts',
    { make: slidingParts(10) },
    { seed: 1122154646, freeLimit: 70, latencyMs: 80, jitterMs: 8, usedBefore: 12 },
  ],
  [
    'a sliding log by whole seconds, which allows the first request again early',
    { make: ofReference(bySeconds(slidingLog)), rounded: { retryAfter: 'up', reset: 'down' } },
    {
      seed: 1759137560,
      minuteSeconds: 10,
      freeLimit: 120,
      latencyMs: 50,
      jitterMs: 0.1,
      offsetMs: -75318,
      grainMs: 1,
      suites: 2,
    },
  ],
  [
    'a sliding log whose requests leave as fast as new ones come, in a window of seconds',
    {
      make: slidingLogOldest,
      retryAfterAs: 'date',
      rounded: { retryAfter: 'up', reset: 'nearest' },
      countsDays: true,
    },
    {
      seed: 530389882,
      minuteSeconds: 3,
      freeLimit: 30,
      latencyMs: 0.05,
      jitterMs: 1,
      offsetMs: -39430,
      staleMs: 1300,
      suites: 4,
      dayLeft: 150,
    },
  ],
  [
    'a bucket to which a clock of whole seconds brings parts of a request',
    {
      make: ofReference(bySeconds(tokenBucket)),
      retryAfterAs: 'date',
      rounded: { retryAfter: 'up', reset: 'down' },
      countsDays: true,
    },
    {
      seed: 800062491,
      minuteSeconds: 30,
      freeLimit: 20,
      latencyMs: 200,
      jitterMs: 0.1,
      offsetMs: -74184,
      dayLeft: 50,
    },
  ],
  [
    'a sliding counter that counts refused requests',
    { make: ofReference(countingRefusals(counter)) },
    { seed: 8, freeLimit: 30, latencyMs: 5, jitterMs: 30 },
  ],
  [
    'a window whose paced responses are all late',
    { make: fixedFromFirst, countsDays: true },
    {
      seed: 1_554_314_264,
      minuteSeconds: 10,
      freeLimit: 62,
      latencyMs: 0.4,
      jitterMs: 8,
      usedBefore: 25,
      dayLeft: 50,
    },
  ],
  [
    'a window of which the first of several concurrent requests is the first of the next one',
    { make: calendarWindow },
    { seed: 638_258_698, minuteSeconds: 2, freeLimit: 70, latencyMs: 0.05, jitterMs: 8, offsetMs: -11_196 },
  ],
  [
    'a window at whose start a request overtakes the one before it',
    { make: calendarWindow, countsDays: true },
    { seed: 842_476_767, minuteSeconds: 1, freeLimit: 86, jitterMs: 0.01, offsetMs: 89_990, dayLeft: 400 },
  ],
  [
    'a bucket that returns a token in an apparent millisecond',
    { make: evenBucket },
    { seed: 25, freeLimit: 81, minuteSeconds: 1, latencyMs: 0.07, jitterMs: 0.01, grainMs: 1 },
  ],
  [
    'a window in which a concurrent request was overtaken and used the last',
    { make: fixedFromFirst, countsDays: true },
    {
      seed: 1_531_093_495,
      minuteSeconds: 1,
      freeLimit: 81,
      latencyMs: 20,
      jitterMs: 0.01,
      offsetMs: 83_722,
      dayLeft: 400,
    },
  ],
  [
    'a window whose headers turn to the day while requests are open',
    { make: calendarWindow, countsDays: true },
    {
      seed: 2_147_483_620,
      minuteSeconds: 2,
      freeLimit: 63,
      latencyMs: 80,
      jitterMs: 8,
      offsetMs: -65_524,
      staleMs: 1300,
      dayLeft: 100,
    },
  ],
  [
    'a log by a clock of whole seconds',
    { make: slidingLogOldest },
    {
      seed: 1_214_172_866,
      minuteSeconds: 10,
      freeLimit: 83,
      latencyMs: 80,
      jitterMs: 8,
      staleMs: 1300,
      grainMs: 1000,
    },
  ],
  [
    'a window by a clock of whole seconds',
    { make: fixedFromFirst },
    { seed: 3, minuteSeconds: 10, latencyMs: 20, grainMs: 1000 },
  ],
  [
    'a day that concurrent requests use up',
    { make: fixedFromFirst, countsDays: true },
    { minuteSeconds: 1, freeLimit: 63, latencyMs: 20, jitterMs: 0.01, dayLeft: 50 },
  ],
  [
    'a sliding log, Reset by the newest request, far away',
    { make: slidingLogNewest },
    { jitterMs: 0.1, grainMs: 1, latencyMs: 80, usedBefore: 1, seed: 12_359_455 },
  ],
  [
    'an even bucket with Reset a window ahead and Retry-After 1',
    {
      make: evenBucket,
      spoil: (draft, { now, figures }) => ({
        ...draft,
        reset: String(Math.ceil(now / 1000) + figures.minuteSeconds),
        retryAfter: draft.status === 429 ? '1' : null,
      }),
    },
    { minuteSeconds: 10, latencyMs: 12 },
  ],
  [
    'a window of the clock, of two processes 200 ms apart, at whose edge both come into the next one',
    { make: clocksApart(200), retryAfterAs: 'date' },
    { seed: 3_559_395, freeLimit: 330, jitterMs: 1, offsetMs: -69_985 },
  ],
  [
    'a sliding counter with a whole window as Retry-After, which holds a part of an old request in each burst',
    { make: patient(slidingCounter), rounded: { retryAfter: 'up', reset: 'down' } },
    { seed: 8_236_077, latencyMs: 200, jitterMs: 40, offsetMs: 33_435, usedBefore: 7, suites: 2 },
  ],
  [
    'a window of the clock that is seen late, because the machine stood still as it began',
    { make: clocksApart(20) },
    {
      seed: 2,
      minuteSeconds: 10,
      freeLimit: 85,
      latencyMs: 0.05,
      jitterMs: 1,
      offsetMs: -23_255,
      usedBefore: 60,
      suites: 2,
      busy: { everyMs: 200, longestMs: 4000, atSends: 0, workMs: 1 },
    },
  ],
  [
    'a log that counts refusals, whose first two requests lie apart, because the machine stood still',
    { make: ofReference(countingRefusals(slidingLog)) },
    {
      seed: 9,
      latencyMs: 150,
      jitterMs: 40,
      busy: { everyMs: 500, longestMs: 4000, atSends: 0, workMs: 1 },
    },
  ],
  ...[1, 75].flatMap((latencyMs) =>
    (['beat', 'full'] as const).map(
      (reset) =>
        [
          `a bucket that refills once a whole second, ${latencyMs} ms away, Reset at ${reset}`,
          { make: wholeSecondRefill(10, reset) },
          { seed: 7 * latencyMs, minuteSeconds: 10, latencyMs, jitterMs: latencyMs / 3, suites: 20 },
        ] as const,
    ),
  ),
  ...OF_TELLERS,
];
