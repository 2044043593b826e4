import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProfileName } from '../contract/profile-names.js';
import { startReference } from '../reference/index.js';
import { idsOf, MINUTE_S, ran, targetAt } from '../testing/load-at.js';

/** Servers at a time: more would slow each other beyond their short windows. */
const AT_A_TIME = { concurrency: 3 };

describe('load on limiters that are wrong', AT_A_TIME, () => {
  const cases: readonly (readonly [flaw: string, rows: readonly string[], profiles?: readonly ProfileName[]])[] = [
    ['limit-tenth-over', ['rate-429']],
    ['keys-share-one-counter', ['rate-per-key'], ['burst']],
    ['checks-before-it-counts', ['rate-concurrent']],
    ['never-restored', ['rate-reset-truthful', 'rate-retry-after-honoured']],
    ['refused-with-503', ['rate-429']],
    ['counted-per-operation', ['rate-all-operations']],
  ];
  for (const [flaw, rows, profiles = null] of cases) {
    it(`${flaw}: ${rows.join(', ')}`, async (test) => {
      const server = await startReference({ minuteSeconds: MINUTE_S, flaws: [flaw] });
      test.after(() => server.close());
      const { free, pro } = server.keys;
      const { findings } = await ran(targetAt(server.baseUrl, { free, pro }), { profiles });
      const red = idsOf(findings, 'violated').filter((id) => id !== 'rate-concurrent' || rows.includes(id));
      assert.deepEqual(red, rows);
    });
  }
});
