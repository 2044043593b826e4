import * as fc from 'fast-check';
import { INT64 } from '../../contract/json.js';
import { classed, made, mostly, PLAIN, type Choice, type Classed } from './value.js';

/** Digits of a category; `usual` stands for one that the store has, and a number behind it is added to that. */
export type Category = Classed<string>;

/** The category that shrinking aims at: one of an animal that was there. */
export const PLAIN_CATEGORY: Category = { class: PLAIN, value: 'usual' };

/**
 * Categories over the whole int64 range (part 2). All are valid by their type, so that a 5xx is a fault; but a category may
 * have to exist, so that 400 is right for any but the usual one. Once taken, they come back with the same digits.
 */
export const CATEGORY_CLASSES: readonly (Choice<Category> & { readonly name: string })[] = [
  ['category 0', mostly('0')],
  ['a negative category', mostly('-1', '-7')],
  ['a category at 2^31', mostly('2147483648', '2147483647', '-2147483649')],
  ['a category 2^32 above the usual', mostly('usual+4294967296')],
  ['a category about 2^53', mostly('9007199254740993', '9007199254740992', '-9007199254740993')],
  ['the largest category', mostly(INT64.max.toString())],
  ['the smallest category', mostly(INT64.min.toString())],
  [
    'a category of many digits',
    made(
      fc
        .bigInt({ min: 10n ** 17n, max: INT64.max })
        .map((digits) => ((digits / 10n) * 10n + 7n).toString())
        .filter((digits) => BigInt(digits) <= INT64.max),
    ),
  ],
  ['a category of six digits', made(fc.integer({ min: 100_001, max: 999_999 }).map(String))],
].map(([name, values]) => ({ name: name as string, ...classed(name as string, values as Choice<string>) }));

/** The digits of a category, given the usual one. */
export const digitsOf = ({ value }: Category, usual: string): string =>
  value.startsWith('usual') ? (BigInt(usual) + BigInt(value.slice('usual'.length) || '0')).toString() : value;
