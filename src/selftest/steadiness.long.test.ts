import assert from 'node:assert/strict';
import { test } from 'node:test';
import pLimit from 'p-limit';
import { startReference } from '../reference/index.js';
import { judgeWithoutPlaywright } from '../suite/plain-host.js';
import { targetOf } from './run-trial.js';

/** As often as a nightly run in three weeks: an outcome that depends on chance shows. */
const RUNS = 20;

/** Side by side, so that the slow ones take no longer than two; each has a server of its own, and mostly waits for it. */
const SIDE_BY_SIDE = 10;

for (const variants of [[], ['slow-and-jittery']])
  test(`${RUNS} runs against ${variants[0] ?? 'the sound server'} give every requirement one outcome`, async () => {
    const limit = pLimit(SIDE_BY_SIDE);
    const runs = await Promise.all(
      Array.from({ length: RUNS }, () =>
        limit(async () => {
          const server = await startReference({ variants });
          try {
            const { requirements } = await judgeWithoutPlaywright(targetOf(server, { minuteSeconds: 60 }));
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
