import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createdOf, exchangeOf, list, pageOf, pet } from '../../judge/checks/exchange.test.support.js';
import { petsOf, type KnownPage } from '../../judge/checks/listing.js';
import type { PetView } from '../../judge/checks/pets.js';
import { animalsIn, countAnimals, knownCategory, mostCommonStatus, showsAll, viewStore } from './store.js';

const sold = (id: number): string => pet(id, '"status":"sold"');
const available = (id: number): string => pet(id);
const views = (...pets: readonly string[]): readonly PetView[] => petsOf(pageOf(list(...pets)));
test('animals come from every response to the run’s key, with their latest state', () => {
  const store = viewStore([
    exchangeOf({ text: list(available(1), available(2)) }),
    createdOf(sold(3)).exchange,
    exchangeOf({ operation: 'getPet', text: sold(1) }),
    exchangeOf({ text: list(available(9)), credential: { kind: 'none' } }),
    exchangeOf({ status: 400, text: available(8) }),
    exchangeOf({ none: 'timeout' }),
    exchangeOf({ text: '[{"id":"7"},{"name":"x"},null,[],1,{"id":1.5}]' }),
    exchangeOf({ text: 'no JSON' }),
  ]);
  assert.deepEqual([...store.keys()], ['1', '2', '3']);
  assert.deepEqual([countAnimals(store), countAnimals(store, 'sold'), countAnimals(store, 'pending')], [3, 2, 0]);
});

test('ids keep all digits', () => {
  const ids = animalsIn(exchangeOf({ text: list(pet('9007199254740993'), pet('9007199254740992')) })).map(
    ({ id }) => id,
  );
  assert.deepEqual(ids, ['9007199254740993', '9007199254740992']);
});

test('the most common status is found', () => {
  const store = viewStore([exchangeOf({ text: list(available(1), sold(2), sold(3)) })]);
  assert.equal(mostCommonStatus(store, ['available', 'pending', 'sold']), 'sold');
  assert.equal(mostCommonStatus(viewStore([]), ['available', 'pending', 'sold']), 'available');
});

const inCategory = (category: string): string => `{"id":1,"name":"a","categoryId":${category}}`;

for (const [what, categories, expected] of [
  ['the most common one', ['3', '5', '5'], '5'],
  ['one in another notation', ['5.0', '5e0', '3'], '5'],
  ['not above 2^53', ['9007199254740993', '9007199254740993', '4'], '4'],
  ['not negative', ['-1', '-1', '4'], '4'],
  ['never a non-integer', ['"3"', '1.5', 'null'], null],
  ['null in an empty store', [], null],
] as const)
  test(`the chosen category is ${what}`, () => {
    assert.equal(knownCategory(pageOf(list(...categories.map(inCategory)))), expected);
  });

const known = (text: string, limit = 100, status?: KnownPage['status']): KnownPage => ({
  ...pageOf(text),
  limit,
  isDefault: false,
  ...(status && { status }),
});

test('a page shows all if it contains every matching animal', () => {
  const animals = views(available(1), sold(2), sold(3));
  assert.ok(showsAll(known(list(available(1), sold(2), sold(3))), animals));
  assert.ok(showsAll(known(list(sold(2), sold(3)), 100, 'sold'), animals));
  assert.ok(!showsAll(known(list(sold(2)), 100, 'sold'), animals));
});
