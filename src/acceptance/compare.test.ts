import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequirementId } from '../contract/types.js';
import type { Comparison as PageComparison } from '../report/pages/input.js';
import {
  exampleLog,
  exampleResults,
  inconclusive,
  notApplicable,
  observed,
  violated,
} from '../report/example-run.test.support.js';
import { compareResults, kindOf } from './compare.js';

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
  } as const;
  // Rows are the outcomes before, columns those now, in the order of `outcomes`.
  const table = {
    passed: '=WFOIUIU',
    warned: 'P=FOIUIU',
    failed: 'PO=OIUIU',
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
    assert.equal(compareResults(before, after).unchanged, before.requirements.length - 6);
  });

  test('are equal if they have the same observations in another order', () => {
    const one = exampleResults({ findings: [observed('list-order', 'a', 'x'), observed('list-order', 'b', 'x')] });
    const other = exampleResults({ findings: [observed('list-order', 'b', 'x'), observed('list-order', 'a', 'x')] });
    assert.deepEqual(compareResults(one, one).changes, []);
    assert.deepEqual(compareResults(one, other).changes, []);
  });

  test('ignore measured durations and counts in observations', () => {
    assert.deepEqual(changed('ban-observed', 'over after 5.3 s', 'over after 121.3 s'), []);
    assert.equal(changed('ban-observed', 'answered 429, over after 5 s', 'answered 403, over after 5 s').length, 1);
    assert.deepEqual(
      changed('rate-algorithm', 'Fits a window; 58 of 60 were back', 'Fits a window; 60 of 60 were back'),
      [],
    );
    assert.equal(
      changed('rate-algorithm', 'Fits a window; 58 of 60 were back', 'Fits a bucket; 58 of 60 were back').length,
      1,
    );
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
      'Other plans tested: free, business before, free now.',
    ]);
    assert.deepEqual(compareResults(exampleResults(), exampleResults()).remarks, []);
  });
});
