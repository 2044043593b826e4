import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from './any-text.test.support.js';
import { cut, segments, visible } from './visible.js';

const wellFormed = (text: string): boolean => !/\p{Cs}/u.test(text);

const CASES: readonly (readonly [string, string])[] = [
  ['plain, 日本語, emoji 🐈', 'plain, 日本語, emoji 🐈'],
  ['line\nfeed\tand tab', 'line\nfeed\tand tab'],
  ['safe\u202Etxt.exe', 'safe[U+202E]txt.exe'],
  ['\u2066isolated\u2069', '[U+2066]isolated[U+2069]'],
  ['zero\u200Bwidth\uFEFF', 'zero[U+200B]width[U+FEFF]'],
  ['nul\0 return\r escape\u001B[31m', 'nul[U+0000] return[U+000D] escape[U+001B][31m'],
  ['half \uD83D pair', 'half [U+D83D] pair'],
  ['tag \u{E0041}', 'tag [U+E0041]'],
];

test('invisible and misleading characters appear as code points; other characters stay unchanged', () => {
  for (const [given, shown] of CASES) assert.equal(visible(given), shown);
});

test('joined segments equal the visible text', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const joined = segments(text)
        .map((segment) => (segment.kind === 'plain' ? segment.text : `[${segment.label}]`))
        .join('');
      assert.equal(joined, visible(text));
    }),
  );
});

test('visible text is well-formed and has no control characters except line feed and tab', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const shown = visible(text);
      assert.ok(wellFormed(shown));
      assert.doesNotMatch(shown, /[\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
      assert.deepEqual(
        shown.match(/\p{Cc}/gu)?.filter((control) => control !== '\n' && control !== '\t') ?? [],
        [],
      );
    }),
  );
});

test('cut keeps the start, counts the omitted characters and splits no surrogate pair', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, length) => {
      const { text: shown, leftOff } = cut(text, length);
      assert.ok(text.startsWith(shown) && shown.length <= Math.max(length, 0));
      assert.equal(shown.length + leftOff, text.length);
      if (wellFormed(text) && length > 0) assert.ok(wellFormed(shown));
    }),
  );
});
