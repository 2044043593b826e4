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
