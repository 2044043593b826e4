import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { markdownText } from './markdown.js';

describe('text for Markdown', () => {
  const table = [
    ['prose stays', 'GET /pets?limit=20 returned 25 (at most 20), Retry-After: 1; "x"'],
    ['a heading', '# x', '&#35; x'],
    ['a list', '- x', '&#45; x'],
    ['a numbered list', '1. x', '1&#46; x'],
    ['the underline of a heading', '===', '&#61;&#61;&#61;'],
    ['emphasis', '*x* _y_', '&#42;x&#42; &#95;y&#95;'],
    ['code', '`x`', '&#96;x&#96;'],
    ['HTML', '<b>&amp;', '&#60;b&#62;&#38;amp;'],
    ['a link', '[x](y)', '&#91;x&#93;(y)'],
    ['an address', 'https://x.example', 'https&#58;//x.example'],
    ['an address without a scheme', 'WWW.x.example', 'WWW&#46;x.example'],
    ['a mention', '@x', '&#64;x'],
    ['an emoji', ':tada:', '&#58;tada&#58;'],
    ['a time', 'at 11:23:22 UTC'],
    ['an emoji of digits', ':100:', '&#58;100&#58;'],
    ['a cell', 'a|b', 'a&#124;b'],
    ['a formula', '$x$', '&#36;x&#36;'],
  ] as const;
  for (const [name, text, expected = text] of table) test(name, () => assert.equal(markdownText(text), expected));

  test('whatever comes, it is one line without a mark that begins anything', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const written = markdownText(text).replace(/&#\d+;/g, '');
        assert.doesNotMatch(written, /[\n\r!#$&*<>@[\\\]^_`{|}~]|:(?! |\d\d(?!\d))|^[-+=]|^\d+[.)]|\bwww\./i);
      }),
    );
  });
});
