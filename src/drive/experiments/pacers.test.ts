import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { smallBucket, strictPacer } from '../../testing/limiters/limiters.js';
import { PLAIN, simulate } from '../../testing/simulated/simulate.js';
import type { Behaviour } from '../../testing/limiters/server.js';

const ofOperations = async (behaviour: Behaviour, minuteSeconds: number): Promise<readonly string[]> =>
  // At a pacer's own pace, slow responses would hide refills between two requests.
  (await simulate(behaviour, { ...PLAIN, minuteSeconds, latencyMs: 0.4, jitterMs: 0.1 })).findings
    .filter(({ requirement }) => requirement === 'rate-all-operations')
    .map(({ kind }) => kind);

/** Fetches are not counted. After each of them one request is left, because enough time has passed. */
const fetchesUncounted: Behaviour = {
  make: strictPacer,
  countedBy: (key, operation) => (operation === 'getPet' ? null : key),
  spoil: (draft, { operation, now, figures }) =>
    operation === 'getPet'
      ? { ...draft, remaining: '1', reset: String(Math.ceil(now / 1000) + figures.minuteSeconds / 60) }
      : draft,
};

describe('a pacer that allows one request at a time', () => {
  for (const minuteSeconds of [3, 60]) {
    it(`passes rate-all-operations in a steady run, in windows of ${minuteSeconds} s`, async () => {
      assert.deepEqual(await ofOperations({ make: strictPacer }, minuteSeconds), ['kept']);
      assert.deepEqual(await ofOperations({ make: smallBucket }, minuteSeconds), ['kept']);
    });

    it(`does not pass rate-all-operations without counting GET /pets/{id}, in windows of ${minuteSeconds} s`, async () => {
      assert.notDeepEqual(await ofOperations(fetchesUncounted, minuteSeconds), ['kept']);
    });
  }
});
