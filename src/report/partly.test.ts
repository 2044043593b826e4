import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateStrict } from 'ctrf';
import type { Finding } from '../judge/findings/finding.js';
import { curlOf } from '../wire/exchange/curl.js';
import { exampleLog, exampleResults } from './example-run.test.support.js';
import { renderPage } from './pages/render-page.js';
import { loadLedger } from '../base/interface/ledger.js';
import { ctrfReport } from './machine/ctrf.js';
import { runDocument } from './run-document.js';
import { junitXml } from './machine/junit.js';
import { resultsJson } from './machine/results-json.js';
import { summaryMarkdown } from './machine/summary.js';
import { readXml } from './strict-xml.test.support.js';
import { partlyBound } from '../outcome/words/outcomes.js';
import { verdictText } from '../outcome/words/bounds.js';
import { publishedCheck } from '../testing/published-check.js';

const requirement = 'list-limit-default';
const WHAT = 'the filter sold (21 animals are needed, 12 are there)';
const findings: readonly Finding[] = [
  { kind: 'kept', requirement, exchanges: ['x1'] },
  { kind: 'untried', requirement, what: WHAT },
];
const results = exampleResults({ findings });
const others = exampleResults();

/** Places that show reduced coverage of a passed row, and never of a fully tested one. */
const SHOWN: Readonly<Record<string, (of: typeof results) => string>> = {
  'results.json': resultsJson,
  'junit.xml': (of) => junitXml(runDocument(of)),
  'ctrf.json': (of) => JSON.stringify(ctrfReport(runDocument(of))),
  'summary.md': (of) => summaryMarkdown(runDocument(of)),
  'the page': (of) =>
    renderPage({
      document: runDocument(of, { requirements: loadLedger().requirements }),
      log: exampleLog(of === results ? { findings } : {}),
      curlOf: (exchange) => curlOf(exchange, { baseUrl: 'https://example.com/v1' }),
    }),
};

for (const [name, shown] of Object.entries(SHOWN))
  test(`${name} states the untested part of a passed requirement`, () => {
    const text = shown(results).replaceAll('\\(', '(').replaceAll('\\)', ')');
    assert.ok(text.includes(WHAT), text.slice(0, 2_000));
    assert.ok(!shown(others).includes(WHAT));
    assert.doesNotMatch(shown(others), /passed with reduced coverage|"partly"/i);
  });

test('results.json allows untested parts only for passed requirements', () => {
  const isValid = publishedCheck('results');
  assert.ok(isValid(JSON.parse(resultsJson(results))), JSON.stringify(isValid.errors));
  const failed = results.requirements.map((row) =>
    row.partly ? { ...row, outcome: 'failed' as const, findings: [{ message: 'm', exchanges: [] }] } : row,
  );
  assert.ok(!isValid(JSON.parse(JSON.stringify({ ...results, requirements: failed }))));
});

test('CI reports show a pass with reduced coverage as passed, with output', () => {
  const report: unknown = JSON.parse(JSON.stringify(ctrfReport(runDocument(results))));
  validateStrict(report);
  const found = report.results.tests.find(({ name }) => name === requirement);
  assert.equal(found?.status, 'passed');
  assert.deepEqual(found.extra, { partly: [WHAT] });
  assert.match(
    junitXml(runDocument(results)),
    new RegExp(
      `name="${requirement}"[^>]*>(?:(?!</testcase>)[^])*<system-out>passed with reduced coverage; not tested: `,
    ),
  );
  assert.ok(readXml(junitXml(runDocument(results))));
});

test('the verdict counts passes with reduced coverage', () => {
  assert.equal(results.verdict, 'conformant');
  assert.match(verdictText(results), /1 of \d+ passed with reduced coverage\./);
  assert.equal(partlyBound(others), null);
  const many = exampleResults({
    findings: (['list-ok', 'get-ok', 'create-ok', 'list-page-full'] as const).flatMap((id): Finding[] => [
      { kind: 'kept', requirement: id, exchanges: ['x1'] },
      { kind: 'untried', requirement: id, what: WHAT },
    ]),
  });
  assert.match(partlyBound(many) ?? '', /^4 of \d+ passed with reduced coverage$/);
});
