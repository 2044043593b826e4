import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucket, byHalves, tokenBucket } from '../../proof/limiters/buckets.js';
import {
  bySeconds,
  countingRefusals,
  slidingCounter as counter,
  slidingLog,
} from '../../proof/limiters/windows.js';
import { clumped } from '../../testing/limiters/clumped.js';
import {
  fixedFromFirst,
  ofReference,
  slidingCounter,
  slidingLogOldest,
  slidingParts,
  smallBucket,
} from '../../testing/limiters/limiters.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import { familyOf } from '../../base/interface/families.js';
import { broken, PLAIN, simulate, type Circumstances } from '../../testing/simulated/simulate.js';

/** Sound servers of which a search found a row red. */
const FOUND: readonly (readonly [what: string, Behaviour, Partial<Circumstances>])[] = [
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
];

for (const [what, behaviour, around] of FOUND)
  test(`${what}, is sound`, async () => {
    const { findings } = await simulate(behaviour, { ...PLAIN, ...around });
    assert.deepEqual(broken(findings), []);
  });

test('a sliding log of three quarters of a minute shows in the spread, though others used it before', async () => {
  const { findings } = await simulate(
    {
      make: slidingLogOldest,
      applied: (figures) => ({ ...figures, minuteSeconds: (3 * figures.minuteSeconds) / 4 }),
    },
    {
      ...PLAIN,
      seed: 1324596612,
      freeLimit: 100,
      jitterMs: 8,
      offsetMs: 15057,
      grainMs: 1,
      usedBefore: 5,
      suites: 4,
    },
    { plans: new Map([['free', { perMinute: 100, perDay: 1700 }]]) },
  );
  assert.ok(broken(findings).includes('rate-window'), broken(findings).join());
});

test('a small bucket that refills a third too fast shows, though no idle time shows what it holds', async () => {
  const { findings } = await simulate(
    {
      make: smallBucket,
      applied: (figures) => ({ ...figures, minuteSeconds: (3 * figures.minuteSeconds) / 4 }),
    },
    PLAIN,
    { plans: new Map([['free', { perMinute: 60, perDay: 1000 }]]) },
  );
  assert.ok(broken(findings).includes('rate-window'), broken(findings).join());
});

test('a sliding counter of one request too many does not pass, though others used it before', async () => {
  const { findings } = await simulate(
    {
      make: slidingCounter,
      retryAfterAs: 'date',
      applied: (figures) => ({ ...figures, perMinute: figures.perMinute + 1 }),
      spoil: (draft, { decision, figures }) => ({
        ...draft,
        remaining: String(Math.min(decision.remaining, figures.perMinute - 1)),
      }),
    },
    { ...PLAIN, seed: 1802256052, jitterMs: 0.1, offsetMs: 34716, grainMs: 1, usedBefore: 5 },
  );
  const kinds = findings.filter(({ requirement }) => requirement === 'rate-429').map(({ kind }) => kind);
  assert.ok(!kinds.includes('kept'), kinds.join());
});

for (const [latencyMs, usedBefore] of [
  [2, 0],
  [20, 5],
] as const)
  test(`two servers in turn that count apart break no promise of when more is allowed, at ${latencyMs} ms`, async () => {
    const { findings } = await simulate(
      { make: fixedFromFirst, countedBy: (key, _operation, count) => `${key} ${count % 2}` },
      {
        ...PLAIN,
        seed: 697561616,
        freeLimit: 83,
        latencyMs,
        jitterMs: 8,
        offsetMs: -81940,
        grainMs: 1,
        usedBefore,
      },
    );
    const families = findings.flatMap(({ kind, requirement }) =>
      kind === 'violated' ? [familyOf(requirement)] : [],
    );
    assert.deepEqual([...new Set(families)], ['how much']);
  });

test('a small bucket that refills twice as fast does not give its allowance back too late', async () => {
  const { findings } = await simulate(
    { make: ofReference(bucket((limit) => Math.ceil(limit / 3), 2)) },
    {
      ...PLAIN,
      seed: 107439381,
      minuteSeconds: 10,
      latencyMs: 50,
      jitterMs: 0.1,
      offsetMs: -16608,
      staleMs: 1300,
      grainMs: 1,
    },
  );
  assert.deepEqual(broken(findings), ['rate-remaining-counts', 'rate-window']);
});
