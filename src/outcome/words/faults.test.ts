import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAMILIES } from '../../base/interface/families.js';
import type { RequirementId } from '../../base/interface/types.js';
import { faultsIn, leadOfFault } from './faults.js';

const red = (id: RequirementId, message = `${id} is violated`) => ({ id, findings: [{ message, exchanges: [] }] });

const shown = (rows: readonly ReturnType<typeof red>[]) =>
  faultsIn(rows).map(({ lead, likewise, shows }) => [lead.id, likewise.map(({ id }) => id), shows.map(({ id }) => id)]);

test('the red rows of a family are one fault, and the others remain separate', () => {
  const rows = [
    red('rate-headers-present'),
    red('rate-remaining-counts'),
    red('rate-429'),
    red('rate-window'),
    red('rate-reset-truthful'),
    red('rate-not-early'),
  ];
  assert.deepEqual(shown(rows), [
    ['rate-headers-present', [], []],
    ['rate-429', [], ['rate-window', 'rate-remaining-counts']],
    ['rate-not-early', [], ['rate-reset-truthful']],
  ]);
});

test('rows with equal findings remain one fault, also beside a row of a family', () => {
  const rows = [
    red('create-ok', 'got 500'),
    red('create-each-status', 'got 500'),
    red('rate-429', 'got 500'),
    red('rate-window', 'other'),
  ];
  assert.deepEqual(shown(rows), [
    ['create-ok', ['create-each-status'], []],
    ['rate-429', [], ['rate-window']],
  ]);
});

test('a row knows the row that stands for its fault', () => {
  const faults = faultsIn([red('rate-429'), red('rate-window'), red('get-ok')]);
  assert.equal(leadOfFault('rate-window', faults), 'rate-429');
  assert.equal(leadOfFault('rate-429', faults), null);
  assert.equal(leadOfFault('get-ok', faults), null);
});

test('no row is in two families', () => {
  const all = Object.values(FAMILIES).flat();
  assert.equal(new Set(all).size, all.length);
});
