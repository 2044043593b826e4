import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPlans, planOfMinute } from './plans.js';
import { planNames } from './names.js';

test('the plans have the limits of part 8', () => {
  assert.deepEqual(loadPlans(), {
    free: { perMinute: 60, perDay: 1000 },
    pro: { perMinute: 300, perDay: 10_000 },
    business: { perMinute: 1000, perDay: 100_000 },
    enterprise: 'custom',
  });
  assert.deepEqual(planNames, Object.keys(loadPlans()));
});

test('a limit names a plan only if it is no other figure of a plan', () => {
  const plans = loadPlans();
  assert.equal(planOfMinute(60, plans), plans.free);
  assert.equal(planOfMinute(300, plans), plans.pro);
  for (const limit of [null, 0, 59, 1_000, 10_000]) assert.equal(planOfMinute(limit, plans), null);
  // A day of another plan, the minute of another plan, and its own day.
  for (const business of [
    { perMinute: 1_000, perDay: 300 },
    { perMinute: 300, perDay: 100_000 },
  ])
    assert.equal(planOfMinute(300, { ...plans, business }), null);
  const own = { perMinute: 700, perDay: 700 };
  assert.equal(planOfMinute(700, { ...plans, business: own }), null);
});

test('the plans are loaded only once', () => assert.equal(loadPlans(), loadPlans()));
