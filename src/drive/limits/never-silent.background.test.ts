import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beatingBucket, bucket } from '../../proof/limiters/buckets.js';
import {
  bursty,
  calendarWindow,
  leaking,
  ofReference,
  slidingCounter,
  smallBucket,
  tokenBucket,
} from '../../testing/limiters/limiters.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import { PLAIN, simulate, type Circumstances } from '../../testing/simulated/simulate.js';

// Rare finds of the random search: each of these limiters once passed every row.

/** A bucket of a third of the plan, at another rate. */
const thirdAt = (rate: number): Behaviour => ({
  make: ofReference(bucket((limit) => Math.ceil(limit / 3), rate)),
});

/** Holds one request more than the plan, and does not show it. */
const oneMore: Behaviour = {
  make: tokenBucket,
  applied: (figures) => ({ ...figures, perMinute: figures.perMinute + 1 }),
  spoil: (draft, { decision, figures }) => ({
    ...draft,
    remaining: String(Math.min(decision.remaining, figures.perMinute - 1)),
  }),
};

const halfInQuarters: Behaviour = {
  make: ofReference(
    beatingBucket({
      share: 1 / 4,
      origin: (first) => first,
      reset: 'beat',
      rate: 1 / 2,
      capacity: ({ limit }) => limit,
    }),
  ),
};

/** Windows of the clock, half as long again as the plan's. */
const longer: Behaviour = {
  make: calendarWindow,
  applied: (figures) => ({ ...figures, minuteSeconds: 1.5 * figures.minuteSeconds }),
};

type Case = readonly [name: string, row: string, behaviour: Behaviour, around: Partial<Circumstances>];

/** Findings that say that a row is not met, or not in every part. */
const SAID: ReadonlySet<string> = new Set(['violated', 'inconclusive', 'untried']);

const CASES: readonly Case[] = [
  [
    'a bucket of a third at four thirds of the rate',
    'rate-window',
    thirdAt(4 / 3),
    { latencyMs: 80, seed: 333974687 },
  ],
  ['a bucket of a third at six times the rate', 'rate-window', thirdAt(6), { freeLimit: 64, usedBefore: 5 }],
  [
    'a bucket of a third that misses every tenth request',
    'rate-window',
    { make: leaking(10, smallBucket) },
    { freeLimit: 70, latencyMs: 0.4, suites: 4, usedBefore: 5, seed: 1147857784 },
  ],
  [
    'a bucket of a third that misses every tenth request of a short window',
    'rate-remaining-counts',
    { make: leaking(10, smallBucket) },
    { minuteSeconds: 10, latencyMs: 0.4, jitterMs: 0.1, grainMs: 1, suites: 2, seed: 1_431_643_877 },
  ],
  [
    'a sliding counter that misses every tenth request, on a slow network',
    'rate-remaining-counts',
    { make: leaking(10, slidingCounter) },
    {
      latencyMs: 80,
      jitterMs: 0.1,
      grainMs: 1,
      usedBefore: 1,
      suites: 2,
      offsetMs: -11_930,
      seed: 1_573_502_436,
    },
  ],
  [
    'a limit per second on top of one of a minute',
    'rate-window',
    { make: bursty('both') },
    { seed: 121360800 },
  ],
  [
    'a bucket of one request more, after others of the run',
    'rate-429',
    oneMore,
    {
      freeLimit: 64,
      latencyMs: 0.05,
      jitterMs: 8,
      grainMs: 1,
      suites: 4,
      offsetMs: -35_776,
      seed: 2_117_029_491,
    },
  ],
  [
    'a bucket that refills by quarters at half the rate',
    'rate-not-early',
    halfInQuarters,
    { freeLimit: 70, latencyMs: 20, suites: 2, usedBefore: 5, seed: 1833687218 },
  ],
  [
    'windows of the clock that are too long',
    'rate-not-early',
    longer,
    { minuteSeconds: 10, seed: 743_783_297 },
  ],
];

describe('a limiter that once passed every row', () => {
  for (const [name, row, behaviour, around] of CASES)
    it(`does not pass ${row} in silence: ${name}`, async () => {
      const circumstances = { ...PLAIN, ...around };
      const plans = new Map([['free', { perMinute: circumstances.freeLimit, perDay: 1000 }]] as const);
      const { findings } = await simulate(behaviour, circumstances, { plans });
      const kinds = findings.filter(({ requirement }) => requirement === row).map((found) => found.kind);
      assert.ok(
        kinds.some((kind) => SAID.has(kind)),
        kinds.join(),
      );
    });
});
