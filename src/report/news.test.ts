import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../base/interface/ledger.js';
import type { AcceptedDeviation } from '../log/header-record.js';
import type { Finding } from '../judge/findings/finding.js';
import { compareResults } from '../outcome/acceptance/compare.js';
import { resultsOf } from '../outcome/results/results.js';
import type { Exchange } from '../wire/exchange/types.js';
import { EXAMPLE_HEADER } from './example-header.test.support.js';
import { exampleExchange, exampleLog, exampleResults, violated } from './example-run.test.support.js';
import { annotationsOf } from './machine/annotations.js';
import { caseGroups } from './machine/cases.js';
import { summaryMarkdown } from './machine/summary.js';
import { todoMarkdown } from './machine/todo.js';
import { renderPage } from './pages/render-page.js';
import { runDocument } from './run-document.js';
import { RATE_HEADERS } from '../base/interface/rate-headers.js';

const LEDGER = loadLedger().requirements;

/** A creation that should be refused with 400, and is answered otherwise. */
const creation = (id: string, body: string, status: number): Exchange => ({
  ...exampleExchange({ id, text: '{}' }),
  operation: 'createPet',
  intent: { kind: 'expects', statuses: [400], chargedTo: 'create-invalid-value' },
  request: { method: 'POST', path: '/v1/pets', headers: [], body },
  answer: { kind: 'response', status, headers: [['Content-Type', 'application/json']], text: '{}' },
});

const wrong = (id: string, what: string, status: number): Finding => ({
  kind: 'violated',
  requirement: 'create-invalid-value',
  message: `“POST /pets, ${what}” got ${status}`,
  expected: '400',
  actual: String(status),
  exchanges: [id],
});

const KNOWN = ['name null', 'name 5', 'categoryId null', 'categoryId true', 'status null'];
const BODIES = [
  '{"name":null,"categoryId":1}',
  '{"name":5,"categoryId":1}',
  '{"name":"a","categoryId":null}',
];
const EXCHANGES = [
  ...KNOWN.map((_, at) =>
    creation(`k${at}`, BODIES[at] ?? `{"name":"a","categoryId":1,"status":${at}}`, 422),
  ),
  creation('n1', '[]', 201),
];
const OLD = KNOWN.map((what, at) => wrong(`k${at}`, what, 422));
const NEW = wrong('n1', '[]', 201);

const accepting = (found: readonly string[]): AcceptedDeviation => ({
  requirement: 'create-invalid-value',
  outcome: 'failed',
  found: [...found],
  reason: 'agreed',
  link: 'https://tracker.example.com/1',
  expires: '2099-01-31',
});

const kindsOf = (results: ReturnType<typeof exampleResults>): readonly string[] =>
  results.requirements
    .find(({ id }) => id === 'create-invalid-value')
    ?.findings.flatMap(({ kind }) => kind ?? []) ?? [];

function documentOf(
  findings: readonly Finding[],
  { before, found }: { readonly before?: readonly Finding[]; readonly found?: readonly string[] } = {},
) {
  const acceptance = found && { certificate: false, baseline: true, accepted: [accepting(found)] };
  const log = exampleLog({ findings, exchanges: EXCHANGES, ...(acceptance && { header: { acceptance } }) });
  const results = resultsOf(log, LEDGER);
  const earlier = before && exampleResults({ findings: before, exchanges: EXCHANGES });
  const comparison = earlier ? compareResults(earlier, results) : null;
  return { log, comparison, document: runDocument(results, { log, requirements: LEDGER, comparison }) };
}

/** What each report says of the row in its shortest form. */
function saidOf({ log, document, comparison }: ReturnType<typeof documentOf>) {
  const [annotation = ''] = annotationsOf(document).filter((line) => line.includes('create-invalid-value'));
  const cases = caseGroups(document).flatMap((group) => group.cases);
  const headline = cases.find(({ id }) => id === 'create-invalid-value')?.headline ?? '';
  const page = renderPage({ document, log, proof: null, comparison, curlOf: () => 'curl' });
  const fix = /<section id="fix">(.*?)<\/section>/s.exec(page)?.[1] ?? '';
  const todo = todoMarkdown(document, EXAMPLE_HEADER, () => 'curl');
  return { annotation, headline, fix: fix.replaceAll(/<[^>]*>/g, ''), todo };
}

test('another answer than the one expected most often is in the first line of every report', () => {
  for (const text of Object.values(saidOf(documentOf([...OLD, NEW])))) {
    assert.match(text, /got 422/);
    assert.match(text, /\[\]” got 201/);
  }
});

test('what a baseline does not accept comes first, and says so', () => {
  const found = kindsOf(exampleResults({ findings: OLD, exchanges: EXCHANGES }));
  for (const text of Object.values(saidOf(documentOf([...OLD, NEW], { found })))) {
    assert.match(text, /not accepted: .{0,60}\[\]” got 201/is);
    assert.ok(text.indexOf('got 201') < text.indexOf('got 422'), text);
  }
});

test('what the earlier run did not find comes first, and says so', () => {
  for (const text of Object.values(saidOf(documentOf([...OLD, NEW], { before: OLD })))) {
    assert.match(text, /new: .{0,60}\[\]” got 201/is);
    assert.ok(text.indexOf('got 201') < text.indexOf('got 422'), text);
  }
  for (const text of Object.values(saidOf(documentOf([...OLD, NEW], { before: [...OLD, NEW] }))))
    assert.doesNotMatch(text, /new: /i);
});

test('a row that newly fails comes before those that failed already', () => {
  const before = [violated('list-ok', 'the listing got 500')];
  const { document } = documentOf([...before, violated('get-ok', 'the fetch got 404')], { before });
  assert.deepEqual(
    document.faults.map(({ lead, isNew }) => [lead.id, isNew]),
    [
      ['get-ok', true],
      ['list-ok', false],
    ],
  );
  const [first = ''] = annotationsOf(document);
  assert.match(first, /title=get-ok/);
});

test('a row without an entry in the baseline comes before one whose entry does not fit', () => {
  const { document } = documentOf([violated('list-ok'), ...OLD], { found: ['createPet: 500'] });
  assert.deepEqual(
    document.faults.map(({ lead }) => lead.id),
    ['list-ok', 'create-invalid-value'],
  );
});

const malformed = (expected: string, actual: string): Finding => ({
  kind: 'violated',
  requirement: 'rate-headers-wellformed',
  message: 'The free plan got a malformed rate header.',
  plan: 'free',
  expected,
  actual,
  exchanges: [],
});

test('two malformed headers of one plan are two findings, of which neither hides the other', () => {
  const findings = [
    malformed('Reset in Unix seconds', `${RATE_HEADERS.reset}: 1790000000000 (on 3 responses of 9)`),
    malformed('an integer, 0 or more', `${RATE_HEADERS.remaining}: -1 (on 1 response of 9)`),
    malformed('an integer, 0 or more', `${RATE_HEADERS.remaining}: -2 (on 2 responses of 9)`),
    malformed('an integer, 0 or more', `${RATE_HEADERS.remaining}: 7.5 (on 2 responses of 9)`),
  ];
  const { document } = documentOf(findings);
  const row = document.rows.find(({ id }) => id === 'rate-headers-wellformed');
  assert.deepEqual(
    row?.groups.map(({ first }) => /Re\w+: \S+/.exec(first.actual ?? '')?.[0]),
    ['Reset: 1790000000000', 'Remaining: -1', 'Remaining: 7.5'],
  );
});

test('the first screens say what changed since the last run, and which build that was', () => {
  const before = exampleResults({
    header: { label: '2.4.0' },
    findings: [violated('list-ok'), violated('get-unknown')],
  });
  const log = exampleLog({ header: { label: '2.4.1' }, findings: [violated('list-ok'), violated('get-ok')] });
  const results = resultsOf(log, LEDGER);
  const comparison = compareResults(before, results);
  const document = runDocument(results, { log, requirements: LEDGER, comparison });
  const words = 'since the run of 2026-11-20 10:00 UTC (build 2.4.0): 1 new, 1 fixed';
  assert.equal(document.since, words);
  assert.ok(summaryMarkdown(document).includes('1 new, 1 fixed'));
  const page = renderPage({ document, log, proof: null, comparison, curlOf: () => 'curl' });
  const head = page.slice(0, page.indexOf('<main')).replaceAll(/<[^>]*>/g, '');
  assert.ok(head.toLowerCase().includes(words.toLowerCase()), head.slice(-900));
});

test('“New” and “Known” are headings of the list', () => {
  const known = violated('get-ok', 'the animal is missing');
  const log = exampleLog({ findings: [violated('list-ok'), known] });
  const results = resultsOf(log, LEDGER);
  const comparison = compareResults(exampleResults({ findings: [known] }), results);
  const document = runDocument(results, { log, requirements: LEDGER, comparison });
  const page = renderPage({ document, log, proof: null, comparison, curlOf: () => 'curl' });
  assert.match(page, /<h3>New *<span class="note"> against.*list-ok.*<h3>Known<\/h3>.*get-ok/s);
});
