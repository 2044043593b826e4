import * as fc from 'fast-check';
import { classesOf, droppable, made, mostly, PLAIN, type Choice, type Classed, type Named } from './value.js';
import { INT64 } from '../../../base/kernel/json.js';

/**
 * Freedom of a service in handling a value. `must`: accept it and return it unchanged. `may`: do that or
 * refuse it with 400, since the interface lets a service call a value invalid. `free`: any response, because
 * the ledger leaves it open.
 */
export type Freedom = 'must' | 'may' | 'free';

type NameClass = Named<Classed<string>> & { readonly freedom: Freedom };

const names = (freedom: Freedom, choices: Readonly<Record<string, Choice<string>>>): readonly NameClass[] =>
  classesOf(choices).map((named) => ({ ...named, freedom }));

/** A name of all these pieces; shrinking keeps those that matter. */
const together = (...all: readonly string[]): Choice<string> =>
  made(
    fc
      .tuple(...all.map((piece) => droppable(fc.constant(piece))))
      .map((some) => some.filter((piece) => piece !== null).join(' ') || (all[0] ?? '')),
  );

const repeated = (text: string, length: number): string =>
  Array.from(text.repeat(length)).slice(0, length).join('');

/** Name that shrinking aims at. */
export const PLAIN_NAME: Classed<string> = { class: PLAIN, value: 'Rex' };

/**
 * Words that a language, a store or a spreadsheet takes for a value. A name is a string (part 2). These are
 * printable, short and without outer blanks, so no service may refuse or change them.
 */
const WORDS = names('must', {
  'the word null': mostly('null'),
  'the word undefined': mostly('undefined'),
  'words for null': mostly('None', 'NULL', 'nil', 'N/A'),
  'the word true': mostly('true'),
  'the word false': mostly('false'),
  'words for yes and no': mostly('no', 'off', 'yes', 'True'),
  digits: mostly('007', '00012', '1234567890123456789', '123'),
  'numbers in program notation': mostly('1e5', 'NaN', '0x1F', '1.0', 'Infinity'),
  dates: mostly('2024-02-29', '2024-12-31', '20240229'),
  'dates with a time': mostly('2024-01-01T00:00:00Z', '2024-01-01 00:00:00'),
  'dates in everyday notation': mostly('1/2/2024', '12:30', '01.02.2024', '1 May 2024'),
  'the word __proto__': mostly('__proto__'),
  'built-in object members': mostly('constructor', 'toString', 'hasOwnProperty', 'length'),
  'JSON in a name': mostly('{"id":1}', '{}', '[]', '[1]'),
  'a name in quotes': mostly('"quoted"', "'quoted'"),
  'the digit 0': mostly('0'),
  'a single character': mostly('x', '-', '1'),
  formulas: mostly('=1+1', '@SUM(A1)', '+49', '-1+1'),
});

/**
 * Pieces that code often mangles. They are printable, short and without outer blanks, so every character must
 * come back.
 */
const PIECES = names('must', {
  'percent signs and templates': together('100%', '%41', '%zz', 'a+b', '{{7*7}}', '${7*7}', '{0}', '%s'),
  'markup and entities': together('<script>', 'a<b', '&lt;b&gt;', '&#39;', '&amp;amp;'),
  quotes: together("O'Brien", '"x"', '`x`', '“x”', '‘y’', "''", '...', '--'),
  'compatibility characters': together('ﬁ', '\u212b', '²', '½', 'ＡＢ１', '\u1112\u1161\u11ab', '\u2126'),
  'letters with special case rules': together('İı', 'ß', 'ẞ', 'ǅ', 'ΣΑΣ', 'ŉ'),
  'stacked combining marks': together('e\u0301', 'Z\u0351\u036b\u0343', 'q\u0307\u0323', 'நி', 'ก็'),
  'emoji and right to left': together('❤️', '🏳️‍🌈', '👍🏽', '🇨🇭', '𝒳', 'שלום', 'مرحبا'),
  'spaces inside': together('a  b', 'a   b', 'a\u00a0b', 'a\u2009b', 'a\u3000b'),
  'separators of queries and lists': together("';--", '%_*?', 'a,b', 'c;d', 'e|f', 'g: h', '#i'),
  'paths and escapes': together('../..', 'a/b', 'http://a.b/?x=1', 'C:\\new', '\\u0041', '\\n', '\\0'),
});

/**
 * Characters that are no text. They form a string, so a 5xx is a fault. A strict service may call them
 * invalid and refuse them with 400. Accepted ones must come back unchanged.
 */
const CONTROLS = names('may', {
  NUL: mostly('a\u0000b', '\u0000', 'ab\u0000'),
  'control characters': mostly('a\u0001b', 'a\u001bb', 'a\u007fb', 'a\u0085b', 'a\u0008b'),
  'line breaks and tabs': together('a\nb', 'c\r\nd', 'e\tf', 'g\rh'),
  'zero-width characters': together('a\u200bb', 'c\ufeffd', 'e\u00adf', 'g\u202eh', 'i\u2028j'),
  'unassigned characters': mostly('a\uffffb', 'a\ufffeb', 'a\ue000b', 'a\u{10ffff}b'),
});

/**
 * Long names. Any refusal is free (`create-name-length`: part 8 sets no maximum); accepted ones come back
 * whole.
 */
const LONG = names('free', {
  '100 characters of several bytes': mostly(repeated('ž🐈', 100), repeated('猫', 100)),
  '256 characters': mostly(repeated('0123456789', 256), repeated('0123456789', 255)),
  '300 characters': mostly(repeated('0123456789', 300), repeated('0123456789', 513)),
  '2,000 characters': mostly(repeated('0123456789', 2_000), repeated('0123456789', 1_025)),
});

/**
 * Names that the ledger leaves open: empty, outer blanks, half surrogates. Two things count: a 5xx, which
 * warns, and a fetch that differs from the creation's response.
 */
const OPEN = names('free', {
  'an empty name': mostly(''),
  'outer spaces': mostly(' Rex ', ' ', '\tRex'),
  'half a surrogate pair': mostly('a\ud800b', '\udc00'),
});

export const NAME_CLASSES: readonly NameClass[] = [...WORDS, ...PIECES, ...CONTROLS, ...LONG, ...OPEN];

export const freedomOf = (name: Classed<string>): Freedom =>
  NAME_CLASSES.find((candidate) => candidate.name === name.class)?.freedom ?? 'must';

/** Digits of a category, or `usual` with a number to add: the category that exists in the store. */
export type Category = Classed<string>;

/** Category that shrinking aims at: one of an existing animal. */
export const PLAIN_CATEGORY: Category = { class: PLAIN, value: 'usual' };

/**
 * Categories over the whole int64 range (part 2). All are valid by type, so a 5xx is a fault. A category may
 * have to exist, so any but the usual one may get 400. Accepted ones must come back with the same digits.
 */
export const CATEGORY_CLASSES = classesOf<string>({
  'category 0': mostly('0'),
  'a negative category': mostly('-1', '-7'),
  'a category at 2^31': mostly('2147483648', '2147483647', '-2147483649'),
  'a category 2^32 above the usual': mostly('usual+4294967296'),
  'a category near 2^53': mostly('9007199254740993', '9007199254740992', '-9007199254740993'),
  'the largest category': mostly(INT64.max.toString()),
  'the smallest category': mostly(INT64.min.toString()),
  'a category of many digits': made(
    fc
      .bigInt({ min: 10n ** 17n, max: INT64.max })
      .map((digits) => ((digits / 10n) * 10n + 7n).toString())
      .filter((digits) => BigInt(digits) <= INT64.max),
  ),
  'a category of six digits': made(fc.integer({ min: 100_001, max: 999_999 }).map(String)),
});

export const digitsOf = ({ value }: Category, usual: string): string =>
  value.startsWith('usual') ? (BigInt(usual) + BigInt(value.slice('usual'.length) || '0')).toString() : value;
