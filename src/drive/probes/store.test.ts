import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list, pageOf } from '../../judge/checks/exchange.test.support.js';
import { categoryUnlike, guessedCategory, knownCategory } from './store.js';

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

for (const [what, categories, expected] of [
  ['a large one', ['1152921504606846977', '1152921504606846977', '-1'], '1152921504606846977'],
  ['a negative one', ['-7', '-7'], '-7'],
  ['never outside int64', ['9223372036854775808', '"-7"', '0.5'], '1'],
  ['1 in an empty store', [], '1'],
] as const)
  test(`the category to try where no animal has a small one is ${what}`, () => {
    assert.equal(guessedCategory(pageOf(list(...categories.map(inCategory)))), expected);
  });

const withStatus = (category: number, status: string | null): string =>
  `{"id":1,"name":"a","categoryId":${category}${status === null ? '' : `,"status":"${status}"`}}`;

for (const [what, animals, status, expected] of [
  [
    'of animals with another status',
    [
      [0, 'sold'],
      [0, 'sold'],
      [1, 'available'],
    ],
    'sold',
    '1',
  ],
  [
    'not the one that its status shows most',
    [
      [1, 'sold'],
      [1, 'available'],
      [1, 'available'],
      [2, 'pending'],
    ],
    'sold',
    '2',
  ],
  [
    'of animals with a status if it has none',
    [
      [0, null],
      [0, null],
      [3, 'sold'],
    ],
    null,
    '3',
  ],
  [
    'the only one',
    [
      [4, 'sold'],
      [4, 'available'],
    ],
    'sold',
    '4',
  ],
  [
    'of its status if no other is known',
    [
      [4, 'sold'],
      [-1, 'available'],
    ],
    'sold',
    '4',
  ],
  [
    'of a store without its status',
    [
      [4, 'available'],
      [4, 'available'],
      [5, 'pending'],
    ],
    'sold',
    '4',
  ],
  ['null in an empty store', [], 'sold', null],
] as const)
  test(`the category of a new animal is ${what}`, () => {
    const page = pageOf(list(...animals.map(([category, one]) => withStatus(category, one))));
    assert.equal(categoryUnlike(page, status), expected);
  });
