import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../base/kernel/any-text.test.support.js';
import { safeText } from './safe-text.js';

const text = anyText({ maxLength: 200 });

describe('text from a target', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['escapes colours', '\x1b[31mred\x1b[0m', '\\x1b[31mred\\x1b[0m'],
    ['escapes a line break', 'a\r\nb', 'a\\r\\nb'],
    ['escapes a one-byte CSI', '\x9b2J', '\\x9b2J'],
    ['escapes a bidi override', 'a\u202eb', 'a\\u{202e}b'],
    ['escapes zero-width characters', 'a\u200bb\ufeff', 'a\\u{200b}b\\u{feff}'],
    ['escapes half a surrogate pair', 'a\ud800b', 'a\\u{d800}b'],
    ['escapes tag characters', 'a\u{e0041}', 'a\\u{e0041}'],
    ['escapes stacked combining marks', 'e\u0301\u0301\u0301\u0301', 'e\u0301\u0301\\u{0301}\\u{0301}'],
    ['keeps letters of any script', 'naïve 日本 🐈', 'naïve 日本 🐈'],
  ];
  for (const [name, given, expected] of cases) it(name, () => assert.equal(safeText(given, true), expected));

  it('is ASCII if the terminal supports nothing else', () =>
    assert.equal(safeText('a – b… “é”', false), 'a - b... "\\xe9"'));

  it('never contains a control or format character', () =>
    fc.assert(
      fc.property(text, fc.boolean(), (given, unicode) =>
        assert.doesNotMatch(safeText(given, unicode), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u),
      ),
    ));
});
