import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PlanFigures } from '../../base/interface/plans.js';
import type { PlanName } from '../../base/interface/types.js';
import { fixedFromFirst, type Limiter, type MakeLimiter } from '../../testing/limiters/limiters.js';
import { PLAIN, simulate } from '../../testing/simulated/simulate.js';

const [FREE, PRO, BUSINESS] = [60, 180, 240];

const PLANS: ReadonlyMap<PlanName, PlanFigures> = new Map([
  ['free', { perMinute: FREE, perDay: 1000 }],
  ['pro', { perMinute: PRO, perDay: 10_000 }],
  ['business', { perMinute: BUSINESS, perDay: 50_000 }],
]);

/** Creates limiters of which the Pro key's loses ten requests to the Free key's first burst, once. */
function touchedOnce(): MakeLimiter {
  let pro: Limiter | null = null;
  return (limit, ...more) => {
    const limiter = fixedFromFirst(limit, ...more);
    if (limit === PRO) pro = limiter;
    let count = 0;
    return (now) => {
      count += 1;
      if (limit === FREE && count > 20 && count <= 30) pro?.(now);
      return limiter(now);
    };
  };
}

describe('a row for which one key is enough', () => {
  it('stays open where another key showed a fault once', async () => {
    const { findings } = await simulate({ make: touchedOnce() }, PLAIN, { plans: PLANS });
    const kinds = findings.filter((one) => one.requirement === 'rate-per-key').map(({ kind }) => kind);
    assert.ok(kinds.includes('inconclusive'), kinds.join());
  });
});
