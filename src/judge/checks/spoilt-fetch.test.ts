import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchangeOf } from './exchange.test.support.js';
import { judgeSpoiltFetch } from './spoilt-fetch.js';

const fetch = (status: number) =>
  exchangeOf({ intent: { kind: 'expects', statuses: [200], chargedTo: 'get-ok' }, status });

/** Returns the rows charged where a fetch that got one status code gets another. */
const charged = (before: number, after: number): readonly string[] =>
  judgeSpoiltFetch(fetch(before), fetch(after)).map(({ requirement }) => requirement);

test('a second fetch with a status code of no animal is charged to get-ok', () => {
  for (const status of [202, 204, 304, 400]) assert.deepEqual(charged(200, status), ['get-ok'], `${status}`);
});

test('what another client, a limit, a key or another judge explains is not charged', () => {
  for (const status of [200, 301, 401, 403, 404, 410, 429, 500, 503])
    assert.deepEqual(charged(200, status), [], `${status}`);
  assert.deepEqual(charged(304, 304), [], 'the first fetch is judged by its own row');
});
