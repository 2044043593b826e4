import assert from 'node:assert/strict';
import { test } from 'node:test';
import pLimit from 'p-limit';
import { startAltered } from '../index.js';
import { judgeWithoutPlaywright } from './judge-by-suites.js';
import { targetOf } from './run-trial.js';

/** Number of runs, as in ten nights, so that outcomes that depend on chance show. */
const RUNS = 10;

/**
 * Sequential requests need responses faster than the plan's refill. In a window of ten minutes a Business
 * bucket refills a request in 600 ms, so that a slow machine is fast enough. Slow runs use the plan with the
 * slowest refill.
 */
const MINUTE_S = 600;
const SETTINGS = [
  { variants: [], suiteKey: 'business', driveAllKeys: 3 },
  { variants: ['slow-and-jittery'], suiteKey: 'free', driveAllKeys: 10 },
] as const;

for (const { variants, suiteKey, driveAllKeys } of SETTINGS)
  test(`${RUNS} runs against ${variants[0] ?? 'the correct server'} give the same outcomes`, async () => {
    const limit = pLimit(driveAllKeys);
    const runs = await Promise.all(
      Array.from({ length: RUNS }, () =>
        limit(async () => {
          const server = await startAltered({ variants, minuteSeconds: MINUTE_S });
          try {
            const { requirements } = await judgeWithoutPlaywright(
              targetOf(server, { minuteSeconds: MINUTE_S, suiteKey }),
            );
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
