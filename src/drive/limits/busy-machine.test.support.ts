import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type Beat, clumped } from '../../testing/limiters/clumped.js';
import { gcra, type MakeLimiter, tokenBucket } from '../../testing/limiters/limiters.js';
import type { searching } from '../../testing/limiters/searching.js';
import { SOUND_LIMITERS } from '../../testing/limiters/sound.js';
import { broken, type Circumstances, PLAIN, simulate } from '../../testing/simulated/simulate.js';

const inBeats = (share: number, anchor: Beat['anchor']): MakeLimiter =>
  clumped({ share, anchor, amount: 'sum', holds: 1, reset: 'beat' });

const SOUND: Readonly<Record<string, MakeLimiter>> = {
  ...SOUND_LIMITERS,
  'bucket with 60 refill steps': inBeats(1 / 60, 'start'),
  'bucket with 10 refill steps': inBeats(1 / 10, 'first'),
};

const busy = fc.record({
  everyMs: fc.constantFrom(300, 1000, 3000, 10_000, 30_000),
  longestMs: fc.constantFrom(60, 300, 1000, 5000, 30_000),
  atSends: fc.constantFrom(0, 0.001, 0.01),
  workMs: fc.constantFrom(0, 0, 1, 10, 60, 130),
});

const around = fc.record<Circumstances>({
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  minuteSeconds: fc.constantFrom(3, 6, 10, 60),
  freeLimit: fc.integer({ min: 60, max: 90 }),
  latencyMs: fc.constantFrom(0.05, 0.4, 2, 20),
  jitterMs: fc.constantFrom(0.01, 0.1, 1, 8),
  offsetMs: fc.integer({ min: -90_000, max: 90_000 }),
  staleMs: fc.constantFrom(0, 0, 1300),
  grainMs: fc.constantFrom(0, 0, 1),
  usedBefore: fc.constant(0),
  dayLeft: fc.constant(null),
  busy,
});

/** Cases of a file of tests. */
interface Cases {
  /** Circumstances of each property. */
  readonly search: ReturnType<typeof searching>;
  /** Seeds of servers whose refill was once missed between two steps. */
  readonly refillSeeds: readonly number[];
  readonly resetSeeds: readonly number[];
}

/** Tests that what is correct violates nothing while the machine is busy. */
export function testsCorrectWhileBusy({ search, refillSeeds, resetSeeds }: Cases): void {
  describe('a correct limiter violates nothing while other programs delay the client', () => {
    for (const [name, make] of Object.entries(SOUND))
      it(name, async () => {
        await fc.assert(
          fc.asyncProperty(
            around,
            fc.constantFrom('seconds', 'date'),
            async (circumstances, retryAfterAs) => {
              const { findings } = await simulate({ make, retryAfterAs }, circumstances);
              assert.deepEqual(
                broken(findings),
                [],
                JSON.stringify(findings.filter(({ kind }) => kind === 'violated')),
              );
            },
          ),
          search,
        );
      });
  });

  describe('a correct bucket with 60 refill steps per window', () => {
    it('is not reported for a missing refill between steps', async () => {
      const plans = new Map([
        ['free', { perMinute: 60, perDay: 1000 }],
        ['pro', { perMinute: 300, perDay: 10_000 }],
      ] as const);
      for (const seed of refillSeeds) {
        const circumstances = { ...PLAIN, seed, minuteSeconds: 3, latencyMs: 0.4, jitterMs: 8 };
        const { findings } = await simulate({ make: inBeats(1 / 60, 'start') }, circumstances, { plans });
        assert.deepEqual(broken(findings), [], String(seed));
      }
    });
  });

  describe('an even bucket with Reset one window ahead and Retry-After 1', () => {
    it('has a conclusive window after a slow burst', async () => {
      const plans = new Map([['business', { perMinute: 1000, perDay: 100_000 }]] as const);
      for (const make of [tokenBucket, gcra])
        for (const seed of resetSeeds) {
          const { findings } = await simulate(
            {
              make,
              spoil: (draft, { now, figures }) => ({
                ...draft,
                reset: String(Math.ceil(now / 1000) + figures.minuteSeconds),
                retryAfter: draft.status === 429 ? '1' : null,
              }),
            },
            { ...PLAIN, seed, minuteSeconds: 10, latencyMs: 12 },
            { plans },
          );
          const found = findings.filter(({ requirement }) => requirement === 'rate-window');
          assert.ok(
            found.every(({ kind }) => kind !== 'inconclusive'),
            JSON.stringify(found),
          );
        }
    });
  });
}
