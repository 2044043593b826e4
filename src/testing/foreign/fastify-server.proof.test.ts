import { test } from 'node:test';
import { startFastify } from './fastify-server.js';
import { assertJudged } from './judged.js';

for (const plan of ['business', 'free'] as const)
  test(`Fastify with @fastify/rate-limit fails only for its headers, with the ${plan} key`, async () => {
    await assertJudged(startFastify, plan, {
      failed: [
        // A 401 is sent before the plugin's hook runs.
        'rate-headers-present',
        // Reset is in seconds to go.
        'rate-headers-wellformed',
      ],
    });
  });
