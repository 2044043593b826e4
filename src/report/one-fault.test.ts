import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { test } from 'node:test';
import { compareResults } from '../outcome/acceptance/compare.js';
import { comparisonLines } from './terminal/compare-lines.js';
import { renderFinal } from './terminal/reporter.js';
import { ROWS, runOf, violated } from './terminal/synthetic.test.support.js';
import { ctrfReport } from './machine/ctrf.js';
import { junitXml } from './machine/junit.js';
import { inputOf } from './pages/synthetic/run.test.support.js';
import { renderPage } from './pages/render-page.js';

/** One limit that is too high, as three rows show it; the interface's order puts the inference first. */
const findings = [
  violated('rate-remaining-counts', 'Remaining does not count each request.'),
  violated('rate-429', 'The free plan gets more than its allowance.'),
  violated('rate-window', 'The free plan gets more than its allowance in a minute.'),
];

const { results, document, log } = runOf({ findings });

test('a terminal shows a family of limits as one fault, led by the count', () => {
  const text = stripVTControlCharacters(
    renderFinal(
      document,
      log,
      { report: 'r' },
      {
        stream: new Writable(),
        env: { LANG: 'C.UTF-8' },
        reporter: 'auto',
        verbose: false,
        rows: ROWS,
      },
    ),
  );
  assert.match(
    text,
    /✗ rate-429 [^]*?found {6}The free plan gets more[^]*?shows in {3}rate-window: The free plan/,
  );
  assert.match(text, / {18}rate-remaining-counts: Remaining does not count/);
  assert.match(text, /the same fault shows in rate-window and\s+rate-remaining-counts\n/);
  assert.match(text, /NOT CONFORMANT +3 of \d+ required behaviours failed/);
  assert.equal(text.match(/✗ rate-/g)?.length, 2, 'once in its part and once at the end');
});

test('CI systems show which row stands for the fault', () => {
  const xml = junitXml(document);
  assert.match(xml, /name="rate-429"[^]*?message="The free plan gets more than its allowance/);
  assert.match(xml, /name="rate-window"[^]*?message="the same fault as in rate-429: The free plan/);
  const test = ctrfReport(document).results.tests.find(({ name }) => name === 'rate-remaining-counts');
  assert.match(test?.message ?? '', /^the same fault as in rate-429: Remaining/);
  assert.equal(test?.status, 'failed');
});

test('a page lists the fault once, with the other rows below it', () => {
  const page = renderPage(inputOf({ findings }));
  const list = page.slice(page.indexOf('id="fix"'), page.indexOf('id="map"'));
  assert.equal(list.match(/class="row o-failed"/g)?.length, 1);
  assert.match(list, /The same fault shows in <[^]*rate-window[^]*And in <[^]*rate-remaining-counts/);
});

test('rows with equal findings are one line of the page and of the terminal, and a case each for CI systems', () => {
  const alike = (['get-ok', 'get-unknown'] as const).map((id) => violated(id, 'The server returned 500.'));
  const page = renderPage(inputOf({ findings: alike }));
  const list = page.slice(page.indexOf('id="fix"'), page.indexOf('id="map"'));
  assert.equal(list.match(/class="row o-failed"/g)?.length, 1);
  assert.match(list, /The same fault shows in <a class="id" href="#get-unknown">/);
  assert.match(
    junitXml(runOf({ findings: alike }).document),
    /message="the same fault as in get-ok: The server/,
  );
});

test('a comparison names the row that stands for the fault', () => {
  const lines = comparisonLines(compareResults(runOf().results, results), { color: false }).join('\n');
  assert.match(lines, /rate-429[^]*rate-window[^]*the same fault as in rate-429/);
});
