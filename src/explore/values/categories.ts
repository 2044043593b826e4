import * as fc from 'fast-check';
import { INT64 } from '../../contract/json.js';
import { classed, mostly, PLAIN, type Classed } from './value.js';

/** Digits of a category; `usual` stands for one that the store has, and a number behind it is added to that. */
export type Category = Classed<string>;

/** The category that shrinking aims at: one of an animal that was there. */
export const PLAIN_CATEGORY: Category = { class: PLAIN, value: 'usual' };

/**
 * Categories over the whole int64 range (part 2). All are valid by their type, so that a 5xx is a fault; but a category may
 * have to exist, so that 400 is right for any but the usual one. Once taken, they come back with the same digits.
 */
export const CATEGORY_CLASSES: readonly { readonly name: string; readonly values: fc.Arbitrary<Category> }[] = [
  ['category 0', fc.constant('0')],
  ['a negative category', mostly('-1', '-7')],
  ['a category at 2^31', mostly('2147483648', '2147483647', '-2147483649')],
  ['a category 2^32 above the usual', fc.constant('usual+4294967296')],
  ['a category about 2^53', mostly('9007199254740993', '9007199254740992', '-9007199254740993')],
  ['the largest category', fc.constant(INT64.max.toString())],
  ['the smallest category', fc.constant(INT64.min.toString())],
  [
    'a category of many digits',
    fc
      .bigInt({ min: 10n ** 17n, max: INT64.max })
      .map((digits) => ((digits / 10n) * 10n + 7n).toString())
      .filter((digits) => BigInt(digits) <= INT64.max),
  ],
  ['a category of six digits', fc.integer({ min: 100_001, max: 999_999 }).map(String)],
].map(([name, values]) => ({ name: name as string, values: classed(name as string, values as fc.Arbitrary<string>) }));

/** The digits of a category, given the usual one. */
export const digitsOf = ({ value }: Category, usual: string): string =>
  value.startsWith('usual') ? (BigInt(usual) + BigInt(value.slice('usual'.length) || '0')).toString() : value;
