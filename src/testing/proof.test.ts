import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kitVersion } from '../contract/package-root.js';
import { flaws, variants } from '../reference/index.js';
import { readProof } from '../run/proof.js';
import { complaint, proofOf } from '../selftest/present.js';
import { runTrials } from '../selftest/run-trials.js';
import { trials } from '../selftest/subjects.js';

/** The promise of the package: this many mistakes and ways to differ, of suites and of load. */
const LEAST = { flaws: { suites: 120, load: 30 }, variants: { suites: 40, load: 12 } } as const;

test('the set of flaws and variants is not shrunk', () => {
  for (const half of ['suites', 'load'] as const) {
    assert.ok(flaws.filter(({ needs }) => needs === half).length >= LEAST.flaws[half]);
    assert.ok(variants.filter(({ needs }) => needs === half).length >= LEAST.variants[half]);
  }
});

test('the kit catches every flaw, charges it rightly and lets every variant pass; the package carries this result', async () => {
  const matrix = await runTrials(trials());
  assert.deepEqual(matrix.rows.filter(({ ok }) => !ok).map(complaint), []);
  assert.deepEqual(matrix.unproven, []);
  const carried = readProof();
  assert.ok(carried, 'config/proof.json is missing: npm run proof');
  assert.deepEqual(
    { ...carried, at: '' },
    JSON.parse(JSON.stringify(proofOf(matrix, kitVersion(), ''))),
    'config/proof.json is stale: npm run proof',
  );
});
