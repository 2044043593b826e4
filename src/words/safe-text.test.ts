import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { harmless } from './safe-text.js';

const text = fc.string({ unit: 'binary', maxLength: 200 });

describe('text from a target', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['colours', '\x1b[31mred\x1b[0m', '\\x1b[31mred\\x1b[0m'],
    ['a line break', 'a\r\nb', 'a\\r\\nb'],
    ['a one-byte CSI', '\x9b2J', '\\x9b2J'],
    ['a bidi override', 'a\u202eb', 'a\\u{202e}b'],
    ['zero width', 'a\u200bb\ufeff', 'a\\u{200b}b\\u{feff}'],
    ['half a pair', 'a\ud800b', 'a\\u{d800}b'],
    ['tags', 'a\u{e0041}', 'a\\u{e0041}'],
    ['a stack of marks', 'e\u0301\u0301\u0301\u0301', 'e\u0301\u0301\\u{0301}\\u{0301}'],
    ['letters of any script', 'naïve 日本 🐈', 'naïve 日本 🐈'],
  ];
  for (const [name, given, expected] of cases) it(name, () => assert.equal(harmless(given, true), expected));

  it('is ASCII where nothing else can be shown', () => assert.equal(harmless('a – b… “é”', false), 'a - b... "\\xe9"'));

  it('never holds a character that does anything', () =>
    fc.assert(
      fc.property(text, fc.boolean(), (given, unicode) =>
        assert.doesNotMatch(harmless(given, unicode), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u),
      ),
    ));
});
