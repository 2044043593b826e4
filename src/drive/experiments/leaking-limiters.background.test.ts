import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { broken, PLAIN, simulate } from '../../testing/simulated/simulate.js';
import {
  calendarWindow,
  fixedFromFirst,
  gcra,
  leaking,
  slidingLogOldest,
  smallBucket,
  tokenBucket,
} from '../../testing/limiters/limiters.js';
import { searching } from '../../testing/limiters/searching.js';

/** At least one of these requirements detects that more is allowed than counted. */
const TOO_MUCH = ['rate-429', 'rate-window', 'rate-concurrent', 'rate-remaining-counts'];

const circumstances = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  latencyMs: fc.constantFrom(0.4, 2, 20),
  usedBefore: fc.constantFrom(0, 25),
  minuteSeconds: fc.constantFrom(3, 60),
});

describe('a limiter that misses every tenth request', () => {
  const makers = { fixedFromFirst, calendarWindow, slidingLogOldest, tokenBucket, gcra };
  for (const [name, make] of Object.entries(makers))
    it(`${name} does not pass`, async () => {
      await fc.assert(
        fc.asyncProperty(circumstances, async (around) => {
          const { findings } = await simulate({ make: leaking(10, make) }, { ...PLAIN, ...around });
          // In windows of seconds, a slow server gives a log the time in which a bucket would refill as much.
          const isSaid = findings.some(
            ({ kind, requirement }) => kind === 'untried' && TOO_MUCH.includes(requirement),
          );
          assert.ok(
            broken(findings).some((row) => TOO_MUCH.includes(row)) || (around.minuteSeconds < 10 && isSaid),
            JSON.stringify(findings, null, 1),
          );
        }),
        searching(6),
      );
    });
});

describe('a bucket of a third of the plan that misses every fourth request', () => {
  it('does not pass rate-429 and rate-remaining-counts alike', async () => {
    await fc.assert(
      fc.asyncProperty(circumstances, async (around) => {
        const { findings } = await simulate({ make: leaking(4, smallBucket) }, { ...PLAIN, ...around });
        const told = findings.filter(({ requirement }) =>
          ['rate-429', 'rate-remaining-counts'].includes(requirement),
        );
        assert.ok(
          told.some(({ kind }) => kind !== 'kept'),
          JSON.stringify(told, null, 1),
        );
      }),
      searching(12),
    );
  });

  it('passes if it counts every request', async () => {
    await fc.assert(
      fc.asyncProperty(circumstances, async (around) => {
        const { findings } = await simulate({ make: smallBucket }, { ...PLAIN, ...around });
        assert.deepEqual(broken(findings), []);
      }),
      searching(12),
    );
  });
});
