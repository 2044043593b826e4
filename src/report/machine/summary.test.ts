import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../base/kernel/any-text.test.support.js';
import {
  exampleLog,
  exampleDocument,
  exampleExchange,
  exampleResults,
  fault,
  HOSTILE,
  inconclusive,
  notApplicable,
  observed,
  violated,
} from '../example-run.test.support.js';
import { runDocument } from '../run-document.js';
import { summaryMarkdown } from './summary.js';

/** All the HTML that the summary itself writes. */
const OWN_TAGS = /<\/?(?:details|summary|code)>/g;

const lines = (text: string): string[] => {
  const { header } = exampleLog();
  const results = exampleResults({
    header: { target: { ...header.target, name: text } },
    findings: [violated('list-ok', text), inconclusive('get-ok', text), observed('list-order', text, text)],
  });
  return summaryMarkdown(runDocument(results)).split('\n');
};

describe('summary.md', () => {
  const table = [
    ['has a heading for a conformant run', {}, '## ✅ Conformant'],
    ['has a heading for a failed run', { findings: [violated('list-ok')] }, '## ❌ Not conformant'],
    ['has a heading for an inconclusive run', { findings: [inconclusive('list-ok')] }, '## ⚠️ Inconclusive'],
    ['has a heading for an error of the kit', { findings: [fault('list-ok')] }, '## ⚠️ Kit fault'],
    [
      'has a heading for an error outside any requirement',
      { fault: 'TypeError: x is undefined\n    at somewhere' },
      '## ⚠️ Kit fault',
    ],
    ['has a heading for an interrupted run', { footer: false }, '## ⚠️ Interrupted'],
  ] as const;
  for (const [name, changes, heading] of table) {
    test(name, () => assert.equal(summaryMarkdown(exampleDocument(changes)).split('\n')[0], heading));
  }

  test('names only plans that the run tested', () => {
    const { scope } = exampleLog().header;
    const header = { scope: { ...scope, plans: ['free', 'business'] as const } };
    const exchanges = [exampleExchange()];
    assert.match(
      summaryMarkdown(runDocument(exampleResults({ header, exchanges }))),
      /^\| Plans tested \| Business \|$/m,
    );
  });

  test('shows an error of the kit outside any requirement, without its stack', () => {
    const text = summaryMarkdown(exampleDocument({ fault: 'TypeError: x is undefined\n    at somewhere' }));
    assert.match(text, /^### Kit fault\n\nTypeError: x is undefined$/m);
    assert.doesNotMatch(text, /at somewhere/);
  });

  test('lists failed, inconclusive, warned and untested requirements', () => {
    const findings = [
      violated('list-ok'),
      inconclusive('get-ok'),
      violated('auth-challenge'),
      notApplicable('create-ok'),
    ];
    const markdown = summaryMarkdown(exampleDocument({ findings }));
    assert.match(markdown, /### Failed \(1\)\n\n- \*\*list-ok\*\*/);
    assert.match(
      markdown,
      /### Inconclusive \(1\)\n\n- \*\*get-ok\*\*[^\n]*\n {2}- the store holds too few animals/,
    );
    assert.match(markdown, /### Warnings \(1\)\n\n- \*\*auth-challenge\*\*/);
    assert.match(markdown, /- \*\*create-ok\*\*: set aside/);
    assert.match(markdown, /expected: <code>the target answers 500<\/code>/);
  });

  test('names inconclusive requirements with one reason together', () => {
    const findings = [inconclusive('list-ok'), inconclusive('get-ok')];
    assert.match(
      summaryMarkdown(exampleDocument({ findings })),
      /### Inconclusive \(2\)\n\n- \*\*list-ok\*\*, \*\*get-ok\*\*: the store holds too few animals\n/,
    );
  });

  test('states how many findings it omits', () => {
    const many = Array.from({ length: 10 }, (_, index) =>
      violated('list-ok', `finding ${String.fromCharCode(97 + index)}`),
    );
    assert.match(summaryMarkdown(exampleDocument({ findings: many })), /7 more findings in the report/);
  });

  test('stays small if every requirement fails with long text', () => {
    const findings = exampleResults().requirements.map((row) => violated(row.id, '<'.repeat(100_000)));
    assert.ok(summaryMarkdown(exampleDocument({ findings })).length < 1_000_000);
  });

  test('contains no markup or HTML from the target', () => {
    const shape = lines('x').map((line) => line.length > 0);
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...HOSTILE), anyText()), (text) => {
        const written = lines(`${text}x`);
        assert.deepEqual(
          written.map((line) => line.length > 0),
          shape,
          'no line more, none fewer',
        );
        for (const line of written) {
          assert.doesNotMatch(line.replaceAll(OWN_TAGS, ''), /[<>]/);
          assert.doesNotMatch(line, /\]\(|!\[|https?:\/\/|@/);
          if (line.startsWith('| ')) assert.ok([3, 4].includes(line.split('|').length - 1), 'no cell more');
        }
      }),
      { numRuns: 60 },
    );
  });
});
