import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadContract } from './contract.js';
import { queryFaults, queryOf, readListingQuery } from './listing-query.js';

const read = (query: string) => readListingQuery(new URLSearchParams(query), loadContract().listing);

const WITHIN: readonly (readonly [string, object])[] = [
  ['', {}],
  ['limit=1', { limit: 1 }],
  ['limit=100', { limit: 100 }],
  ['status=sold', { status: 'sold' }],
  ['status=pending&limit=20', { status: 'pending', limit: 20 }],
  ['%6Cimit=%35', { limit: 5 }],
];

for (const [query, expected] of WITHIN)
  test(`“${query}” is a query within the interface`, () =>
    assert.deepEqual(read(query), { kind: 'within', query: expected }));

const OUTSIDE: readonly (readonly [string, 'open' | 'wrong', readonly (string | null)[]])[] = [
  ['limit=0', 'wrong', ['limit']],
  ['limit=101', 'wrong', ['limit']],
  ['limit=-1', 'wrong', ['limit']],
  ['limit=7.5', 'wrong', ['limit']],
  ['limit=', 'wrong', ['limit']],
  ['limit=0x10', 'wrong', ['limit']],
  ['limit=9007199254740993', 'wrong', ['limit']],
  ['limit=05', 'open', ['limit']],
  ['limit=7.0', 'open', ['limit']],
  ['limit=1e1', 'open', ['limit']],
  ['limit=%2B5', 'open', ['limit']],
  ['limit=5&limit=5', 'open', ['limit']],
  ['limit=5&limit=500', 'wrong', ['limit', 'limit']],
  ['status=Sold', 'wrong', ['status']],
  ['status=', 'wrong', ['status']],
  ['status=sold&status=sold', 'open', ['status']],
  ['limit=0&status=lost', 'wrong', ['limit', 'status']],
  ['sort=name', 'open', [null]],
  ['Limit=5', 'open', [null]],
  ['constructor=5&__proto__=1', 'open', [null, null]],
  ['limit=0&page=2', 'wrong', ['limit', null]],
];

for (const [query, kind, parameters] of OUTSIDE)
  test(`“${query}” is ${kind}, with the parameter at fault`, () => {
    const reading = read(query);
    assert.ok(reading.kind !== 'within');
    assert.equal(reading.kind, kind);
    assert.deepEqual(
      reading.faults.map(({ parameter }) => parameter),
      parameters,
    );
    assert.equal(
      reading.faults.every(({ kind: each, expected }) => (each === 'wrong') === (expected !== undefined)),
      true,
    );
  });

test('an operation without parameters declares none of them', () =>
  assert.deepEqual(
    queryFaults(new URLSearchParams('limit=5'), {}).map(({ what }) => what),
    ['the undeclared query parameter limit'],
  ));

test('the query of a page has no other members of it, in their order', () => {
  const page = { status: 'sold' as const, exchange: {}, isDefault: false, limit: 3 };
  assert.deepEqual(Object.entries(queryOf(page)), [
    ['status', 'sold'],
    ['limit', 3],
  ]);
  assert.deepEqual(queryOf({}), {});
});
