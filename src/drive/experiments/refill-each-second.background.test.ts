import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wholeSecondRefill } from '../../testing/limiters/clumped.js';
import { PLAIN, broken, simulate } from '../../testing/simulated/simulate.js';

const FREE = new Map([['free', { perMinute: 60, perDay: 1000 }]] as const);

describe('a bucket that refills once a whole second of the server’s clock violates no requirement', () => {
  // With a higher latency, requests are sent in parallel, and a refill may fall between any two of them.
  for (const latencyMs of [1, 15, 75, 150])
    for (const reset of ['beat', 'full'] as const)
      it(`at a latency of ${latencyMs} ms, with Reset at ${reset === 'beat' ? 'the next refill' : 'a full bucket'}`, async () => {
        for (const suites of [0, 20, 45]) {
          const around = {
            ...PLAIN,
            seed: 7 * latencyMs + suites,
            minuteSeconds: 10,
            latencyMs,
            jitterMs: latencyMs / 3,
          };
          const { findings } = await simulate(
            { make: wholeSecondRefill(10, reset) },
            { ...around, suites },
            { plans: FREE },
          );
          assert.deepEqual(
            broken(findings),
            [],
            JSON.stringify(findings.filter(({ kind }) => kind === 'violated')),
          );
        }
      });
});
