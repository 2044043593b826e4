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

/** Creates limiters that share one counter, each with the limit of its plan: Remaining is 0 beyond that. */
function sharedCounter(): MakeLimiter {
  let [used, endsAt] = [0, -Infinity];
  return (limit, windowMs) => (now) => {
    if (now >= endsAt) [used, endsAt] = [0, now + windowMs];
    const served = used < limit;
    if (served) used += 1;
    return { served, remaining: Math.max(0, limit - used), resetAt: endsAt, retryAt: served ? now : endsAt };
  };
}

describe('keys that share one counter', () => {
  for (const most of [PRO, BUSINESS])
    it(`name nobody else, with plans of ${FREE} to ${most}`, async () => {
      const plans = new Map([...PLANS].filter(([, { perMinute }]) => perMinute <= most));
      const { findings } = await simulate({ make: sharedCounter() }, PLAIN, { plans });
      const failed = findings.filter(({ kind }) => kind === 'violated').map(({ requirement }) => requirement);
      const reasons = findings.flatMap((one) => (one.kind === 'inconclusive' ? [one.reason.text] : []));
      assert.ok(failed.includes('rate-per-key'), failed.join());
      assert.deepEqual(
        reasons.filter((text) => text.includes('omething else used')),
        [],
      );
    });
});

describe('a row for which one key is enough', () => {
  it('stays open where another key showed a fault once', async () => {
    const { findings } = await simulate({ make: touchedOnce() }, PLAIN, { plans: PLANS });
    const kinds = findings.filter((one) => one.requirement === 'rate-per-key').map(({ kind }) => kind);
    assert.ok(kinds.includes('inconclusive'), kinds.join());
  });
});
