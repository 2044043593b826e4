import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequirementId } from '../../base/interface/types.js';
import type { Finding } from '../../judge/findings/finding.js';
import { exampleExchange, exampleResults, inconclusive, violated } from '../example-run.test.support.js';
import { markdownItems } from '../machine/block-markdown.js';
import { junitXml } from '../machine/junit.js';
import { summaryMarkdown } from '../machine/summary.js';
import { runDocument } from '../run-document.js';
import { behindRow, faultBlocks, gistBlocks, labelWords, said, type FaultBlock } from './blocks.js';

const documentOf = (findings: readonly Finding[]) => runDocument(exampleResults({ findings }));
const wordsOf = (blocks: readonly FaultBlock[]) => blocks.map((block) => labelWords(block) + said(block));

const FAMILY = documentOf([
  violated('rate-429', 'Too many are allowed.'),
  violated('rate-window', 'The window is short.', { expected: '60 s', actual: '10 s' }),
]);

test('a fault says its finding in full, then the other rows in which it shows with theirs', () => {
  const [fault] = FAMILY.faults;
  assert.ok(fault);
  assert.deepEqual(wordsOf(faultBlocks(fault, { findings: 1 })), [
    'found: Too many are allowed.',
    'expected: Too many are allowed.',
    'received: Too many are allowed.',
    'see: ',
    'the same fault shows in rate-window: The window is short: expected 60 s, received 10 s',
  ]);
  assert.deepEqual(wordsOf(gistBlocks(fault, 3, false)), [
    'found: Too many are allowed.',
    'the same fault shows in rate-window',
  ]);
});

const LISTING = 'GET /pets?limit=100';

/** Says the gist of a row whose finding has this message, and shows in a probe's exchange. */
function gistOf(message: string, probe: string, id: RequirementId = 'json-media-type'): string | undefined {
  const findings = [violated('json-media-type', message, { expected: 'JSON', actual: 'text' })];
  const exchanges = [{ ...exampleExchange(), probe }];
  const [fault] = runDocument(exampleResults({ findings, exchanges })).faults;
  assert.ok(fault);
  return wordsOf(gistBlocks({ ...fault, lead: { ...fault.lead, id } }, 1, false))[0];
}

test('a gist names the request that its finding does not name', () => {
  const unnamed = 'The body is text.';
  assert.equal(gistOf(unnamed, LISTING), 'found: “GET /pets?limit=100”: The body is text: expected JSON');
  assert.equal(gistOf(unnamed, 'listing'), 'found: The body is text: expected JSON');
  // A client's fault is in what it sent, which the finding says.
  assert.equal(gistOf(unnamed, LISTING, 'client-int64'), 'found: The body is text: expected JSON');
  assert.equal(
    gistOf('“GET /pets/1” got text', 'GET /pets/1'),
    'found: “GET /pets/1” got text: expected JSON',
  );
});

test('reports that show no exchange name the request of each finding that does not', () => {
  const findings = [
    violated('auth-missing-key', 'a request without a key got 200', { expected: '401', actual: '200' }),
    violated('auth-missing-key', '“GET /pets” got 500', { expected: '401', actual: '500' }),
  ];
  const exchanges = [{ ...exampleExchange(), probe: 'GET /pets/1' }];
  const document = runDocument(exampleResults({ findings, exchanges }));
  const summary = summaryMarkdown(document);
  assert.match(summary, /- found: “GET \/pets\/1”: a request without a key got 200\n/);
  assert.match(summary, /- found: “GET \/pets” got 500\n/);
  assert.match(junitXml(document), /<failure message="“GET \/pets\/1”: a request without a key got 200/);
  const [fault] = document.faults;
  assert.ok(fault);
  // A card shows the exchange itself.
  assert.equal(wordsOf(faultBlocks(fault, { findings: 1 }))[0], 'found: a request without a key got 200');
});

test('of findings with one message, the message is said once', () => {
  const [fault] = documentOf(
    ['401', '403'].map((actual) => violated('list-ok', 'It fails.', { expected: 'a text', actual })),
  ).faults;
  assert.ok(fault);
  assert.deepEqual(wordsOf(gistBlocks(fault, 3, false)), [
    'found: It fails: expected a text, received 401',
    'also: expected a text, received 403',
  ]);
});

test('a row refers to the row that stands for its fault', () => {
  const row = FAMILY.rows.find(({ id }) => id === 'rate-window');
  assert.ok(row);
  assert.deepEqual(wordsOf(behindRow(row)), ['the same fault as in rate-429']);
});

test('a likely cause is said at one row, which names the others', () => {
  const row = FAMILY.rows.find(({ id }) => id === 'rate-429');
  assert.ok(row);
  const cause = { words: 'One counter too many', title: '', saidAt: row.id, others: ['get-ok' as const] };
  assert.deepEqual(wordsOf(behindRow({ ...row, cause })), [
    'looks like: One counter too many',
    'it also explains get-ok',
  ]);
  assert.deepEqual(wordsOf(behindRow({ ...row, cause: { ...cause, saidAt: 'get-ok' } })), [
    'same cause as get-ok',
  ]);
});

test('findings beyond the amount have a line each, and the rest is counted', () => {
  const findings = ['a', 'b', 'c', 'd', 'e'].map((name, at) =>
    violated('list-ok', `${name} fails.`, { expected: `${at}00`, actual: 'x' }),
  );
  const [fault] = documentOf(findings).faults;
  assert.ok(fault);
  const labels = faultBlocks(fault, { findings: 1, briefFindings: 2 }).map(({ label }) => label);
  assert.deepEqual(labels, ['found', 'expected', 'received', 'see', 'also', 'also', 'and']);
  assert.equal(
    wordsOf(faultBlocks(fault, { findings: 1, briefFindings: 2 })).at(-1),
    'and 2 more findings in the report',
  );
  const gist = wordsOf(gistBlocks(fault, 1, true));
  assert.deepEqual(gist.slice(1), ['and 4 more findings']);
});

test('blocks name the rows that a fault blocks, in each report', () => {
  const results = exampleResults({ findings: [violated('list-ok'), inconclusive('list-page-full')] });
  const document = runDocument({
    ...results,
    requirements: results.requirements.map((row) =>
      row.id === 'list-page-full' ? { ...row, heldUpBy: ['list-ok'] } : row,
    ),
  });
  const words = 'it blocks list-page-full';
  const [fault] = document.faults;
  assert.equal(fault && wordsOf(faultBlocks(fault, { findings: 1 })).at(-1), words);
  assert.ok(summaryMarkdown(document).includes(`\n  - ${words}\n`));
  assert.ok(junitXml(document).includes(`\n${words}</failure>`));
});

test('Markdown formats each name, value and sentence by what it is', () => {
  const rows: readonly RequirementId[] = ['get-ok', 'list-ok'];
  const items = markdownItems(
    [
      { label: 'found', news: 'new: ', text: 'It <fails>', values: 'expected 1' },
      { label: 'received', text: '<b>' },
      { label: 'shows in', rows, text: '' },
      { label: 'and', text: '2 more findings' },
    ],
    { indent: '', text: (told) => `(${told})`, code: (value) => `[${value}]` },
  );
  assert.deepEqual(items, [
    '- found: new: (It <fails>: expected 1)',
    '  - received: [<b>]',
    '- the same fault shows in (get-ok) and (list-ok)',
    '- and 2 more findings',
  ]);
});
