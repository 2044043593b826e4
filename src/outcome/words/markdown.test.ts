import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../base/kernel/any-text.test.support.js';
import { markdownText } from './safe-text.js';

describe('text for Markdown', () => {
  const table = [
    ['keeps prose', 'GET /pets?limit=20 returned 25 (at most 20), Retry-After: 1; "x"'],
    ['escapes a heading', '# x', '&#35; x'],
    ['escapes a list', '- x', '&#45; x'],
    ['escapes a numbered list', '1. x', '1&#46; x'],
    ['keeps the full stop of an address', '127.0.0.1-8080'],
    ['escapes the underline of a heading', '===', '&#61;&#61;&#61;'],
    ['escapes emphasis', '*x* _y_', '&#42;x&#42; &#95;y&#95;'],
    ['escapes code', '`x`', '&#96;x&#96;'],
    ['escapes HTML', '<b>&amp;', '&#60;b&#62;&#38;amp;'],
    ['escapes a link', '[x](y)', '&#91;x&#93;(y)'],
    ['escapes a URL', 'https://x.example', 'https&#58;//x.example'],
    ['escapes a URL without a scheme', 'WWW.x.example', 'WWW&#46;x.example'],
    ['escapes a mention', '@x', '&#64;x'],
    ['escapes an emoji', ':tada:', '&#58;tada&#58;'],
    ['keeps a time', 'at 11:23:22 UTC'],
    ['escapes an emoji of digits', ':100:', '&#58;100&#58;'],
    ['escapes a cell separator', 'a|b', 'a&#124;b'],
    ['escapes a formula', '$x$', '&#36;x&#36;'],
  ] as const;
  for (const [name, text, expected = text] of table)
    test(name, () => assert.equal(markdownText(text), expected));

  test('is one line without markup characters for any text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const written = markdownText(text).replace(/&#\d+;/g, '');
        assert.doesNotMatch(
          written,
          /[\n\r!#$&*<>@[\\\]^_`{|}~]|:(?! |\d\d(?!\d))|^[-+=]|^\d+[.)](\s|$)|\bwww\./i,
        );
      }),
    );
  });
});
