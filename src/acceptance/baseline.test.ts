import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  exampleLog,
  exampleResults,
  fault,
  inconclusive,
  notApplicable,
  violated,
  type ExampleChanges,
} from '../report/example-run.test.support.js';
import type { AcceptedDeviation } from '../log/record.js';
import { parseBaseline } from './baseline.js';
import { exitCodeWithBaseline, judgeBaseline } from '../verdict/judge-baseline.js';
import { ConfigError } from '../contract/errors.js';

const TODAY = '2026-11-20';

const entry = (changes: Partial<AcceptedDeviation> = {}): AcceptedDeviation => ({
  requirement: 'list-ok',
  outcome: 'failed',
  reason: 'mended in the next release',
  link: 'https://tracker.example.com/1',
  expires: '2026-12-31',
  ...changes,
});

const fileOf = (...accepted: readonly object[]): string => JSON.stringify({ schemaVersion: 1, accepted }, null, 2);

describe('a baseline file', () => {
  test('is read from JSON and from YAML', () => {
    const yaml = [
      'schemaVersion: 1',
      'accepted:',
      '  - requirement: list-ok',
      '    outcome: failed',
      '    reason: mended in the next release',
      '    link: https://tracker.example.com/1',
      "    expires: '2026-12-31'",
    ].join('\n');
    const expected = { schemaVersion: 1, accepted: [entry()] };
    assert.deepEqual(parseBaseline(fileOf(entry()), 'baseline.json'), expected);
    assert.deepEqual(parseBaseline(yaml, 'baseline.yaml'), expected);
  });

  const refused = [
    ['no JSON', '{', 'yaml-syntax'],
    ['no list', '{ "schemaVersion": 1 }', 'missing-field'],
    ['another version', '{ "schemaVersion": 2, "accepted": [] }', 'bad-value'],
    ['an unknown member', fileOf({ ...entry(), reasons: 'x' }), 'unknown-name'],
    ['no reason', fileOf({ ...entry(), reason: undefined }), 'missing-field'],
    ['an empty reason', fileOf(entry({ reason: '' })), 'bad-value'],
    ['an outcome that cannot be accepted', fileOf({ ...entry(), outcome: 'error' }), 'bad-value'],
    ['no date', fileOf(entry({ expires: 'soon' })), 'bad-value'],
    ['a date that no calendar has', fileOf(entry({ expires: '2027-02-30' })), 'bad-value'],
    ['a requirement twice', fileOf(entry(), entry({ outcome: 'inconclusive' })), 'duplicate-id'],
  ] as const;
  for (const [name, text, code] of refused) {
    test(`${name} is refused`, () => {
      assert.throws(
        () => parseBaseline(text, 'baseline.json'),
        (error) => error instanceof ConfigError && error.code === code && error.file === 'baseline.json',
      );
    });
  }

  test('a fault names its line', () => {
    assert.throws(
      () => parseBaseline(fileOf(entry(), entry({ requirement: 'get-ok', expires: '2027-02-30' })), 'b.json'),
      (error) => error instanceof ConfigError && error.line === 16,
    );
  });
});

describe('a run judged against a baseline', () => {
  const { scope } = exampleLog().header;
  const failing = { findings: [violated('list-ok')] };
  const table: readonly {
    readonly name: string;
    readonly run: ExampleChanges;
    readonly entries: readonly AcceptedDeviation[];
    readonly problems: readonly string[];
    readonly exit: number;
  }[] = [
    { name: 'nothing accepted, nothing deviates', run: {}, entries: [], problems: [], exit: 0 },
    { name: 'exactly the accepted deviation', run: failing, entries: [entry()], problems: [], exit: 0 },
    { name: 'good through its last day', run: failing, entries: [entry({ expires: TODAY })], problems: [], exit: 0 },
    { name: 'expired', run: failing, entries: [entry({ expires: '2026-11-19' })], problems: ['expired'], exit: 1 },
    { name: 'stale', run: {}, entries: [entry()], problems: ['stale'], exit: 1 },
    {
      name: 'an unknown id',
      run: {},
      entries: [entry({ requirement: 'list-okay' as 'list-ok' })],
      problems: ['unmatched'],
      exit: 1,
    },
    {
      name: 'another outcome, which is then not accepted either',
      run: { findings: [inconclusive('list-ok')] },
      entries: [entry()],
      problems: ['unmatched', 'unaccepted'],
      exit: 1,
    },
    {
      name: 'no longer tested',
      run: { findings: [notApplicable('list-ok')] },
      entries: [entry()],
      problems: ['unmatched'],
      exit: 1,
    },
    { name: 'a failure that nobody accepted', run: failing, entries: [], problems: ['unaccepted'], exit: 1 },
    {
      name: 'a failure beside the accepted one',
      run: { findings: [violated('list-ok'), violated('get-ok')] },
      entries: [entry()],
      problems: ['unaccepted'],
      exit: 1,
    },
    {
      name: 'a must that is inconclusive',
      run: { findings: [inconclusive('list-ok')] },
      entries: [],
      problems: ['unaccepted'],
      exit: 3,
    },
    {
      name: 'one that is accepted as inconclusive',
      run: { findings: [inconclusive('list-ok')] },
      entries: [entry({ outcome: 'inconclusive' })],
      problems: [],
      exit: 0,
    },
    {
      name: 'a warning needs no entry',
      run: { findings: [violated('auth-challenge')] },
      entries: [],
      problems: [],
      exit: 0,
    },
    {
      name: 'a warning may have one',
      run: { findings: [violated('auth-challenge')] },
      entries: [entry({ requirement: 'auth-challenge', outcome: 'warned' })],
      problems: [],
      exit: 0,
    },
    {
      name: 'a fault of the kit',
      run: { findings: [fault('list-ok')] },
      entries: [],
      problems: ['unaccepted'],
      exit: 2,
    },
    {
      name: 'a fault of the kit where a failure was accepted',
      run: { findings: [fault('list-ok')] },
      entries: [entry()],
      problems: ['unmatched', 'unaccepted'],
      exit: 2,
    },
    { name: 'cut short', run: { ...failing, footer: false }, entries: [entry()], problems: ['incomplete'], exit: 1 },
    { name: 'cut short with no failure', run: { footer: false }, entries: [], problems: ['incomplete'], exit: 3 },
    {
      name: 'nothing judged',
      run: { findings: exampleResults().requirements.map((row) => notApplicable(row.id)) },
      entries: [],
      problems: ['nothing-judged'],
      exit: 3,
    },
    {
      name: 'an entry that the selection left out',
      run: { header: { scope: { ...scope, selection: { requirements: ['get-ok'] }, selected: ['get-ok'] } } },
      entries: [entry()],
      problems: [],
      exit: 0,
    },
  ];
  for (const { name, run, entries, problems, exit } of table) {
    test(name, () => {
      const results = exampleResults(run);
      const judgement = judgeBaseline(results, { accepted: entries }, TODAY);
      assert.deepEqual(
        judgement.problems.map(({ kind }) => kind),
        problems,
      );
      assert.equal(judgement.ok, problems.length === 0);
      assert.equal(exitCodeWithBaseline(judgement, results.verdict), exit);
      for (const { message } of judgement.problems) assert.match(message, /^\S.+\.$/);
    });
  }

  test('names the entries that were met and those that could not be', () => {
    const selected = ['get-ok', 'list-ok'] as const;
    const results = exampleResults({
      header: { scope: { ...scope, selection: { requirements: selected }, selected } },
      findings: [violated('list-ok')],
    });
    const other = entry({ requirement: 'create-ok' });
    const { accepted, setAside } = judgeBaseline(results, { accepted: [entry(), other] }, TODAY);
    assert.deepEqual([accepted, setAside], [[entry()], [other]]);
  });
});
