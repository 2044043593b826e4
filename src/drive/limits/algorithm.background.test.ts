import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fixedFromFirst,
  type MakeLimiter,
  slidingLogNewest,
  slidingLogOldest,
  tokenBucket,
} from '../../testing/limiters/limiters.js';
import { PLAIN, simulate } from '../../testing/simulated/simulate.js';
import { testsObserved } from './algorithm.test.support.js';

testsObserved(1);

const valuesOf = async (make: MakeLimiter, minuteSeconds = 60): Promise<ReadonlySet<string>> => {
  const { findings } = await simulate({ make }, { ...PLAIN, minuteSeconds });
  return new Set(findings.flatMap((finding) => (finding.kind === 'observed' ? [finding.value] : [])));
};

test('a fixed window and a bucket are named at a quiet target', async () => {
  assert.ok((await valuesOf(fixedFromFirst)).has('Fits a fixed window'));
  assert.ok((await valuesOf(tokenBucket)).has('Fits a bucket or a sliding window'));
});

test('a log, which gives a burst back at once as a window does, is not named', async () => {
  for (const make of [slidingLogOldest, slidingLogNewest])
    for (const minuteSeconds of [6, 10, 60])
      assert.ok(!(await valuesOf(make, minuteSeconds)).has('Fits a fixed window'), make.name);
});
