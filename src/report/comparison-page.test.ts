import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { exampleResults, inconclusive, notApplicable, violated } from './example-run.test.support.js';
import { readXml } from './strict-xml.test.support.js';
import { compareResults } from '../outcome/acceptance/compare.js';
import { comparisonMarkdown } from './markdown.js';
import { comparisonPage } from './pages/compare-page.js';
import { comparisonDocument } from './comparison.js';
import { comparisonLines } from './terminal/compare-lines.js';
import { comparison, hostile, texts, labelled, at } from './comparison.test.support.js';

/** Returns the elements of a page, in order, without attributes. */
const skeleton = (html: string): readonly string[] =>
  [...html.replaceAll(SHOWN_AS_POINT, '').matchAll(/<\/?[a-z0-9]+/g)].map(([tag]) => tag);

/** A hidden character, as the page shows it. */
const SHOWN_AS_POINT = /<span class="hidden-character">U\+[0-9A-F]+<\/span>/g;

/** Parses the page's HTML with the strict reader, after removing what XML does not know. */
function readPage(html: string) {
  const body = html
    .replace('<!doctype html>', '')
    .replace(/<style>[^<]*<\/style>/, '')
    .replaceAll(/<meta ([^>]*?)\/?>/g, '<meta $1/>')
    .replaceAll(/[\ufffe\uffff]|\]\]>/g, '');
  return readXml(body.trim());
}

describe('a comparison as a page', () => {
  test('shows the changes', () => {
    const html = comparisonPage(comparison);
    assert.match(html, /Newly failing \(1\)/);
    assert.match(html, /passed, on 1 response/);
    assert.match(html, /<dt>Expected<\/dt><dd>.*the target answers 500/);
    assert.doesNotMatch(html, /its card/);
    readPage(html);
  });

  test('links to both reports if they are known', () => {
    const html = comparisonPage(comparison, { before: '../a/index.html', after: './b%20c/index.html' });
    for (const link of ['../a/index.html', '../a/index.html#list-ok', './b%20c/index.html#list-ok'])
      assert.ok(html.includes(`href="${link}"`), link);
    readPage(html);
  });

  test('separates inconclusive from untested requirements', () => {
    const html = comparisonPage(
      compareResults(
        exampleResults(),
        exampleResults({ findings: [inconclusive('list-ok'), notApplicable('create-ok')] }),
      ),
    );
    assert.match(html, /Newly inconclusive \(1\).*list-ok.*the store holds too few animals/s);
    assert.match(html, /No longer tested \(1\).*create-ok.*set aside/s);
  });

  test('shows requirements that fail in both runs', () => {
    const both = exampleResults({ findings: [violated('get-ok')] });
    assert.match(comparisonPage(compareResults(both, both)), /Failing in both \(1\).*get-ok/s);
  });

  test('needs no script and no network', () => {
    const html = comparisonPage(comparison);
    assert.doesNotMatch(html, /<script|(?:href|src)="https?:|@import|url\(/);
  });

  test('has the same elements for any text from the target', () => {
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

test('each earlier run of a baseline is named with its time, its build and its report', () => {
  const compared = compareResults(labelled('1.4'), labelled('1.5'), {
    baseline: [labelled('1.2'), labelled('1.3')],
  });
  const places = { before: 'a.html', after: 'd.html', baseline: ['b.html', null] };
  const { runs } = comparisonDocument(compared, places);
  assert.deepEqual(
    runs.rows.map(({ cells: [run, , build, started] }) => [run?.text, build?.text, started?.link]),
    [
      ['Before', 'build 1.4', 'a.html'],
      ['Baseline', 'build 1.2', 'b.html'],
      ['Baseline', 'build 1.3', undefined],
      ['Now', 'build 1.5', 'd.html'],
    ],
  );
  assert.match(comparisonPage(compared, places), /build 1\.2.*href="b\.html".*build 1\.3/s);
  assert.match(
    comparisonLines(compared, { color: false }).join('\n'),
    /^baseline .*build 1\.2.*\nbaseline .*build 1\.3/m,
  );
  assert.match(comparisonMarkdown(compared), /Baseline.*build 1\.2/);
});

test('a row shows the run of its earlier result, and what was not tested of it', () => {
  const green = exampleResults({ header: { ...at(1), label: '1.4' } });
  const dead = exampleResults({ header: at(2), findings: [inconclusive('list-ok'), violated('get-ok')] });
  const now = exampleResults({
    header: at(3),
    findings: [
      violated('list-ok'),
      { kind: 'kept', requirement: 'get-ok', exchanges: ['x1'] },
      { kind: 'untried', requirement: 'get-ok', what: 'a second animal' },
    ],
  });
  const compared = compareResults(dead, now, { earlier: () => [green] });
  const places = { before: '../dead/index.html', after: '../now/index.html' };
  const lines = comparisonLines(compared, { color: false }).join('\n');
  assert.match(lines, /before {2}passed, on 1 response, in the run on 2026-11-01 03:00 UTC, build 1\.4$/m);
  assert.match(lines, /now {5}passed, on 1 response; not tested: a second animal$/m);
  const page = comparisonPage(compared, places);
  assert.match(page, /in the run on 2026-11-01\s03:00\sUTC, build 1\.4/);
  assert.match(page, /not tested: .*a second animal/);
  assert.doesNotMatch(
    page,
    /dead\/index\.html#list-ok/,
    'its card there is that of a row that was not judged',
  );
  assert.match(comparisonMarkdown(compared), /in the run on 2026-11-01 03:00 UTC, build 1\.4/);
  const partly = exampleResults({
    header: at(1),
    findings: [
      { kind: 'kept', requirement: 'list-ok', exchanges: ['x1'] },
      { kind: 'untried', requirement: 'list-ok', what: 'one more animal, '.repeat(20) },
    ],
  });
  const long = comparisonLines(compareResults(dead, now, { earlier: () => [partly] }), { color: false });
  assert.match(long.join('\n'), /more characters\), in the run on 2026-11-01 03:00 UTC$/m);
});
