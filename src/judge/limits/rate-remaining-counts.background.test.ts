import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixedFromFirst, strictPacer, type MakeLimiter } from '../../testing/limiters/limiters.js';
import { PLAIN, simulate } from '../../testing/simulated/simulate.js';

/** Returns the kinds of what the row shows of a limiter, of all plans. */
async function kindsOf(make: MakeLimiter, circumstances = PLAIN): Promise<readonly string[]> {
  const { findings } = await simulate({ make }, circumstances);
  const own = findings.filter(({ requirement }) => requirement === 'rate-remaining-counts');
  return [...new Set(own.map(({ kind }) => kind))];
}

/** A window that allows its plan, and says each time that nothing is left. */
const silentWindow: MakeLimiter = (...given) => {
  const limiter = fixedFromFirst(...given);
  return (now) => ({ ...limiter(now), remaining: 0 });
};

describe('a Remaining that is always 0', () => {
  it('is right where one request is allowed at a time', async () => {
    for (const [minuteSeconds, freeLimit] of [
      [60, 60],
      [10, 300],
    ] as const)
      assert.deepEqual(await kindsOf(strictPacer, { ...PLAIN, minuteSeconds, freeLimit }), ['kept']);
  });

  it('is wrong where a burst is allowed', async () => {
    assert.deepEqual(await kindsOf(silentWindow), ['violated']);
  });
});

/** A window that allows its plan, and says of each request that it allows that it was the first. */
const constantWindow: MakeLimiter = (limit, ...others) => {
  const limiter = fixedFromFirst(limit, ...others);
  return (now) => {
    const decision = limiter(now);
    return { ...decision, remaining: decision.served ? limit - 1 : 0 };
  };
};

describe('a Remaining that stays', () => {
  it('is wrong, though the plan is allowed and a 429 says that nothing is left', async () => {
    assert.deepEqual(await kindsOf(constantWindow), ['violated']);
  });
});
