import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixedFromFirst, type MakeLimiter, tokenBucket } from '../../testing/limiters/limiters.js';
import { PLAIN, simulate } from '../../testing/simulated/simulate.js';
import { testsObserved } from './algorithm.test.support.js';

testsObserved(2);

const valuesOf = async (make: MakeLimiter): Promise<ReadonlySet<string>> => {
  const { findings } = await simulate({ make }, PLAIN);
  return new Set(findings.flatMap((finding) => (finding.kind === 'observed' ? [finding.value] : [])));
};

test('a fixed window and a bucket are named at a quiet target', async () => {
  assert.ok((await valuesOf(fixedFromFirst)).has('Fits a fixed window'));
  assert.ok((await valuesOf(tokenBucket)).has('Fits a bucket or a sliding window'));
});
