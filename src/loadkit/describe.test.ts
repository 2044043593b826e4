import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPlans } from '../base/interface/plans.js';
import { parseScenario } from '../wire/scenario/scenario.js';
import { secret } from '../wire/targets/secret.js';
import { describeCapacity } from './describe.js';
import { planCapacity } from './plan.js';

test('the columns of a schedule are as wide as their longest text', () => {
  const scenario = parseScenario(
    `name: long
phases:
  - { name: warm-up-with-a-long-name, duration: 90m, rate: 10/s }
  - { name: ramp, duration: 1h, rate: { from: 100/s, to: 2000/s } }
  - { name: hold, duration: 20h, rate: 9000/s }
operations: [{ operation: listPets, weight: 1 }]
keys: [business]
overLimit: allow
`,
    's.yaml',
  );
  const target = {
    name: 't',
    keys: { business: secret('some-key-of-a-test') },
    suiteKey: 'business' as const,
    plans: { ...loadPlans(), enterprise: { perMinute: 2400, perDay: 500_000 } },
    windows: { minute: 60, day: 86_400 },
  };
  const plan = planCapacity({ scenario, target, writes: true, fetches: true });
  const lines = describeCapacity(plan, { ...target, baseUrl: 'http://localhost/v1' }, 60);
  assert.deepEqual(
    lines.slice(2, 5).map((text) => text.trimStart()),
    [
      '0 ms  warm-up-with-a-long-name  1 h 30 min at 10/s      54,000 requests',
      '1 h 30 min  ramp                      1 h at 100/s to 2000/s  3,780,000 requests',
      '2 h 30 min  hold                      20 h at 9000/s          648,000,000 requests',
    ],
  );
});
