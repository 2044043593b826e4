import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import * as fc from 'fast-check';
import { exampleLog, exampleResults, HOSTILE, observed, violated } from '../example-run.test.support.js';
import { readXml } from '../strict-xml.test.support.js';
import { compareResults } from './compare.js';
import { comparisonMarkdown } from './compare-markdown.js';
import { comparisonPage } from './compare-page.js';
import { comparisonSentence } from './compare-sentence.js';
import { comparisonLines } from './compare-terminal.js';

const comparison = compareResults(
  exampleResults({ findings: [observed('list-order', 'by id')] }),
  exampleResults({ findings: [violated('list-ok'), observed('list-order', 'random')] }),
);
const nothing = compareResults(exampleResults(), exampleResults());

/** A comparison in which everything that a target or a user can choose is one text. */
function hostile(text: string) {
  const { target } = exampleLog().header;
  return compareResults(
    exampleResults({ findings: [observed('list-order', 'by id', text)] }),
    exampleResults({ header: { target: { ...target, name: text } }, findings: [observed('list-order', text, text)] }),
  );
}

const texts = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary' }));

describe('a comparison in one sentence', () => {
  test('counts the changes', () => {
    assert.equal(
      comparisonSentence(comparison),
      'staging since 2026-11-20 10:00:00 UTC: 2 requirements changed: 1 newly failing and 1 observed otherwise.',
    );
  });
  test('says when there are none', () => assert.match(comparisonSentence(nothing), /: nothing changed\.$/));
});

describe('a comparison for the terminal', () => {
  test('plain', () => {
    assert.deepEqual(comparisonLines(comparison, { color: false }).slice(0, 10), [
      'before  staging  2026-11-20 10:00:00 UTC  conformant',
      'now     staging  2026-11-20 10:00:00 UTC  not conformant',
      '',
      'Newly failing',
      '  ✗ list-ok  passed -> failed',
      '',
      'Observed otherwise',
      '  ~ list-order',
      '      before  by id',
      '      now     random',
    ]);
  });

  test('colour adds nothing but colour', () => {
    const plain = comparisonLines(comparison, { color: false });
    const coloured = comparisonLines(comparison, { color: true });
    assert.notDeepEqual(coloured, plain);
    assert.deepEqual(
      coloured.map((line) => stripVTControlCharacters(line)),
      plain,
    );
  });

  test('whatever is observed, no line breaks and no terminal obeys', () => {
    const shape = comparisonLines(hostile('x'), { color: false }).length;
    fc.assert(
      fc.property(texts, (text) => {
        const lines = comparisonLines(hostile(`${text}x`), { color: false });
        assert.equal(lines.length, shape);
        for (const line of lines) assert.doesNotMatch(line, /\p{Cc}|\p{Cs}|\p{Bidi_Control}/u);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a comparison as Markdown', () => {
  test('has a table a kind', () => {
    const markdown = comparisonMarkdown(comparison);
    assert.match(
      markdown,
      /### Newly failing \(1\)\n\n\| Requirement \| Before \| Now \|\n\|---\|---\|---\|\n\| list-ok \| <code>passed<\/code> \| <code>failed<\/code> \|\n/,
    );
    assert.match(markdown, /### Observed otherwise \(1\)/);
    assert.doesNotMatch(comparisonMarkdown(nothing), /###/);
  });

  test('whatever is observed, it is neither markup nor HTML', () => {
    const shape = comparisonMarkdown(hostile('x')).split('\n').length;
    fc.assert(
      fc.property(texts, (text) => {
        const lines = comparisonMarkdown(hostile(`${text}x`)).split('\n');
        assert.equal(lines.length, shape);
        for (const line of lines) {
          assert.doesNotMatch(line.replaceAll(/<\/?code>/g, ''), /[<>]/);
          assert.doesNotMatch(line, /\]\(|https?:\/\/|@/);
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** The elements of a page, in order, without their attributes. */
const skeleton = (html: string): readonly string[] => [...html.matchAll(/<\/?[a-z0-9]+/g)].map(([tag]) => tag);

/** The page's own HTML is written so that the strict reader takes it, once what XML does not know is put aside. */
function readPage(html: string) {
  const body = html
    .replace('<!doctype html>', '')
    .replace(/<style>[^<]*<\/style>/, '')
    .replaceAll(/<meta ([^>]*?)\/?>/g, '<meta $1/>')
    .replaceAll(/[\ufffe\uffff]|\]\]>/g, '');
  return readXml(body.trim());
}

describe('a comparison as a page', () => {
  test('shows what changed', () => {
    const html = comparisonPage(comparison);
    assert.match(html, /Newly failing \(1\)/);
    assert.match(html, /<th scope="row">list-ok<\/th><td>passed<\/td><td>failed<\/td>/);
    readPage(html);
  });

  test('needs no script and no network', () => {
    const html = comparisonPage(comparison);
    assert.doesNotMatch(html, /<script|https?:\/\/(?!www\.w3\.org)|@import|url\(/);
  });

  test('whatever is observed, the page has the same elements', () => {
    const shape = skeleton(comparisonPage(hostile('x')));
    fc.assert(
      fc.property(texts, (text) => {
        const html = comparisonPage(hostile(`${text}x`));
        assert.deepEqual(skeleton(html), shape);
        readPage(html);
      }),
      { numRuns: 60 },
    );
  });
});
