import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AT, exchangeOf, judging, pet } from '../checks/exchange.test.support.js';
import { isOwnRemoved, isRemoved } from './absent-animals.js';
import { worldOf } from './world-after.js';

/** Lists animals on pages of four, one page a second. */
function isFirstRemoved(...pages: readonly (readonly number[])[]): boolean {
  const listings = pages.map((ids, nth) =>
    exchangeOf({
      probe: 'GET /pets?limit=4',
      path: '/v1/pets?limit=4',
      sentAt: AT + 1_000 * nth,
      text: `[${ids.map((id) => pet(BigInt(id))).join()}]`,
    }),
  );
  return isRemoved('1', worldOf(listings, judging));
}

test('an animal that a page with room lacks, which showed it before, was removed', () => {
  assert.equal(isFirstRemoved([1, 2, 3], [2, 3]), true);
  assert.equal(isFirstRemoved([1, 2, 3], [1, 2, 3]), false);
  assert.equal(isFirstRemoved([2, 3], [2, 3]), false);
});

test('a full page lacks a removed animal if it still shows in order what followed it', () => {
  assert.equal(isFirstRemoved([1, 2, 3, 4], [2, 3, 4, 5]), true);
  assert.equal(isFirstRemoved([0, 1, 2, 3], [2, 3, 4, 5]), true);
  assert.equal(isFirstRemoved([1, 2, 3, 4], [1, 2, 3, 4]), false);
});

test('a full page may lack an animal that new ones pushed off it, or another order', () => {
  assert.equal(isFirstRemoved([4, 3, 2, 1], [5, 4, 3, 2]), false);
  assert.equal(isFirstRemoved([1, 2, 3, 4], [4, 3, 2, 5]), false);
  assert.equal(isFirstRemoved([1, 2, 3, 4], [5, 6, 7, 8]), false);
});

/** Animals that a listing with a filter shows. */
interface Filtered {
  readonly available: readonly number[];
}

const listing = (query: string, ids: readonly number[]) => ({
  path: `/v1/pets?limit=4${query}`,
  text: `[${ids.map((id) => pet(BigInt(id))).join()}]`,
});

/** Creates animal 1, then lists animals or fetches it, one request a second. */
function isCreatedRemoved(...reads: readonly (readonly number[] | Filtered | 200 | 404)[]): boolean {
  const body = `{"name":"a","categoryId":1}`;
  const intent = { kind: 'expects', statuses: [201], chargedTo: 'create-ok' } as const;
  const created = exchangeOf({ operation: 'createPet', intent, status: 201, body, text: pet(1n) });
  const later = reads.map((read, nth) =>
    exchangeOf({
      sentAt: AT + 10_000 + 1_000 * nth,
      ...(typeof read === 'number'
        ? { operation: 'getPet', path: '/v1/pets/1', status: read, text: read === 200 ? pet(1n) : '{}' }
        : 'available' in read
          ? listing('&status=available', read.available)
          : listing('', read)),
    }),
  );
  return isOwnRemoved('1', worldOf([created, ...later], judging));
}

test('an animal of the run was removed if it was listed, and since then is neither found nor listed', () => {
  assert.equal(isCreatedRemoved([1, 2], [2], 404), true);
  assert.equal(isCreatedRemoved([1, 2], 404, [2]), true);
});

test('an animal of the run that only another listing lacks than the one that showed it was not removed', () => {
  assert.equal(isCreatedRemoved([1, 2], { available: [] }, 404), false);
  assert.equal(isCreatedRemoved([1, 2], { available: [1] }, { available: [] }, 404), true);
});

test('an animal of the run that was never listed, or that a later response shows, was not removed', () => {
  for (const reads of [
    [[2], 404],
    [[1, 2], 404],
    [[1, 2], [2]],
    [[1, 2], [2], 200],
    [[1, 2], [2], 404, [1, 2]],
    [[1, 2], [2, 3, 4, 5], 404],
  ] as const)
    assert.equal(isCreatedRemoved(...reads), false, JSON.stringify(reads));
});
