import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import {
  exampleLog,
  exampleResults,
  fault,
  HOSTILE,
  inconclusive,
  notApplicable,
  observed,
  violated,
} from '../example-run.test.support.js';
import { summaryMarkdown } from './summary.js';

/** All the HTML that the summary itself writes. */
const OWN_TAGS = /<\/?(?:details|summary|code)>/g;

const lines = (text: string): string[] => {
  const { header } = exampleLog();
  const results = exampleResults({
    header: { target: { ...header.target, name: text } },
    findings: [violated('list-ok', text), inconclusive('get-ok', text), observed('list-order', text, text)],
  });
  return summaryMarkdown(results).split('\n');
};

describe('summary.md', () => {
  const table = [
    ['conformant', {}, '## ✅ Conformant'],
    ['failed', { findings: [violated('list-ok')] }, '## ❌ Not conformant'],
    ['inconclusive', { findings: [inconclusive('list-ok')] }, '## ⚠️ Inconclusive'],
    ['a fault of the kit', { findings: [fault('list-ok')] }, '## ⚠️ Fault of the kit'],
    ['a fault outside of any row', { fault: 'TypeError: x is undefined\n    at somewhere' }, '## ⚠️ Fault of the kit'],
    ['cut short', { footer: false }, '## ❌ Interrupted'],
  ] as const;
  for (const [name, changes, heading] of table) {
    test(name, () => assert.equal(summaryMarkdown(exampleResults(changes)).split('\n')[0], heading));
  }

  test('names a fault of the kit that belongs to no row, without its stack', () => {
    const text = summaryMarkdown(exampleResults({ fault: 'TypeError: x is undefined\n    at somewhere' }));
    assert.match(text, /^### Fault of the kit\n\nTypeError: x is undefined$/m);
    assert.doesNotMatch(text, /at somewhere/);
  });

  test('lists what failed, what is open, what warns and what was not tested', () => {
    const findings = [
      violated('list-ok'),
      inconclusive('get-ok'),
      violated('auth-challenge'),
      notApplicable('create-ok'),
    ];
    const markdown = summaryMarkdown(exampleResults({ findings }));
    assert.match(markdown, /### Failed \(1\)\n\n- \*\*list-ok\*\*/);
    assert.match(markdown, /### Inconclusive \(1\)\n\n- \*\*get-ok\*\*[^\n]*\n {2}- the store holds too few animals/);
    assert.match(markdown, /### Warnings \(1\)\n\n- \*\*auth-challenge\*\*/);
    assert.match(markdown, /- \*\*create-ok\*\*: set aside/);
    assert.match(markdown, /expected <code>the target answers 500<\/code>/);
  });

  test('says how many findings it leaves out', () => {
    const many = Array.from({ length: 10 }, (_, index) =>
      violated('list-ok', `finding ${String.fromCharCode(97 + index)}`),
    );
    assert.match(summaryMarkdown(exampleResults({ findings: many })), /7 more findings in the report/);
  });

  test('stays small when everything fails at length', () => {
    const findings = exampleResults().requirements.map((row) => violated(row.id, '<'.repeat(100_000)));
    assert.ok(summaryMarkdown(exampleResults({ findings })).length < 1_000_000);
  });

  test('whatever the target sends, it is neither markup nor HTML', () => {
    const shape = lines('x').map((line) => line.length > 0);
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary' })), (text) => {
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
