import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../base/interface/ledger.js';
import { needsLoad, needsSuites, selectRequirements } from './select.js';

const rows = loadLedger().requirements;

const CASES = [
  ['suites only', { only: 'suites' }, true, false],
  ['Limit requirement with suites only', { only: 'suites', requirements: ['rate-limit-value'] }, true, false],
  ['Limit requirement', { requirements: ['rate-limit-value'] }, false, true],
  ['load only', { only: 'load' }, false, true],
] as const;

for (const [what, selection, suites, load] of CASES)
  test(`${what}: Limit is judged ${suites ? 'by suite requests' : 'under load'}`, () => {
    const selected = selectRequirements(rows, selection);
    assert.ok(selected?.includes('rate-limit-value'));
    assert.equal(needsSuites({ selected, selection }), suites);
    assert.equal(needsLoad({ selected, selection }), load);
  });

for (const [profiles, load] of [
  [['explore'], false],
  [['explore', 'burst'], true],
] as const)
  test(`the profile ${profiles.join(' with ')} includes the suites${load ? '' : ' and no load'}`, () => {
    const selected = selectRequirements(rows, { profiles });
    for (const id of ['create-invalid-value', 'pet-shape'] as const) assert.ok(selected?.includes(id), id);
    assert.equal(selected?.includes('rate-429'), load);
    assert.equal(needsSuites({ selected, selection: { profiles } }), true);
    assert.equal(needsLoad({ selected, selection: { profiles } }), load);
  });

test('a replay needs neither suites nor load', () => {
  const selection = { replay: '7:5:0:1' };
  assert.equal(needsSuites({ selected: null, selection }), false);
  assert.equal(needsLoad({ selected: null, selection }), false);
});
