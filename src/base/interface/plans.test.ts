import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPlans } from './plans.js';
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

test('the plans are loaded only once', () => assert.equal(loadPlans(), loadPlans()));
