import assert from 'node:assert/strict';
import { test } from 'node:test';
import pLimit from 'p-limit';
import { startReference } from '../reference/index.js';
import { judgeWithoutPlaywright } from '../suite/plain-host.js';
import { targetOf } from './run-trial.js';

/** As often as a nightly run in three weeks: an outcome that depends on chance shows. */
const RUNS = 20;

/**
 * What is sent one after another has to be answered sooner than its plan gives back: a bucket of the Business plan refills
 * in 25 ms what a request took. So runs of the sound server, which is never waited for, go three at a time, and slow ones,
 * side by side, use the plan that gives back the least.
 */
const SETTINGS = [
  { variants: [], suiteKey: 'business', sideBySide: 3 },
  { variants: ['slow-and-jittery'], suiteKey: 'free', sideBySide: 10 },
] as const;

for (const { variants, suiteKey, sideBySide } of SETTINGS)
  test(`${RUNS} runs against ${variants[0] ?? 'the sound server'} give every requirement one outcome`, async () => {
    const limit = pLimit(sideBySide);
    const runs = await Promise.all(
      Array.from({ length: RUNS }, () =>
        limit(async () => {
          const server = await startReference({ variants });
          try {
            const { requirements } = await judgeWithoutPlaywright(targetOf(server, { minuteSeconds: 60, suiteKey }));
            return requirements.map(({ id, outcome }) => `${id} ${outcome}`);
          } finally {
            await server.close();
          }
        }),
      ),
    );
    for (const run of runs) assert.deepEqual(run, runs[0]);
    assert.doesNotMatch(runs[0]?.join('\n') ?? '', / (failed|warned|error|inconclusive)/);
  });
