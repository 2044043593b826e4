import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { exchangeOf, judging, list, pet } from '../checks/exchange.test.support.js';
import { readPets } from '../checks/pets.js';
import type { KnownPage } from '../checks/listing-asked.js';
import { petsOf } from '../checks/listing.js';
import { endsOneShort, pageCap } from './page-cap.js';
import { lateFor } from './absent-animals.js';
import { showsAll, type KnownAnimal } from './known-animals.js';
import { newWorld } from './world.js';
import { worldAfter } from './world-after.js';

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);

/** Makes a page with animals of these ids, sent at a time in ms. */
function known(ids: readonly number[], sentAt: number, limit = 100, status?: KnownPage['status']): KnownPage {
  const animals = ids.map((id) => pet(id, status ? `"status":"${status}"` : undefined));
  const exchange = { ...exchangeOf({ text: list(...animals) }), sentAt };
  return {
    exchange,
    reading: readPets(exchange, judging),
    limit,
    isDefault: false,
    ...(status && { status }),
  };
}

/** Makes animals that the run found at the start or added later. */
function met(
  ids: readonly number[],
  { since = -Infinity, own = false, changes = false, status = 'available' } = {},
): KnownAnimal[] {
  return petsOf(known(ids, 0, 100, status as 'available')).map((animal) => ({
    pet: animal,
    since,
    own,
    changes,
  }));
}

const CASES: readonly (readonly [
  what: string,
  pages: readonly KnownPage[],
  animals: readonly KnownAnimal[],
  cap: number | null,
])[] = [
  ['a page of 20 without animals of other pages', [known(range(1, 20), 5_000)], met(range(1, 48)), 20],
  ['a page of 50 without animals of other pages', [known(range(1, 50), 5_000)], met(range(1, 240)), 50],
  ['a page without missing animals', [known(range(1, 20), 5_000)], met(range(1, 20)), null],
  [
    'a page requested too soon after a creation',
    [known(range(1, 20), 5_000)],
    [...met(range(1, 20)), ...met([21], { since: 4_000, own: true })],
    null,
  ],
  [
    'a page of common length without the created animal',
    [known(range(1, 20), 5_000)],
    [...met(range(1, 20)), ...met([21], { since: 1_000, own: true })],
    20,
  ],
  [
    'a cached page of 48 without the created animal',
    [known(range(1, 48), 500), known(range(1, 48), 5_000)],
    [...met(range(1, 48)), ...met([49], { since: 1_000, own: true })],
    null,
  ],
  [
    'a constant page of 33 without the created and other animals',
    [known(range(1, 33), 500), known(range(1, 33), 5_000)],
    [...met(range(1, 48)), ...met([49], { since: 1_000, own: true })],
    33,
  ],
  [
    'a growing page with missing animals',
    [known(range(1, 24), 500), known(range(1, 28), 5_000)],
    [...met(range(1, 48)), ...met([49], { since: 1_000, own: true })],
    null,
  ],
  ['an empty page for a filter', [known([], 5_000, 100, 'available')], met(range(1, 9)), null],
  [
    'a filtered page without one of 27 animals',
    [known(range(2, 27), 5_000, 100, 'available')],
    met(range(1, 27)),
    null,
  ],
  [
    'a page of 50 and a shorter incomplete page',
    [known(range(1, 50), 5_000), known(range(1, 7), 5_000)],
    met(range(1, 60)),
    null,
  ],
  [
    'a filtered page of 10 and a shorter page without a changed animal',
    [known(range(1, 10), 5_000, 100, 'available'), known(range(51, 57), 5_000, 100, 'sold')],
    [
      ...met(range(1, 20)),
      ...met(range(51, 57), { status: 'sold' }),
      ...met([58], { status: 'sold', changes: true }),
    ],
    10,
  ],
  ['a page as long as its limit', [known(range(1, 20), 5_000, 20)], met(range(1, 48)), null],
  ['no page', [], met(range(1, 48)), null],
];

for (const [what, pages, animals, cap] of CASES)
  test(`${what}: ${cap === null ? 'no cap' : `capped at ${cap}`}`, () => {
    assert.equal(pageCap(pages, animals), cap);
  });

test('a page of common length with a gap is not capped, unless its order is another one', () => {
  const animals = met(range(1, 21));
  const filtered = known(range(2, 21), 5_000, 100, 'available');
  const plain = known(range(1, 21), 5_000);
  assert.equal(pageCap([filtered], animals, [plain, filtered]), null);
  assert.equal(pageCap([filtered], animals), 20, 'no other page shows where the missing one stands');
  for (const ids of [[...range(2, 21), 1], range(1, 21).toReversed(), [...range(12, 21), ...range(1, 11)]])
    assert.equal(pageCap([filtered], animals, [known(ids, 5_000), filtered]), 20, String(ids));
  const ofFew = known(range(2, 11), 5_000, 100, 'available');
  const short = known(range(1, 7), 5_000, 7);
  assert.equal(pageCap([ofFew], met(range(1, 11)), [short, ofFew]), 10, 'too few show the order');
});

test('a page one animal short of its limit is detected if animals are missing', () => {
  assert.ok(endsOneShort(known(range(1, 99), 5_000), met(range(1, 150))));
  assert.ok(!endsOneShort(known(range(1, 99), 5_000), met(range(1, 99))));
  assert.ok(!endsOneShort(known(range(1, 98), 5_000), met(range(1, 150))));
});

test('a store without page cap is never reported as capped', () => {
  fc.assert(
    fc.property(fc.nat(120), fc.nat(25), fc.constantFrom(1, 2, 20, 100), (start, added, limit) => {
      const before = range(1, start);
      const all = range(1, start + added);
      const animals = [...met(before), ...met(range(start + 1, start + added), { since: 1_000, own: true })];
      const pages = [known(before.slice(0, limit), 500, limit), known(all.slice(0, limit), 5_000, limit)];
      assert.equal(pageCap(pages, animals), null);
    }),
    { numRuns: 60 },
  );
});

test('a store capped at a common page length is detected if it holds more', () => {
  fc.assert(
    fc.property(fc.constantFrom(10, 20, 25, 30, 50, 75), fc.integer({ min: 1, max: 60 }), (cap, more) => {
      const page = known(range(1, cap), 5_000);
      assert.equal(pageCap([page], met(range(1, cap + more))), cap);
    }),
    { numRuns: 60 },
  );
});

test('a page shows all if it contains every matching animal', () => {
  const views = [...petsOf(known([1], 0)), ...petsOf(known([2, 3], 0, 100, 'sold'))];
  assert.ok(showsAll(known([1, 2, 3], 0), views));
  assert.ok(showsAll(known([2, 3], 0, 100, 'sold'), views));
  assert.ok(!showsAll(known([2], 0, 100, 'sold'), views));
});

/** Listings around a creation at 1,000 ms, each with its time and whether it shows the created animal. */
const LATE: readonly (readonly [
  what: string,
  listings: readonly (readonly [number, boolean])[],
  late: number | null,
  inShort?: readonly number[],
])[] = [
  ['shown at once', [[2_000, true]], null],
  [
    'shown within the patience',
    [
      [2_000, false],
      [4_000, true],
    ],
    null,
  ],
  [
    'shown after it',
    [
      [2_000, false],
      [3_500, false],
      [8_000, true],
    ],
    3_500,
  ],
  [
    'never shown',
    [
      [3_500, false],
      [8_000, false],
    ],
    3_500,
  ],
  [
    'shown by a later listing of another kind',
    [
      [3_500, false],
      [9_000, false],
    ],
    3_500,
    [8_000],
  ],
  [
    'shown by an earlier listing of another kind, and then removed',
    [
      [3_500, false],
      [8_000, false],
    ],
    null,
    [3_000],
  ],
  [
    'shown, and then removed',
    [
      [2_000, true],
      [3_500, false],
      [8_000, false],
    ],
    null,
  ],
];

for (const [what, listings, expected, inShort = []] of LATE)
  test(`an animal of the run is ${what}: ${expected === null ? 'not late' : 'late'}`, () => {
    const creation = {
      ...exchangeOf({
        operation: 'createPet',
        intent: { kind: 'expects', statuses: [201], chargedTo: 'create-ok' },
        status: 201,
        text: pet(7),
      }),
      sentAt: 1_000,
    };
    // A listing without a limit may be short for another reason.
    const pages = [
      ...listings.map(([sentAt, isShown]) => known(isShown ? [1, 2, 7] : [1, 2], sentAt).exchange),
      { ...known([1, 2], 3_600).exchange, probe: 'GET /pets' },
      // Shows it, but cannot show that it is late.
      ...inShort.map((sentAt) => ({ ...known([7], sentAt).exchange, probe: 'GET /pets' })),
    ];
    const exchanges = [...pages, creation]
      .map((exchange) => ({ ...exchange, request: { ...exchange.request, path: pathOf(exchange) } }))
      .toSorted((one, other) => one.sentAt - other.sentAt);
    const world = exchanges.reduce((so, exchange) => worldAfter(so, exchange), newWorld(judging));
    assert.equal(lateFor('7', creation, world)?.exchange.sentAt ?? null, expected);
  });

/** Makes a listing with a query. */
function listing(query: string, ids: readonly number[], sentAt: number, status?: KnownPage['status']) {
  const { exchange } = known(ids, sentAt, 100, status);
  return { ...exchange, request: { ...exchange.request, path: `/v1/pets?${query}` } };
}

test('the largest page with its filter shows that an animal is late, where a listing shows the whole store', () => {
  const creation = {
    ...exchangeOf({
      operation: 'createPet',
      intent: { kind: 'expects', statuses: [201], chargedTo: 'create-ok' },
      status: 201,
      text: pet(7, '"status":"sold"'),
    }),
    sentAt: 1_000,
  };
  const whole = listing('limit=100', [1, 2], 900);
  const late = listing('limit=100&status=sold', [2], 3_500, 'sold');
  const lateIn = (...pages: KnownPage['exchange'][]): number | null => {
    const exchanges = [...pages, creation].toSorted((one, other) => one.sentAt - other.sentAt);
    const world = exchanges.reduce((so, exchange) => worldAfter(so, exchange), newWorld(judging));
    return lateFor('7', creation, world)?.exchange.sentAt ?? null;
  };
  assert.equal(lateIn(whole, late), 3_500);
  assert.equal(lateIn(late), null, 'no listing shows the whole store');
  assert.equal(lateIn(whole, listing('limit=100&status=pending', [2], 3_500, 'pending')), null);
  assert.equal(
    lateIn(whole, listing('limit=100&status=sold', [2], 2_500, 'sold')),
    null,
    'within the patience',
  );
  const asAvailable = listing('limit=20', [7], 3_600, 'available');
  assert.equal(lateIn(whole, late, asAvailable), null, 'listings show it with another status');
});

const pathOf = ({ operation, probe }: KnownPage['exchange']): string =>
  operation === 'listPets' && probe !== 'GET /pets' ? '/v1/pets?limit=100' : '/v1/pets';
