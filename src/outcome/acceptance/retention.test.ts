import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { retentionOf, type StoredRun } from './retention.js';

const runs = fc.uniqueArray(
  fc.record({
    folder: fc.integer({ min: 0, max: 10_000 }).map((name) => `reports/${name}`),
    series: fc.constantFrom('staging', 'production', 'staging, under load'),
    startedAt: fc.integer({ min: 0, max: 1e12 }).map((at) => new Date(at).toISOString()),
    spared: fc.constantFrom(null, null, 'its certificate needs it'),
  }),
  { selector: ({ folder }) => folder, maxLength: 40 },
);

test('each target keeps its newest runs, and protected runs are never removed', () => {
  fc.assert(
    fc.property(runs, fc.integer({ min: 1, max: 12 }), (all: readonly StoredRun[], keep) => {
      const { removed, spared } = retentionOf(all, keep);
      assert.ok(removed.every((run) => run.spared === null) && spared.every((run) => run.spared !== null));
      for (const series of new Set(all.map((run) => run.series))) {
        const own = all.filter((run) => run.series === series);
        const gone = [...removed, ...spared].filter((run) => run.series === series);
        assert.equal(gone.length, Math.max(0, own.length - keep));
        const stays = own.filter((run) => !gone.includes(run));
        for (const old of gone) for (const kept of stays) assert.ok(old.startedAt <= kept.startedAt);
      }
    }),
  );
});
