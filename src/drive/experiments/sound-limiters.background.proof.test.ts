import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { countingRefusals, slidingCounter as counter } from '../../proof/limiters/windows.js';
import {
  fixedFromFirst,
  gcra,
  type MakeLimiter,
  ofReference,
  queue,
  renewedByRefusal,
  slidingLogNewest,
  slidingLogOldest,
  slidingParts,
  tokenBucket,
} from '../../testing/limiters/limiters.js';
import { type Beat, clumped } from '../../testing/limiters/clumped.js';
import { broken, type Circumstances, PLAIN, simulate } from '../../testing/simulated/simulate.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import { searching } from '../../testing/limiters/searching.js';
import { SOUND_LIMITERS } from '../../testing/limiters/sound.js';
import { wasServed, type Sample } from '../../judge/limits/sample.js';

// Rare finds of the random search: each of these once failed a correct limiter.

/** Every response of the steady run is late. */
const UNEVEN: Circumstances = {
  seed: 1_554_314_264,
  minuteSeconds: 10,
  freeLimit: 62,
  latencyMs: 0.4,
  jitterMs: 8,
  offsetMs: 0,
  staleMs: 0,
  grainMs: 0,
  usedBefore: 25,
  dayLeft: 50,
};

/** The first of several concurrent requests is the first of the next window. */
const ACROSS_THE_EDGE: Circumstances = {
  ...PLAIN,
  seed: 638_258_698,
  minuteSeconds: 2,
  freeLimit: 70,
  latencyMs: 0.05,
  jitterMs: 8,
  offsetMs: -11_196,
};

/** At the start of a window, a request overtakes the one before it. */
const OVERTAKEN: Circumstances = {
  ...PLAIN,
  seed: 842_476_767,
  minuteSeconds: 1,
  freeLimit: 86,
  latencyMs: 2,
  jitterMs: 0.01,
  offsetMs: 89_990,
  dayLeft: 400,
};

/** An apparent millisecond looks like one returned token. */
const ON_THE_EDGE: Circumstances = {
  ...PLAIN,
  seed: 25,
  freeLimit: 81,
  minuteSeconds: 1,
  latencyMs: 0.07,
  jitterMs: 0.01,
  grainMs: 1,
};

/** A concurrent request gets 429 because another overtook it and used the last. */
const OVERTAKEN_AT_THE_LAST: Circumstances = {
  ...PLAIN,
  seed: 1_531_093_495,
  minuteSeconds: 1,
  freeLimit: 81,
  latencyMs: 20,
  jitterMs: 0.01,
  offsetMs: 83_722,
  dayLeft: 400,
};

/** At the start of a minute, the headers switch to the day's figures while requests are open. */
const AT_THE_TURN: Circumstances = {
  ...PLAIN,
  seed: 2_147_483_620,
  minuteSeconds: 2,
  freeLimit: 63,
  latencyMs: 80,
  jitterMs: 8,
  offsetMs: -65_524,
  staleMs: 1300,
  dayLeft: 100,
};

/** A request leaves its window most of a second sooner than it came, by a clock of whole seconds. */
const SOONER: Circumstances = {
  ...PLAIN,
  seed: 1_214_172_866,
  minuteSeconds: 10,
  freeLimit: 83,
  latencyMs: 80,
  jitterMs: 8,
  staleMs: 1300,
  grainMs: 1000,
};

/** Concurrent requests use up a day: the last one sent gets Remaining 1, which another one used. */
const TAKEN_BESIDE: Circumstances = {
  ...PLAIN,
  minuteSeconds: 1,
  freeLimit: 63,
  latencyMs: 20,
  jitterMs: 0.01,
  dayLeft: 50,
};

const ALGORITHMS: Readonly<Record<string, MakeLimiter>> = {
  ...SOUND_LIMITERS,
  'fixed window extended by every 429': renewedByRefusal,
  'sliding window by tenths': slidingParts(10),
  'sliding counter that counts refusals': ofReference(countingRefusals(counter)),
  'leaky bucket with a queue': queue,
};

const circumstancesOf = {
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  minuteSeconds: fc.constantFrom(1, 2, 3, 10, 60),
  freeLimit: fc.integer({ min: 60, max: 90 }),
  latencyMs: fc.constantFrom(0.05, 0.4, 2, 20, 80),
  jitterMs: fc.constantFrom(0.01, 0.1, 1, 8),
  offsetMs: fc.integer({ min: -90_000, max: 90_000 }),
  staleMs: fc.constantFrom(0, 0, 1300),
  grainMs: fc.constantFrom(0, 0, 1),
  usedBefore: fc.constantFrom(0, 0, 1, 25),
  dayLeft: fc.constantFrom(null, 50, 100, 150, 400),
};
const circumstances = fc.record<Circumstances>(circumstancesOf);

const SEARCH = searching(12);

describe('a correct limiter violates no requirement', () => {
  for (const [name, make] of Object.entries(ALGORITHMS)) {
    it(name, async () => {
      await fc.assert(
        fc.asyncProperty(circumstances, fc.constantFrom('seconds', 'date'), async (around, retryAfterAs) => {
          const behaviour: Behaviour = { make, retryAfterAs, countsDays: around.dayLeft !== null };
          const { findings } = await simulate(behaviour, around);
          const breaches = findings.filter(({ kind }) => kind === 'violated');
          assert.deepEqual(broken(findings), [], JSON.stringify(breaches, null, 1));
        }),
        {
          ...SEARCH,
          examples: [
            UNEVEN,
            ACROSS_THE_EDGE,
            OVERTAKEN,
            OVERTAKEN_AT_THE_LAST,
            TAKEN_BESIDE,
            AT_THE_TURN,
          ].map((around) => [around, 'seconds']),
        },
      );
    });
  }
});

/** True if the server's clock began a new second between the last two allowed requests. */
function secondBeganAtTheEnd(burst: readonly Sample[], offsetMs: number): boolean {
  const [before, last] = burst.filter(wasServed).slice(-2);
  const second = (at = 0): number => Math.floor((at + offsetMs) / 1000);
  return second(before?.sentAt) !== second(last?.answeredAt);
}

describe('a correct limiter with a clock in whole seconds violates no requirement', () => {
  // In shorter windows one second refills so much that nothing can distinguish it from a leak.
  const around = fc.record<Circumstances>({
    ...circumstancesOf,
    minuteSeconds: fc.constantFrom(10, 60),
    grainMs: fc.constant(1000),
    dayLeft: fc.constant(null),
  });
  const all = {
    'fixed window': fixedFromFirst,
    'sliding log': slidingLogOldest,
    'token bucket': tokenBucket,
    GCRA: gcra,
  };
  for (const [name, make] of Object.entries(all))
    it(name, async () => {
      await fc.assert(
        fc.asyncProperty(around, async (circumstances) => {
          const { findings, record } = await simulate({ make }, circumstances);
          // A refill between the last two shows as 0 twice, like one request too many.
          fc.pre(
            !record.keys.some(({ burst }) =>
              secondBeganAtTheEnd(burst?.samples ?? [], circumstances.offsetMs),
            ),
          );
          assert.deepEqual(broken(findings), []);
        }),
        { ...SEARCH, examples: [[SOONER]] },
      );
    });
});

/** Draws buckets that refill in steps, for the plans' sizes. */
const beats = fc
  .record({
    share: fc.constantFrom(1 / 60, 1 / 10, 1 / 6, 1 / 4, 1 / 2, 1),
    anchor: fc.constantFrom('first', 'start', 'clock'),
    amount: fc.constantFrom('down', 'sum'),
    holds: fc.constantFrom(1, 1, 1, 1 / 4),
    reset: fc.constantFrom('beat', 'full'),
    freeLimit: fc.constantFrom(60, 64, 100, 300, 800),
  })
  .map(({ freeLimit, amount, ...beat }): readonly [Beat, number] => {
    const isExact = [1, 3].every((plan) =>
      Number.isInteger(Math.round(plan * freeLimit * beat.share * 1e6) / 1e6),
    );
    // Whole numbers may be a tenth below the plan, and then a full refill takes more than a window.
    return [{ ...beat, amount: isExact ? amount : 'sum' }, freeLimit];
  });

/** All refills of a window together are nearly the limit, and none is more than half of it. */
const NEARLY_ALL_IN_BEATS: readonly [Beat, number] = [
  { share: 1 / 2, anchor: 'first', amount: 'down', holds: 1 / 4, reset: 'beat' },
  60,
];
const QUIET: Circumstances = { ...PLAIN, latencyMs: 0.4, jitterMs: 0.01 };

describe('a correct limiter with refill steps', () => {
  const around = fc.record<Circumstances>({
    ...circumstancesOf,
    minuteSeconds: fc.constantFrom(3, 6, 60),
    latencyMs: fc.constantFrom(0.4, 2, 20),
    dayLeft: fc.constant(null),
  });
  it('violates no requirement with steps of any length', async () => {
    await fc.assert(
      fc.asyncProperty(
        beats,
        around,
        fc.constantFrom('seconds', 'date'),
        async ([beat, freeLimit], circumstances, retryAfterAs) => {
          const { findings, record } = await simulate(
            { make: clumped(beat), retryAfterAs },
            { ...circumstances, freeLimit },
          );
          // If a step brings one token, a refill between the last two shows as 0 twice.
          fc.pre(
            !record.keys.some(
              ({ burst, figures }) => beat.share * figures.perMinute < 2 && zeroTwice(burst?.samples ?? []),
            ),
          );
          const breaches = findings.filter(({ kind }) => kind === 'violated');
          assert.deepEqual(broken(findings), [], JSON.stringify(breaches, null, 1));
        },
      ),
      { ...SEARCH, examples: [[NEARLY_ALL_IN_BEATS, QUIET, 'seconds']] },
    );
  });
});

const inBeats = (count: number): MakeLimiter =>
  clumped({ share: 1 / count, anchor: 'start', amount: 'sum', holds: 1, reset: 'full' });

describe('a correct limiter from an earlier false alarm violates no requirement', () => {
  const quiet = { ...PLAIN, jitterMs: 0.1, grainMs: 1 };
  const cases: readonly (readonly [name: string, make: MakeLimiter, around: Circumstances])[] = [
    ['43 refill steps per minute', inBeats(43), { ...quiet, seed: 1_077_670_237 }],
    [
      '24 refill steps per window',
      inBeats(24),
      { ...quiet, grainMs: 100, minuteSeconds: 6, freeLimit: 61, usedBefore: 25 },
    ],
    [
      'a sliding log, Reset by the newest request',
      slidingLogNewest,
      { ...quiet, latencyMs: 80, usedBefore: 1, seed: 12_359_455 },
    ],
  ];
  for (const [name, make, around] of cases)
    it(name, async () => assert.deepEqual(broken((await simulate({ make }, around)).findings), []));
});

const zeroTwice = (burst: readonly Sample[]): boolean =>
  burst.filter(wasServed).filter(({ remaining }) => remaining === 0).length > 1;

describe('a correct limiter with a millisecond clock and a fast connection violates no requirement', () => {
  // A lost millisecond matters more with quicker responses and shorter refills.
  const around = fc
    .tuple(
      fc.integer({ min: 1, max: 2 ** 31 }),
      fc.integer({ min: 60, max: 90 }),
      fc.integer({ min: 1, max: 20 }),
    )
    .map(([seed, freeLimit, hundredths]) => ({
      ...PLAIN,
      seed,
      freeLimit,
      minuteSeconds: 1,
      latencyMs: hundredths / 100,
      jitterMs: 0.01,
      grainMs: 1,
    }));
  for (const [name, make] of Object.entries({ 'token bucket': tokenBucket, GCRA: gcra }))
    it(name, async () => {
      await fc.assert(
        fc.asyncProperty(around, async (circumstances) => {
          assert.deepEqual(broken((await simulate({ make }, circumstances)).findings), []);
        }),
        { ...SEARCH, examples: [[ON_THE_EDGE]] },
      );
    });
});
