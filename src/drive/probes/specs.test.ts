import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadContract } from '../../base/interface/contract.js';
import type { SentQuery } from '../../base/interface/listing-query.js';
import { bearer } from './credentials.js';
import { declared, expects, listing, listingIntent, open } from './specs.js';

const { pageSize } = loadContract();

const INTENTS: readonly (readonly [SentQuery, ReturnType<typeof listingIntent>])[] = [
  [{}, expects('list-ok', 200)],
  [{ limit: pageSize.min }, expects('list-limit-bounds', 200)],
  [{ limit: pageSize.max }, expects('list-limit-bounds', 200)],
  [{ limit: pageSize.default }, declared(200)],
  [{ limit: pageSize.max, status: 'sold' }, declared(200)],
  [{ status: 'pending' }, declared(200)],
  [{ limit: 0 }, open('list-limit-out-of-range')],
  [{ limit: 101 }, open('list-limit-out-of-range')],
  [{ limit: 7.5 }, open('list-limit-out-of-range')],
  [{ limit: 'abc' }, open('list-limit-out-of-range')],
  [{ status: 'lost' }, open('list-status-unknown')],
  [{ limit: 5, status: 'lost' }, open('list-status-unknown')],
];

for (const [query, intent] of INTENTS)
  test(`the row of a listing with ${JSON.stringify(query)}`, () => {
    assert.deepEqual(listingIntent(query, loadContract()), intent);
    // Members that are no parameter, as of an act of exploring, change nothing.
    assert.deepEqual(listingIntent({ ...query, kind: 'within' } as SentQuery, loadContract()), intent);
  });

test('a listing is sent with its parameters only, in their order', () => {
  const query = { status: 'sold', written: 'plain', limit: 3 };
  const { probe } = listing(query, bearer('free'), declared(200));
  assert.equal(probe, 'GET /pets?status=sold&limit=3');
});

test('a request with the scheme in other letter case is named by it', () => {
  const { probe } = listing({ status: 'sold' }, bearer('free', 'bearer'), declared(200));
  assert.equal(probe, 'GET /pets?status=sold with the scheme written bearer');
});
