import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PetStatus } from '../../base/interface/contract.js';
import { exchangeOf, judging, list, pet } from '../checks/exchange.test.support.js';
import { limitsBeforeFilter } from './limit-before-filter.js';
import { endOf, isWhole } from './whole-pages.js';
import { worldOf } from './world-after.js';

const statusOf = (id: number): PetStatus => (id % 2 === 0 ? 'sold' : 'available');

/** Makes a listing at a time, in ms: animals from one id to another, every second one sold. */
function listing(query: string, sentAt: number, [from, to]: readonly [number, number]) {
  const wanted = new URLSearchParams(query).get('status');
  const animals = Array.from({ length: to - from + 1 }, (_, at) => from + at)
    .filter((id) => wanted === null || statusOf(id) === wanted)
    .map((id) => pet(id, `"status":"${statusOf(id)}"`));
  const exchange = exchangeOf({ text: list(...animals) });
  const request = { ...exchange.request, path: `/v1/pets?${query}` };
  return { ...exchange, probe: `GET /pets?${query}`, request, sentAt };
}

const ALL = listing('limit=100', 1_000, [1, 100]);
const SOLD = listing('limit=100&status=sold', 9_000, [1, 100]);

const CASES: readonly (readonly [what: string, pages: readonly ReturnType<typeof listing>[], is: boolean])[] =
  [
    [
      'a half-empty page before a longer one',
      [ALL, listing('limit=20&status=sold', 8_000, [1, 20]), SOLD],
      true,
    ],
    [
      'a half-empty page after a longer one, with its animals in a listing since',
      [ALL, SOLD, listing('limit=20&status=sold', 9_500, [1, 20]), listing('limit=50', 9_600, [1, 50])],
      true,
    ],
    [
      'a half-empty page after a longer one, whose animals others may have removed',
      [ALL, SOLD, listing('limit=20&status=sold', 9_500, [1, 20])],
      false,
    ],
    ['a full page before a longer one', [ALL, listing('limit=20&status=sold', 8_000, [1, 40]), SOLD], false],
    ['pages that a default of ten ends', [ALL, listing('status=sold', 8_000, [1, 20]), SOLD], false],
    [
      'a half-empty default page, with a longer one of another filter',
      [
        ALL,
        listing('status=sold', 8_000, [1, 20]),
        listing('status=available', 8_100, [1, 30]),
        SOLD,
        listing('limit=100', 9_900, [1, 100]),
      ],
      true,
    ],
    [
      'a filter that never shows certain animals',
      [
        ALL,
        listing('limit=20&status=sold', 8_000, [1, 20]),
        listing('limit=100&status=sold', 9_000, [1, 20]),
      ],
      false,
    ],
  ];

for (const [what, pages, is] of CASES)
  test(`a limit is ${is ? '' : 'not '}seen to come before the filter by ${what}`, () => {
    assert.equal(limitsBeforeFilter(worldOf(pages, judging)), is);
  });

test('a filtered page is not whole where the limit comes before the filter, except in a store of one page', () => {
  const short = listing('limit=20&status=sold', 8_000, [1, 20]);
  const large = worldOf([ALL, short, SOLD], judging);
  const [, , sold] = large.pages;
  assert.ok(sold && !isWhole(sold, large));
  assert.equal(endOf(sold, large), 50);
  const small = worldOf(
    [listing('limit=100', 1_000, [1, 60]), short, listing('limit=100&status=sold', 9_000, [1, 60])],
    judging,
  );
  const last = small.pages.at(-1);
  assert.ok(limitsBeforeFilter(small) && last && isWhole(last, small));
});
