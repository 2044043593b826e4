import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../contract/ledger.js';
import { kitVersion } from '../contract/package-root.js';
import { flaws, variants } from '../reference/index.js';
import type { Proof } from '../report/pages/input.js';
import { causesBehind, rankedCauses } from '../report/causes/likely.js';
import { readProof } from '../run/proof.js';
import { complaint, proofOf } from '../selftest/present.js';
import { runTrials } from '../selftest/run-trials.js';
import { trials } from '../selftest/subjects.js';

/** The promise of the package: this many mistakes and ways to differ, of suites and of load. */
const LEAST = { flaws: { suites: 120, load: 30 }, variants: { suites: 40, load: 12 } } as const;

/** What a mistake shows differs a little from run to run: which answer was the first, or the last. */
const withoutSymptoms = (proof: Proof): object => ({
  ...proof,
  flaws: proof.flaws.map((flaw) => ({ ...flaw, symptoms: [] })),
});

test('the set of flaws and variants is not shrunk', () => {
  for (const half of ['suites', 'load'] as const) {
    assert.ok(flaws.filter(({ needs }) => needs === half).length >= LEAST.flaws[half]);
    assert.ok(variants.filter(({ needs }) => needs === half).length >= LEAST.variants[half]);
  }
});

/** What a likely cause is worth: of ten mistakes that the kit knows, nine are among the first three named. */
const LEAST_NAMED = 0.9;

test('the kit catches every flaw, charges it rightly and lets every variant pass; the package carries this result', async () => {
  const matrix = await runTrials(trials());
  assert.deepEqual(matrix.rows.filter(({ ok }) => !ok).map(complaint), []);
  assert.deepEqual(matrix.unproven, []);
  const carried = readProof();
  assert.ok(carried, 'config/proof.json is missing: npm run proof');
  assert.deepEqual(
    withoutSymptoms({ ...carried, at: '' }),
    JSON.parse(JSON.stringify(withoutSymptoms(proofOf(matrix, kitVersion(), '')))),
    'config/proof.json is stale: npm run proof',
  );
  const known = matrix.rows.filter(({ subject }) => subject.kind === 'flaw');
  const named = known.filter(({ subject, red, symptoms }) => {
    const ranked = rankedCauses(symptoms, carried.flaws);
    return red.some((id) =>
      ranked(id)
        .slice(0, 3)
        .some(({ flaw }) => flaw.name === subject.name),
    );
  });
  const required = new Set(loadLedger().requirements.flatMap(({ id, level }) => (level === 'must' ? [id] : [])));
  const suspected = matrix.rows
    .filter(({ subject }) => subject.kind === 'variant')
    .flatMap(({ subject, red, symptoms }) =>
      causesBehind(
        symptoms,
        red.filter((id) => required.has(id)),
        carried.flaws,
      ).map(({ rows }) => [subject.name, ...rows]),
    );
  assert.deepEqual(suspected, [], 'of a sound server nothing is said');
  assert.ok(named.length >= LEAST_NAMED * known.length, `${named.length} of ${known.length} are among the first three`);
});
