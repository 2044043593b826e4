import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exploredClause } from './explored.js';

const explored = { seed: 7, asked: 400, requests: 400, stories: [], classes: [] };

test('exploring says how many animals it fetched only if some were left', () => {
  assert.equal(exploredClause(explored), '400 of 400 requests, seed 7: found nothing');
  assert.equal(
    exploredClause({ ...explored, residents: { shown: 48, fetched: 48 } }),
    '400 of 400 requests, seed 7: found nothing',
  );
  assert.equal(
    exploredClause({ ...explored, residents: { shown: 1283, fetched: 126 } }),
    '400 of 400 requests, seed 7: found nothing, fetched 126 of 1,283 animals that it did not create',
  );
});
