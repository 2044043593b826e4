import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAMILIES } from '../../base/interface/families.js';
import type { RequirementId } from '../../base/interface/types.js';
import { faultsIn, rowsOf } from './faults.js';

const red = (id: RequirementId, message = `${id} is violated`) => ({
  id,
  findings: [{ message, exchanges: [] }],
});

const shown = (rows: readonly ReturnType<typeof red>[]) =>
  faultsIn(rows).map(({ lead, others, isFamily }) => {
    const ids = others.map(({ id }) => id);
    return [lead.id, isFamily ? [] : ids, isFamily ? ids : []];
  });

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

const counting = (kind: string) => ({
  id: 'rate-remaining-counts' as const,
  findings: [{ message: 'counts twice', kind, exchanges: [] }],
});

test('a request that counts double is one fault, with the 429 that comes early for it', () => {
  const others = [red('rate-not-early'), red('rate-reset-truthful')];
  assert.deepEqual(shown([counting('series: tooFast, more'), ...others]), [
    ['rate-remaining-counts', [], ['rate-not-early']],
    ['rate-reset-truthful', [], []],
  ]);
  assert.deepEqual(shown([counting('series: promised, more'), ...others]), [
    ['rate-remaining-counts', [], []],
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

const finding = (message: string, actual: string) => ({
  message,
  expected: '201',
  actual,
  exchanges: ['x1'],
});

test('rows whose findings differ only in the quoted request have the same fault', () => {
  const rows = [
    { id: 'create-ok', findings: [finding('“a” got 500', '500'), finding('“b” got 404', '404')] },
    { id: 'create-each-status', findings: [finding('“c” got 500', '500')] },
    { id: 'list-ok', findings: [finding('“d” got 500', '503')] },
    { id: 'get-ok', findings: [] },
    { id: 'get-unknown', findings: [] },
  ] as const;
  assert.deepEqual(
    faultsIn(rows).map((fault) => rowsOf(fault).map(({ id }) => id)),
    [['create-ok', 'create-each-status'], ['list-ok'], ['get-ok'], ['get-unknown']],
  );
});

const taken = (what: string, expected: string, actual: string) => ({
  message: `“POST /pets, ${what}” got ${actual}`,
  expected,
  actual,
  kind: `createPet ${what}: ${actual}`,
  exchanges: ['x1'],
});

const faultsOf = (rows: Parameters<typeof faultsIn>[0]) =>
  faultsIn(rows).map((fault) => rowsOf(fault).map(({ id }) => id));

test('each check that a server lacks is a fault of its own, and one status for all refusals is one fault', () => {
  for (const [actual, faults] of [
    ['201', 3],
    ['500', 3],
    ['422', 1],
  ] as const) {
    const rows = [
      { id: 'create-missing-field', findings: [taken('without name', '400', actual)] },
      { id: 'create-invalid-value', findings: [taken('categoryId true', '400', actual)] },
      { id: 'create-body-required', findings: [taken('no body', '400', actual)] },
    ] as const;
    assert.equal(faultsOf(rows).length, faults, actual);
  }
});

test('an operation open to strangers is one fault, and a key in another place one more', () => {
  const rows = [
    { id: 'auth-missing-key', findings: [taken('without a key', '401', '201')] },
    { id: 'auth-invalid-key', findings: [taken('with a key that was never issued', '401', '201')] },
    { id: 'auth-header-only', findings: [taken('with the key in X-API-Key', '401', '201')] },
  ] as const;
  assert.deepEqual(faultsOf(rows), [['auth-missing-key', 'auth-invalid-key'], ['auth-header-only']]);
});

test('no row is in two families', () => {
  const all = Object.values(FAMILIES).flat();
  assert.equal(new Set(all).size, all.length);
});
