import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { exchangeOf, list, pet } from '../checks/exchange.test.support.js';
import { readPets } from '../checks/pets.js';
import { petsOf } from '../checks/listing.js';
import { judging } from '../suite/worker-fixture.js';
import { endsOneShort, pageCap, type Acquaintance } from './listing-history.js';
import type { KnownPage } from './store.js';

const GRACE = 2_000;
const tools = judging();
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);

/** Makes a page with animals of these ids, sent at a time in ms. */
function known(ids: readonly number[], sentAt: number, limit = 100, status?: KnownPage['status']): KnownPage {
  const animals = ids.map((id) => pet(id, status ? `"status":"${status}"` : undefined));
  const exchange = { ...exchangeOf({ text: list(...animals) }), sentAt };
  return { page: { exchange, reading: readPets(exchange, tools) }, limit, ...(status && { status }) };
}

/** Makes animals that the run found at the start or added later. */
function met(
  ids: readonly number[],
  { since = -Infinity, own = false, changes = false, status = 'available' } = {},
): Acquaintance[] {
  const { page } = known(ids, 0, 100, status as 'available');
  return petsOf(page).map((animal) => ({ pet: animal, since, own, changes }));
}

const CASES: readonly (readonly [
  what: string,
  pages: readonly KnownPage[],
  animals: readonly Acquaintance[],
  cap: number | null,
])[] = [
  ['a page of 20 that lacks what others showed', [known(range(1, 20), 5_000)], met(range(1, 48)), 20],
  ['one of 50', [known(range(1, 50), 5_000)], met(range(1, 240)), 50],
  ['one that lacks nothing', [known(range(1, 20), 5_000)], met(range(1, 20)), null],
  [
    'one that was asked for too soon after',
    [known(range(1, 20), 5_000)],
    [...met(range(1, 20)), ...met([21], { since: 4_000, own: true })],
    null,
  ],
  [
    'one of a usual length that lacks what the run added',
    [known(range(1, 20), 5_000)],
    [...met(range(1, 20)), ...met([21], { since: 1_000, own: true })],
    20,
  ],
  [
    'a cache of 48 that lacks only what the run added',
    [known(range(1, 48), 500), known(range(1, 48), 5_000)],
    [...met(range(1, 48)), ...met([49], { since: 1_000, own: true })],
    null,
  ],
  [
    'a page that stood at 33 and lacks others too',
    [known(range(1, 33), 500), known(range(1, 33), 5_000)],
    [...met(range(1, 48)), ...met([49], { since: 1_000, own: true })],
    33,
  ],
  [
    'one that leaves some out and grows all the same',
    [known(range(1, 24), 500), known(range(1, 28), 5_000)],
    [...met(range(1, 48)), ...met([49], { since: 1_000, own: true })],
    null,
  ],
  ['a filter that finds nothing', [known([], 5_000, 100, 'available')], met(range(1, 9)), null],
  ['a filter that misses one of 27', [known(range(2, 27), 5_000, 100, 'available')], met(range(1, 27)), null],
  [
    'a shorter page that lacks something beside one of 50',
    [known(range(1, 50), 5_000), known(range(1, 7), 5_000)],
    met(range(1, 60)),
    null,
  ],
  [
    'a page of ten with a filter, beside a shorter one that lacks what others change',
    [known(range(1, 10), 5_000, 100, 'available'), known(range(51, 57), 5_000, 100, 'sold')],
    [...met(range(1, 20)), ...met(range(51, 57), { status: 'sold' }), ...met([58], { status: 'sold', changes: true })],
    10,
  ],
  ['a page as long as its limit', [known(range(1, 20), 5_000, 20)], met(range(1, 48)), null],
  ['no page at all', [], met(range(1, 48)), null],
];

for (const [what, pages, animals, cap] of CASES)
  test(`${what}: ${cap === null ? 'no cap' : `capped at ${cap}`}`, () => {
    assert.equal(pageCap(pages, animals, GRACE), cap);
  });

test('a page one short of its limit is known for that when it lacks something', () => {
  assert.ok(endsOneShort(known(range(1, 99), 5_000), met(range(1, 150)), GRACE));
  assert.ok(!endsOneShort(known(range(1, 99), 5_000), met(range(1, 99)), GRACE));
  assert.ok(!endsOneShort(known(range(1, 98), 5_000), met(range(1, 150)), GRACE));
});

test('whatever a sound store holds, it is not said to be capped', () => {
  fc.assert(
    fc.property(fc.nat(120), fc.nat(25), fc.constantFrom(1, 2, 20, 100), (start, added, limit) => {
      const before = range(1, start);
      const all = range(1, start + added);
      const animals = [...met(before), ...met(range(start + 1, start + added), { since: 1_000, own: true })];
      const pages = [known(before.slice(0, limit), 500, limit), known(all.slice(0, limit), 5_000, limit)];
      assert.equal(pageCap(pages, animals, GRACE), null);
    }),
    { numRuns: 60 },
  );
});

test('a store capped at a usual length below its limit is always found out once it holds more', () => {
  fc.assert(
    fc.property(fc.constantFrom(10, 20, 25, 30, 50, 75), fc.integer({ min: 1, max: 60 }), (cap, more) => {
      const page = known(range(1, cap), 5_000);
      assert.equal(pageCap([page], met(range(1, cap + more)), GRACE), cap);
    }),
    { numRuns: 60 },
  );
});
