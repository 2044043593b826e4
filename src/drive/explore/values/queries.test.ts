import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { loadContract } from '../../../base/interface/contract.js';
import { readListingQuery } from '../../../base/interface/listing-query.js';
import { LIMITS, OPEN_QUERIES, QUERY_SPELLINGS, queryText } from './queries.js';

const { listing, pageSize } = loadContract();
const read = (text: string) => readListingQuery(new URLSearchParams(text), listing);

test('exploring tries the bounds and the default of limit, and limits next to it', () => {
  for (const limit of [
    pageSize.min,
    pageSize.default - 1,
    pageSize.default,
    pageSize.default + 1,
    pageSize.max,
  ])
    assert.ok(LIMITS.includes(limit), String(limit));
});

test('the interface reads every spelling of a query within it as that query', () => {
  for (const written of QUERY_SPELLINGS)
    for (const limit of LIMITS)
      assert.deepEqual(read(queryText({ kind: 'within', written, limit, status: 'sold' })), {
        kind: 'within',
        query: written === 'in reverse order' ? { status: 'sold', limit } : { limit, status: 'sold' },
      });
  assert.equal(queryText({ kind: 'within', written: 'plain' }), '');
});

test('the interface has no query that exploring takes for an open one', () => {
  const texts = OPEN_QUERIES.flatMap(({ any }) => fc.sample(any, { numRuns: 40, seed: 1 }).map(queryText));
  assert.ok(new Set(texts).size > 30);
  assert.deepEqual(
    texts.filter((text) => read(text).kind === 'within'),
    [],
  );
});
