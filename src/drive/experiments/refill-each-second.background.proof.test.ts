import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import type { PlanFigures } from '../../base/interface/plans.js';
import type { PlanName } from '../../base/interface/types.js';
import { wholeSecondRefill } from '../../testing/limiters/clumped.js';
import { searching } from '../../testing/limiters/searching.js';
import { PLAIN, broken, simulate } from '../../testing/simulated/simulate.js';

const PLANS: readonly (readonly [PlanName, PlanFigures])[] = [
  ['free', { perMinute: 60, perDay: 1000 }],
  ['pro', { perMinute: 300, perDay: 10_000 }],
  ['business', { perMinute: 1000, perDay: 100_000 }],
  ['enterprise', { perMinute: 2000, perDay: 200_000 }],
];

it('a bucket that refills once a whole second violates no requirement, with any plans, latency, phase and Reset', async () => {
  const around = fc.record({
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
    minuteSeconds: fc.constantFrom(10, 60),
    latencyMs: fc.constantFrom(1, 3, 15, 40, 75, 150),
    jitterMs: fc.constantFrom(0.1, 0.5, 5, 50),
    offsetMs: fc.integer({ min: -1000, max: 1000 }),
    staleMs: fc.constantFrom(0, 1300),
    suites: fc.integer({ min: 0, max: 57 }),
  });
  const plans = fc.integer({ min: 1, max: PLANS.length }).map((count) => new Map(PLANS.slice(0, count)));
  await fc.assert(
    fc.asyncProperty(around, plans, fc.constantFrom('beat', 'full'), async (circumstances, given, reset) => {
      const make = wholeSecondRefill(circumstances.minuteSeconds, reset);
      const { findings } = await simulate({ make }, { ...PLAIN, ...circumstances }, { plans: given });
      assert.deepEqual(
        broken(findings),
        [],
        JSON.stringify(findings.filter(({ kind }) => kind === 'violated')),
      );
    }),
    searching(12),
  );
});
