import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequirementId } from '../../base/interface/types.js';
import { resultsOf, type Results } from '../../outcome/results/results.js';
import { passedWords } from '../../outcome/words/required-count.js';
import { exampleResults, violated, inconclusive } from '../example-run.test.support.js';
import { ROWS } from '../pages/synthetic/run.test.support.js';
import { STATES } from '../pages/synthetic/states.test.support.js';
import { attribute, readXml } from '../strict-xml.test.support.js';
import { runDocument } from '../run-document.js';
import { badgeOf } from './badge.js';
import { ctrfReport } from './ctrf.js';
import { junitXml } from './junit.js';
import { summaryMarkdown } from './summary.js';

const accepted = (requirement: RequirementId, outcome: 'failed' | 'inconclusive') => ({
  requirement,
  outcome,
  reason: 'agreed',
  link: 'https://tracker.example.com/1',
  expires: '2027-01-31',
});

/** Converts JUnit's seconds to ms. */
const ms = (text: string | undefined) => Math.round(Number(text) * 1_000);

/** All states of the page, some with a baseline. */
const RUNS: Readonly<Record<string, Results>> = {
  ...Object.fromEntries(Object.entries(STATES).map(([name, state]) => [name, resultsOf(state().log, ROWS)])),
  'accepted-in-part': withAccepted(
    exampleResults({ findings: [violated('list-ok'), violated('get-ok'), inconclusive('create-ok')] }),
    [accepted('get-ok', 'failed'), accepted('create-ok', 'inconclusive')],
  ),
};

function withAccepted(results: Results, entries: NonNullable<Results['accepted']>): Results {
  const until = new Map(entries.map(({ requirement, expires }) => [requirement, expires]));
  const requirements = results.requirements.map((row) => {
    const acceptedUntil = until.get(row.id);
    return acceptedUntil === undefined ? row : { ...row, acceptedUntil };
  });
  return { ...results, requirements, accepted: entries };
}

for (const [name, results] of Object.entries(RUNS))
  describe(`${name}: all reports have the same counts`, () => {
    const document = runDocument(results);
    const { counts, requirements } = results;
    const agreed = new Set((results.accepted ?? []).map(({ requirement }) => requirement));
    const openMusts = requirements.filter(
      ({ id, level, outcome }) => level === 'must' && outcome === 'inconclusive' && !agreed.has(id),
    ).length;
    const failed = requirements.filter(({ id, outcome }) => outcome === 'failed' && !agreed.has(id)).length;
    const root = readXml(junitXml(document));
    const cases = root.children.flatMap(({ children }) =>
      children.filter((child) => child.name === 'testcase'),
    );
    const own = cases.some((element) => attribute(element, 'name') === 'run') ? 1 : 0;
    const rows = results.obstacle ? 0 : requirements.length;

    test('the verdict’s counts match its requirements', () => {
      for (const [outcome, count] of Object.entries(counts))
        assert.equal(count, requirements.filter((row) => row.outcome === outcome).length, outcome);
      assert.equal(
        failed + (results.accepted ?? []).filter(({ outcome }) => outcome === 'failed').length,
        counts.failed,
      );
    });

    test('JUnit counts match', () => {
      assert.equal(attribute(root, 'tests'), String(rows + own));
      assert.equal(cases.length, rows + own);
      if (results.obstacle) return;
      assert.equal(attribute(root, 'failures'), String(failed));
      assert.equal(attribute(root, 'errors'), String(counts.error + openMusts + own));
      const skipped = root.children.reduce((sum, suite) => sum + Number(attribute(suite, 'skipped')), 0);
      const openShoulds = requirements.filter(
        ({ level, outcome }) => level !== 'must' && outcome === 'inconclusive',
      ).length;
      assert.equal(skipped, counts['not-applicable'] + openShoulds + agreed.size);
      const properties = root.children[0]?.children[0]?.children ?? [];
      for (const [outcome, count] of Object.entries(counts)) {
        const told = properties.find((property) => attribute(property, 'name') === `count.${outcome}`);
        assert.equal(told && attribute(told, 'value'), String(count), outcome);
      }
    });

    test('CTRF counts match', () => {
      const { summary, tests, extra } = ctrfReport(document).results;
      assert.equal(summary.tests, rows + own);
      if (!results.obstacle) assert.equal(summary.failed, failed + counts.error + openMusts + own);
      assert.deepEqual(extra?.['counts'], counts);
      if (!results.obstacle)
        for (const [outcome, count] of Object.entries(counts))
          assert.equal(
            tests.filter(({ rawStatus, name: id }) => rawStatus === outcome && id !== 'run').length,
            count,
            outcome,
          );
    });

    test('summary counts match', () => {
      const markdown = summaryMarkdown(document);
      if (results.obstacle) return;
      assert.ok(markdown.includes(`${counts.passed} passed`));
      assert.ok(markdown.includes(`${counts.failed} failed`));
      const headed = (heading: string) =>
        Number(new RegExp(`^### ${heading} \\((\\d+)\\)`, 'm').exec(markdown)?.[1] ?? 0);
      assert.equal(headed('Failed'), failed);
      assert.equal(headed('Faults of the kit'), counts.error);
      assert.equal(headed('Accepted'), agreed.size);
    });

    test('badge counts match', () => {
      const { message } = badgeOf(results);
      if (results.verdict === 'non-conformant' && results.complete)
        assert.ok(message.startsWith(`${failed} of `), message);
    });

    test('durations add up to the duration of the run', () => {
      assert.equal(ms(attribute(root, 'time')), results.durationMs);
      assert.equal(
        cases.reduce((sum, element) => sum + ms(attribute(element, 'time')), 0),
        results.durationMs,
      );
      assert.equal(
        root.children.reduce((sum, suite) => sum + ms(attribute(suite, 'time')), 0),
        results.durationMs,
      );
      const { tests, summary } = ctrfReport(document).results;
      assert.equal(
        tests.reduce((sum, { duration }) => sum + duration, 0),
        summary.duration,
      );
    });
  });

test('where nothing was judged, no report counts 0 of 0', () => {
  const some = exampleResults();
  const requirements = some.requirements.map((row) => ({
    ...row,
    outcome: 'not-applicable' as const,
    reason: { code: 'not-observed' as const, text: 'no client sent it' },
    findings: [],
  }));
  const results: Results = { ...some, verdict: 'inconclusive', requirements };
  const document = runDocument(results);
  const texts = [badgeOf(results).message, summaryMarkdown(document), junitXml(document, () => '')];
  for (const text of [...texts, passedWords(results)]) assert.doesNotMatch(text, /\b0 of 0\b|\b0\/0\b/);
});
