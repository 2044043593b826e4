import assert from 'node:assert/strict';
import { it } from 'node:test';
import { wasRefused } from '../../judge/limits/sample.js';
import { leakyBucket } from '../../proof/limiters/buckets.js';
import { ofReference } from '../../testing/limiters/limiters.js';
import { PLAIN, simulate } from '../../testing/simulated/simulate.js';

/**
 * A target so slow that bursts use several connections, with a bucket for a sixth of the limit and no
 * headers.
 */
const SLOW = { ...PLAIN, seed: 347359513, minuteSeconds: 3, freeLimit: 83, latencyMs: 20, jitterMs: 0.1 };

it('sends nothing more in a burst after a refusal of one of its parallel requests', async () => {
  const { record } = await simulate(
    {
      make: ofReference(leakyBucket),
      spoil: (draft) => ({ ...draft, limit: null, remaining: null, reset: null }),
    },
    SLOW,
  );
  const bursts = record.keys.flatMap(({ burst, window }) => [burst?.samples ?? [], ...(window ?? [])]);
  const refused = bursts.flatMap((burst) => burst.filter(wasRefused).slice(0, 1));
  assert.ok(refused.length > 3);
  for (const burst of bursts) {
    const over = Math.min(...burst.filter(wasRefused).map(({ answeredAt }) => answeredAt));
    assert.deepEqual(
      burst.filter(({ sentAt }) => sentAt > over + SLOW.latencyMs),
      [],
    );
  }
});
