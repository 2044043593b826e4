import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixedFromFirst, slidingLogOldest } from '../../testing/limiters/limiters.js';
import { searching } from '../../testing/limiters/searching.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import { broken, PLAIN, simulate } from '../../testing/simulated/simulate.js';
import { testsCorrectWhileBusy } from './busy-machine.test.support.js';

testsCorrectWhileBusy({ search: searching(1), refillSeeds: [23], resetSeeds: [1] });

describe('a run on a busy machine', () => {
  it('finds no violation if 1,000 parallel requests take longer than a window', async () => {
    const { findings } = await simulate(
      { make: slidingLogOldest },
      { ...PLAIN, busy: { everyMs: Infinity, longestMs: 50, atSends: 0, workMs: 120 } },
      { plans: new Map([['business', { perMinute: 1000, perDay: 100_000 }]]) },
    );
    assert.deepEqual(broken(findings), []);
  });

  it('finds a flaw despite short pauses of the machine', async () => {
    const oneTooMany: Behaviour = {
      make: fixedFromFirst,
      applied: (figures) => ({ ...figures, perMinute: figures.perMinute + 1 }),
    };
    const { findings } = await simulate(oneTooMany, {
      ...PLAIN,
      busy: { everyMs: 3000, longestMs: 300, atSends: 0, workMs: 0 },
    });
    assert.ok(broken(findings).length > 0);
  });
});
