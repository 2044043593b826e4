import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../contract/ledger.js';
import { needsLoad, needsSuites, selectRequirements } from './select.js';

const rows = loadLedger().requirements;

const CASES = [
  ['suites alone', { only: 'suites' }, true, false],
  ['a row of Limit from suites alone', { only: 'suites', requirements: ['rate-limit-value'] }, true, false],
  ['a row of Limit', { requirements: ['rate-limit-value'] }, false, true],
  ['load alone', { only: 'load' }, false, true],
] as const;

for (const [what, selection, suites, load] of CASES)
  test(`${what}: Limit is judged ${suites ? 'by what the suites send' : 'under load'}`, () => {
    const selected = selectRequirements(rows, selection);
    assert.ok(selected?.includes('rate-limit-value'));
    assert.equal(needsSuites(rows, selected, selection), suites);
    assert.equal(needsLoad(rows, selected, selection), load);
  });

for (const [profiles, load] of [
  [['explore'], false],
  [['explore', 'burst'], true],
] as const)
  test(`the profile ${profiles.join(' beside ')} brings the suites along${load ? '' : ', and no load'}`, () => {
    const selected = selectRequirements(rows, { profiles });
    for (const id of ['create-invalid-value', 'pet-shape']) assert.ok(selected?.includes(id), id);
    assert.equal(selected?.includes('rate-429'), load);
    assert.equal(needsSuites(rows, selected, { profiles }), true);
    assert.equal(needsLoad(rows, selected, { profiles }), load);
  });

test('a story that is replayed takes neither suites nor load', () => {
  const selection = { replay: '7:5:0:1' };
  assert.equal(needsSuites(rows, null, selection), false);
  assert.equal(needsLoad(rows, null, selection), false);
});
