import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { comparisonSentence } from '../../report/comparison-sentence.js';
import type { Finding } from '../../judge/findings/finding.js';
import type { RequirementId } from '../../base/interface/types.js';
import type { Comparison as PageComparison } from '../../report/pages/input.js';
import {
  exampleExchange,
  exampleLog,
  exampleResults,
  inconclusive,
  notApplicable,
  observed,
  violated,
  withoutKinds,
} from '../../report/example-run.test.support.js';
import { compareResults, hasNewFailure } from './compare.js';
import { kindOf } from './row-change.js';

/** Returns the results of a run with one observed value. */
const seen = (id: RequirementId, value: string) => exampleResults({ findings: [observed(id, value)] });

const changed = (id: RequirementId, one: string, other: string) =>
  compareResults(seen(id, one), seen(id, other)).changes;

describe('the kind of an outcome change', () => {
  const outcomes = [
    'passed',
    'warned',
    'failed',
    'observed',
    'inconclusive',
    'not-applicable',
    'error',
    'absent',
  ] as const;
  const words = {
    '=': undefined,
    F: 'newly-failing',
    1: 'first-failing',
    W: 'newly-warned',
    P: 'newly-passing',
    I: 'newly-open',
    U: 'newly-untested',
    T: 'newly-tested',
    O: 'outcome-changed',
    N: 'not-confirmed',
  } as const;
  // Rows are the outcomes before, columns those now, in the order of `outcomes`.
  const table = {
    passed: '=WFOIUIU',
    warned: 'P=FOIUIU',
    failed: 'PO=ONNNN',
    observed: 'OWF=IUIU',
    inconclusive: 'TT1T=OOO',
    'not-applicable': 'TT1TI=IO',
    error: 'TT1TOO=O',
    absent: 'TT1TIOI=',
  } as const;
  for (const before of outcomes)
    test(`from ${before}`, () => {
      for (const [index, after] of outcomes.entries())
        assert.equal(kindOf(before, after), words[table[before][index] as keyof typeof words], `to ${after}`);
    });
});

const rangeAnswers = (...values: string[]) =>
  exampleResults({
    findings: values.map((value, index) => observed('list-limit-out-of-range', value, `limit=${index}`)),
  });

describe('two compared runs', () => {
  test('list changed requirements, worst first, and count the unchanged ones', () => {
    const before = exampleResults({
      findings: [
        violated('create-ok'),
        inconclusive('list-limit-max-items'),
        observed('list-order', 'by id'),
        observed('events', ''),
      ],
    });
    const after = exampleResults({
      findings: [
        violated('list-ok'),
        notApplicable('get-ok'),
        violated('auth-challenge'),
        observed('list-order', 'random'),
      ],
    });
    const comparison: PageComparison = compareResults(before, after);
    assert.deepEqual(comparison.changes, [
      { id: 'list-ok', kind: 'newly-failing', before: 'passed', after: 'failed' },
      { id: 'auth-challenge', kind: 'newly-warned', before: 'passed', after: 'warned' },
      { id: 'get-ok', kind: 'newly-untested', before: 'passed', after: 'not-applicable' },
      { id: 'create-ok', kind: 'newly-passing', before: 'failed', after: 'passed' },
      { id: 'list-limit-max-items', kind: 'newly-tested', before: 'inconclusive', after: 'passed' },
      { id: 'list-order', kind: 'observation-changed', before: 'by id', after: 'random' },
    ]);
    const judged = compareResults(before, before).covered.both;
    const { same } = compareResults(before, after).covered;
    assert.equal(same, judged - 5);
  });

  test('count no row as the same that a run had not selected', () => {
    const { scope } = exampleLog().header;
    const whole = exampleResults();
    const one = exampleResults({
      header: { scope: { ...scope, selection: { requirements: ['list-ok'] }, selected: ['list-ok'] } },
    });
    const { changes, covered } = compareResults(whole, one);
    assert.deepEqual([changes, covered.same], [[], 1]);
    assert.equal(covered.onlyBefore.all, compareResults(whole, whole).covered.both - 1);
  });

  test('are equal if they have the same observations in another order', () => {
    const one = exampleResults({
      findings: [observed('list-order', 'a', 'x'), observed('list-order', 'b', 'x')],
    });
    const other = exampleResults({
      findings: [observed('list-order', 'b', 'x'), observed('list-order', 'a', 'x')],
    });
    assert.deepEqual(compareResults(one, one).changes, []);
    assert.deepEqual(compareResults(one, other).changes, []);
  });

  test('ignore measured durations and counts in observations', () => {
    assert.deepEqual(changed('ban-observed', 'over after 5.3 s', 'over after 121.3 s'), []);
    assert.equal(
      changed('ban-observed', 'answered 429, over after 5 s', 'answered 403, over after 5 s').length,
      1,
    );
    assert.deepEqual(
      changed('rate-algorithm', 'Fits a window; 58 of 60 were back', 'Fits a window; 60 of 60 were back'),
      [],
    );
    assert.equal(
      changed('rate-algorithm', 'Fits a window; 58 of 60 were back', 'Fits a bucket; 58 of 60 were back')
        .length,
      1,
    );
  });

  test('do not differ by a guess where one run could not tell, or where one guess fits both', () => {
    const unknown =
      'Could not be told from 2,369 responses: on a busy machine, or from few responses, none fits';
    assert.deepEqual(changed('rate-algorithm', unknown, 'Fits a bucket; 58 of 60 were back'), []);
    assert.deepEqual(changed('rate-algorithm', 'Fits no known algorithm; x', 'Fits a bucket'), []);
    assert.deepEqual(changed('rate-algorithm', 'Fits a window, or a bucket', 'Fits a bucket'), []);
    const guessed = exampleResults({ findings: [observed('rate-algorithm', 'Fits a bucket')] });
    const open = exampleResults({ findings: [inconclusive('rate-algorithm')] });
    assert.deepEqual(compareResults(open, guessed).changes, []);
    assert.deepEqual(compareResults(guessed, open).changes, []);
  });

  test('show only the observations that differ', () => {
    assert.deepEqual(compareResults(rangeAnswers('400', '400'), rangeAnswers('400', '200', '422')).changes, [
      {
        id: 'list-limit-out-of-range',
        kind: 'observation-changed',
        before: 'limit=1: 400; limit=2: not seen',
        after: 'limit=1: 200; limit=2: 422',
      },
    ]);
  });

  test('show a requirement unknown to one kit version as absent', () => {
    const whole = exampleResults();
    const older = { ...whole, requirements: whole.requirements.filter((row) => row.id !== 'list-ok') };
    assert.deepEqual(compareResults(older, whole).changes, [
      { id: 'list-ok', kind: 'newly-tested', before: 'absent', after: 'passed' },
    ]);
    assert.deepEqual(compareResults(whole, older).changes, [
      { id: 'list-ok', kind: 'newly-untested', before: 'passed', after: 'absent' },
    ]);
  });

  test('have remarks that explain differences not caused by the target', () => {
    const { scope, target } = exampleLog().header;
    const odd = exampleResults({
      header: {
        scope: { ...scope, plans: ['free'], selection: { only: 'suites' } },
        target: { ...target, name: 'production' },
        kit: { name: 'petstore-conformance', version: '0.9.0' },
      },
      footer: false,
    });
    const { remarks } = compareResults(exampleResults(), odd);
    assert.deepEqual(remarks, [
      'The later run was cut short.',
      'The later run judged only a selection of the requirements.',
      'Another target: staging before, production now.',
      'Another version of the kit: 1.0.0 before, 0.9.0 now.',
      'Other plans tested: free and business before, free now.',
    ]);
    assert.deepEqual(compareResults(exampleResults(), exampleResults()).remarks, []);
    const part = exampleResults({ header: { scope: { ...scope, selection: { only: 'suites' } } } });
    assert.deepEqual(compareResults(part, part).remarks, [
      'Both runs judged only a selection of the requirements.',
    ]);
  });
});

/** Returns a violation that an exchange shows. */
const on = (id: string): Finding => ({
  kind: 'violated',
  requirement: 'declared-status',
  message: 'the target answers 500',
  exchanges: [id],
});

describe('a row that is violated in both runs', () => {
  const POST = { ...exampleExchange({ id: 'x2' }), operation: 'createPet' as const };
  const run = (...findings: readonly Finding[]) =>
    exampleResults({ findings, exchanges: [exampleExchange(), POST] });
  test('is still failing, otherwise than before, where a finding has another kind', () => {
    const comparison = compareResults(run(on('x1')), run(on('x2')));
    assert.deepEqual(comparison.changes, [
      { id: 'declared-status', kind: 'failing-otherwise', before: 'listPets', after: 'createPet' },
    ]);
    assert.equal(hasNewFailure(comparison), true);
    assert.match(
      comparisonSentence(comparison),
      /is worse than .*: still failing, otherwise than before: declared-status\.$/,
    );
  });

  test('is worse with a further kind, and not with fewer', () => {
    const more = compareResults(run(on('x1')), run(on('x1'), on('x2')));
    assert.deepEqual(
      more.changes.map(({ kind, before, after }) => [kind, before, after]),
      [['failing-otherwise', '', 'createPet']],
    );
    assert.equal(
      more.sides.get('declared-status')?.after?.findings.length,
      1,
      'only the new finding is shown',
    );
    const fewer = compareResults(run(on('x1'), on('x2')), run(on('x1')));
    assert.deepEqual(
      fewer.changes.map(({ kind }) => kind),
      ['failing-less'],
    );
    assert.equal(hasNewFailure(fewer), false);
  });

  test('is unchanged with the same kinds, and beside results of an earlier kit', () => {
    const [one, other] = [run(on('x1')), run(on('x2'))];
    assert.deepEqual(compareResults(one, run(on('x1'))).changes, []);
    const older = withoutKinds(one);
    assert.deepEqual(compareResults(older, other).changes, []);
  });
});

test('a pass with reduced coverage does not confirm that a failed row is fixed', () => {
  const passed = exampleResults({
    findings: [
      { kind: 'kept', requirement: 'list-ok', exchanges: ['x1'] },
      { kind: 'untried', requirement: 'list-ok', what: 'a longer page' },
    ],
  });
  const comparison = compareResults(exampleResults({ findings: [violated('list-ok')] }), passed, {
    earlier: () => [exampleResults()],
  });
  assert.deepEqual(
    comparison.changes.map(({ id, kind }) => [id, kind]),
    [['list-ok', 'not-confirmed']],
  );
  assert.match(
    comparisonSentence(comparison),
    /differs from .*: not confirmed as fixed: list-ok \(not tested: a longer page\)\.$/,
  );
});

const traffic = (...findings: readonly Finding[]) =>
  exampleResults({
    header: { scope: { ...exampleLog().header.scope, sides: ['service'] } },
    isTraffic: true,
    findings,
  });

test('a pass in traffic does not confirm that a row is fixed that failed in a run', () => {
  const run = exampleResults({ findings: [violated('list-ok')] });
  assert.match(
    comparisonSentence(compareResults(run, traffic())),
    /differs from .*: not confirmed as fixed: list-ok \(traffic may not have the request that failed\)\.$/,
  );
  assert.match(
    comparisonSentence(compareResults(traffic(violated('list-ok')), traffic())),
    /fixed: list-ok\.$/,
  );
});
