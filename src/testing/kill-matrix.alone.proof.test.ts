import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../contract/ledger.js';
import type { Proof } from '../report/pages/input.js';
import { causesBehind } from '../report/causes/likely.js';
import { readProof } from '../run/proof.js';
import { complaint, proofOf } from '../selftest/present.js';
import { runTrials } from '../selftest/run-trials.js';
import { trials } from '../selftest/subjects.js';
import { kitVersion } from '../contract/package.js';

/** Removes the shown evidence, which varies between runs: the first or last response differs. */
const withoutShown = (proof: Proof): object => ({
  ...proof,
  flaws: proof.flaws.map((flaw) => ({ ...flaw, shows: {} })),
});

/** Share of known mistakes that must be named; the others look alike in their evidence. */
const LEAST_NAMED = 0.8;

test('every flaw is detected, every variant passes, and config/proof.json is current', async () => {
  const matrix = await runTrials(trials());
  assert.deepEqual(matrix.rows.filter(({ ok }) => !ok).map(complaint), []);
  assert.deepEqual(matrix.unproven, []);
  const carried = readProof();
  assert.ok(carried, 'config/proof.json is missing: npm run proof');
  assert.deepEqual(
    withoutShown({ ...carried, at: '' }),
    JSON.parse(JSON.stringify(withoutShown(proofOf(matrix, kitVersion(), '')))),
    'config/proof.json is stale: npm run proof',
  );
  const required = new Set(loadLedger().requirements.flatMap(({ id, level }) => (level === 'must' ? [id] : [])));
  const causes = matrix.rows.map(({ subject, red, evidence }) => ({
    subject,
    isRequired: red.some((id) => required.has(id)),
    named: causesBehind(
      evidence,
      red.filter((id) => required.has(id)),
      carried.flaws,
    ).flatMap((cause) => cause.flaws.map(({ name }) => name)),
  }));
  assert.deepEqual(
    causes
      .filter(({ subject, named }) => named.length > 0 && !named.includes(subject.name))
      .map(({ subject, named }) => [subject.name, ...named]),
    [],
    'no mistake is taken for another, and no sound server for one with a mistake',
  );
  const known = causes.filter(({ subject, isRequired }) => subject.kind === 'flaw' && isRequired);
  const right = known.filter(({ named }) => named.length > 0).length;
  assert.ok(right >= LEAST_NAMED * known.length, `${right} of ${known.length} are named`);
});
