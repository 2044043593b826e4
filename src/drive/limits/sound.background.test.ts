import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type Beat, clumped } from '../../testing/limiters/clumped.js';
import type { MakeLimiter } from '../../testing/limiters/limiters.js';
import { searching } from '../../testing/limiters/searching.js';
import { SOUND_LIMITERS } from '../../testing/limiters/sound.js';
import { broken, type Circumstances, PLAIN, simulate } from '../../testing/simulated/simulate.js';

const QUARTERS: Beat = { share: 1 / 4, anchor: 'start', amount: 'sum', holds: 1, reset: 'beat' };

const SOUND: Readonly<Record<string, MakeLimiter>> = {
  ...SOUND_LIMITERS,
  'bucket by quarters': clumped(QUARTERS),
  'bucket by halves': clumped({ ...QUARTERS, share: 1 / 2 }),
  'bucket by sixtieths of the clock': clumped({ ...QUARTERS, share: 1 / 60, anchor: 'clock' }),
};

const circumstances = fc.record<Circumstances>({
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  minuteSeconds: fc.constantFrom(1.5, 6, 10, 60),
  freeLimit: fc.integer({ min: 60, max: 90 }),
  latencyMs: fc.constantFrom(0.05, 2, 20, 150, 200),
  jitterMs: fc.constantFrom(0.01, 1, 8, 40),
  offsetMs: fc.integer({ min: -90_000, max: 90_000 }),
  staleMs: fc.constantFrom(0, 1300),
  grainMs: fc.constantFrom(0, 1),
  usedBefore: fc.constantFrom(0, 1, 25),
  dayLeft: fc.constantFrom(null, 100, 400),
});

const busy = fc.option(
  fc.record({
    everyMs: fc.constantFrom(200, 1000, 5000),
    longestMs: fc.constantFrom(100, 4000),
    atSends: fc.constantFrom(0, 0.02),
    workMs: fc.constantFrom(0, 1),
  }),
);

const SEARCH = searching(4);

describe('plain questions fail no correct limiter, also on a busy machine', () => {
  for (const [name, make] of Object.entries(SOUND))
    it(name, async () => {
      await fc.assert(
        fc.asyncProperty(circumstances, busy, async (around, stalls) => {
          const { findings } = await simulate(
            { make, countsDays: around.dayLeft !== null },
            { ...around, ...(stalls !== null && { busy: stalls }) },
          );
          assert.deepEqual(broken(findings), []);
        }),
        SEARCH,
      );
    });
});

describe('manners of plain questions', () => {
  for (const [name, make] of Object.entries(SOUND))
    it(`a key meets at most eight refusals in a row: ${name}`, async () => {
      const { mostRefused } = await simulate({ make }, PLAIN);
      assert.ok(Math.max(...mostRefused.values()) <= 8, JSON.stringify([...mostRefused]));
    });

  it('a Free key gets at most 300 requests, in less than five windows', async () => {
    const make = SOUND_LIMITERS['fixed window from the first request'];
    assert.ok(make !== undefined);
    const { requests, seconds } = await simulate({ make }, PLAIN);
    assert.ok((requests.get('free') ?? 0) <= 300, String(requests.get('free')));
    assert.ok(seconds < 5 * PLAIN.minuteSeconds, String(seconds));
  });
});
