import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../wire/exchange/types.js';
import { exchangeOf, judging, list, pet } from '../checks/exchange.test.support.js';
import { worldOf } from './world-after.js';

const pagesOf = (...exchanges: readonly Exchange[]): readonly Exchange[] =>
  worldOf(exchanges, judging).pages.map(({ exchange }) => exchange);

for (const status of [429, 502, 503, 504])
  test(`a ${status} is no page of the store once the listing was retried`, () => {
    const refused = exchangeOf({ status, probe: 'GET /pets?limit=1' });
    const retried = exchangeOf({ probe: 'GET /pets?limit=1', text: list(pet(1)) });
    const other = exchangeOf({ probe: 'GET /pets', text: list(pet(1), pet(2)) });
    assert.deepEqual(pagesOf(refused, retried, other), [retried, other]);
    assert.deepEqual(pagesOf(refused, other), [refused, other]);
  });

test('a 500 stays a page of the store: it was a response of the service', () => {
  const broken = exchangeOf({ status: 500, probe: 'GET /pets' });
  const retried = exchangeOf({ probe: 'GET /pets', text: list(pet(1)) });
  assert.deepEqual(pagesOf(broken, retried), [broken, retried]);
});
