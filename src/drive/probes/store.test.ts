import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list, pageOf } from '../../judge/checks/exchange.test.support.js';
import { knownCategory } from './store.js';

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
