import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  exampleLog,
  exampleResults,
  inconclusive,
  notApplicable,
  observed,
  violated,
  type ExampleChanges,
} from '../../report/example-run.test.support.js';
import { judgeEnvironments } from './environments.js';

const { target } = exampleLog().header;
const production = (changes: ExampleChanges = {}) =>
  exampleResults({ ...changes, header: { target: { ...target, name: 'production' } } });

const SAME = ['conformant', 'passed: each requirement judged on both had the same outcome'];
const DIFFERENT = ['non-conformant', 'failed: 1 requirement had different outcomes'];

describe('environments-agree', () => {
  test('equal outcomes in both environments pass', () => {
    assert.deepEqual(judgeEnvironments(production(), exampleResults()), SAME);
  });

  test('the same failure in both environments passes', () => {
    const findings = [violated('list-ok')];
    assert.deepEqual(judgeEnvironments(production({ findings }), exampleResults({ findings })), SAME);
  });

  const differing = [
    ['passed against failed', [], [violated('list-ok')]],
    ['failed against passed', [violated('list-ok')], []],
    ['passed against warned', [], [violated('auth-challenge')]],
  ] as const;
  for (const [name, one, other] of differing) {
    test(`${name} fails`, () => {
      const judged = judgeEnvironments(production({ findings: one }), exampleResults({ findings: other }));
      assert.deepEqual(judged, DIFFERENT);
    });
  }

  const notCompared = [
    ['inconclusive in one environment', [inconclusive('list-ok')]],
    ['not applicable in one environment', [notApplicable('list-ok')]],
  ] as const;
  for (const [name, findings] of notCompared) {
    test(`a requirement ${name} is not compared`, () => {
      const other = exampleResults({ findings: [violated('list-ok')] });
      assert.deepEqual(judgeEnvironments(production({ findings }), other), SAME);
    });
  }

  test('an observation against a pass, or another observation, is no difference', () => {
    const random = exampleResults({ findings: [observed('list-order', 'random')] });
    const byId = production({ findings: [observed('list-order', 'by id')] });
    assert.deepEqual(judgeEnvironments(byId, random), SAME);
    assert.deepEqual(judgeEnvironments(production(), random), SAME);
  });

  test('an interrupted run, or no common requirement, is inconclusive', () => {
    const nothing = exampleResults({
      findings: exampleResults().requirements.map((row) => notApplicable(row.id)),
    });
    assert.deepEqual(judgeEnvironments(production(), nothing), [
      'inconclusive',
      'could not be determined: no requirement was judged in both runs',
    ]);
    assert.deepEqual(judgeEnvironments(production({ footer: false }), exampleResults()), [
      'inconclusive',
      'could not be determined: a run was cut short, so not everything could be compared',
    ]);
  });

  test('a difference in an interrupted run counts', () => {
    const cut = exampleResults({ footer: false, findings: [violated('list-ok')] });
    assert.deepEqual(judgeEnvironments(production(), cut), DIFFERENT);
  });
});
