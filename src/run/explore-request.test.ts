import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Target } from '../wire/targets/target.js';
import { exploreRequest } from './explore-request.js';

const PLANS = [
  ['a usual plan is explored with a quarter of its minute', 2400, 500_000, 600],
  ['a huge plan is not explored for hours', 20_000_000, 2_000_000_000, 1000],
  ['a plan with a small day is explored within it', 4000, 500, 500],
] as const;

for (const [what, perMinute, perDay, requests] of PLANS)
  test(what, () => {
    const target = {
      suiteKey: 'enterprise',
      plans: { enterprise: { perMinute, perDay } },
    } as unknown as Target;
    assert.equal(exploreRequest({ explore: '', profile: [] }, target)?.requests, requests);
  });
