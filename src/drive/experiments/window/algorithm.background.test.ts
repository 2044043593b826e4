import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixedFromFirst, type MakeLimiter, tokenBucket } from '../../../testing/limiters/limiters.js';
import { PLAIN, simulate } from '../../../testing/simulated/simulate.js';
import { testsObserved } from './algorithm.test.support.js';

testsObserved(3);

const valueOf = async (make: MakeLimiter): Promise<string> => {
  const { findings } = await simulate({ make }, { ...PLAIN, latencyMs: 20 });
  const finding = findings.find(({ requirement }) => requirement === 'rate-algorithm');
  return finding?.kind === 'observed' ? finding.value : '';
};

test('a bucket is not taken for a fixed window, or the reverse', async () => {
  assert.doesNotMatch((await valueOf(tokenBucket)).replace(/;.*/, ''), /fixed window/);
  assert.doesNotMatch((await valueOf(fixedFromFirst)).replace(/;.*/, ''), /token bucket/);
});
