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

describe('environments-agree', () => {
  test('equal outcomes in both environments are kept', () => {
    const [finding, ...others] = judgeEnvironments(production(), exampleResults());
    assert.equal(finding?.kind, 'kept');
    assert.deepEqual(others, []);
  });

  test('the same failure in both environments is kept', () => {
    const findings = [violated('list-ok')];
    assert.equal(judgeEnvironments(production({ findings }), exampleResults({ findings }))[0]?.kind, 'kept');
  });

  const differing = [
    ['passed against failed', [], [violated('list-ok')], 'production: passed; staging: failed'],
    ['failed against passed', [violated('list-ok')], [], 'production: failed; staging: passed'],
    ['passed against warned', [], [violated('auth-challenge')], 'production: passed; staging: warned'],
  ] as const;
  for (const [name, one, other, actual] of differing) {
    test(`${name} is violated`, () => {
      const findings = judgeEnvironments(production({ findings: one }), exampleResults({ findings: other }));
      assert.equal(findings.length, 1);
      const [finding] = findings;
      assert.ok(finding?.kind === 'violated');
      assert.equal(finding.requirement, 'environments-agree');
      assert.equal(finding.actual, actual);
    });
  }

  const notCompared = [
    ['inconclusive in one environment', [inconclusive('list-ok')]],
    ['not applicable in one environment', [notApplicable('list-ok')]],
  ] as const;
  for (const [name, findings] of notCompared) {
    test(`a requirement ${name} is not compared`, () => {
      const judged = judgeEnvironments(
        production({ findings }),
        exampleResults({ findings: [violated('list-ok')] }),
      );
      assert.deepEqual(
        judged.map(({ kind }) => kind),
        ['kept'],
      );
    });
  }

  test('different observations are listed and violate nothing', () => {
    const findings = judgeEnvironments(
      production({ findings: [observed('list-order', 'by id')] }),
      exampleResults({ findings: [observed('list-order', 'random')] }),
    );
    assert.deepEqual(
      findings.map(({ kind }) => kind),
      ['kept', 'observed'],
    );
    assert.deepEqual(findings[1], {
      kind: 'observed',
      requirement: 'environments-agree',
      subject: 'list-order',
      value: 'production: by id | staging: random',
      exchanges: [],
    });
  });

  test('an interrupted run, or no common requirement, is inconclusive', () => {
    const nothing = exampleResults({
      findings: exampleResults().requirements.map((row) => notApplicable(row.id)),
    });
    const reasonOf = (finding = judgeEnvironments(production(), nothing)[0]) =>
      finding?.kind === 'inconclusive' ? finding.reason.code : finding?.kind;
    assert.equal(reasonOf(), 'too-little-data');
    assert.equal(
      reasonOf(judgeEnvironments(production({ footer: false }), exampleResults())[0]),
      'interrupted',
    );
  });

  test('a violation in an interrupted run counts', () => {
    const cut = exampleResults({ footer: false, findings: [violated('list-ok')] });
    assert.deepEqual(
      judgeEnvironments(production(), cut).map(({ kind }) => kind),
      ['violated'],
    );
  });

  test('two targets with the same name are identified by their addresses', () => {
    const [finding] = judgeEnvironments(
      exampleResults({ header: { target: { ...target, baseUrl: 'https://example.com/v1' } } }),
      exampleResults({ findings: [violated('list-ok')] }),
    );
    assert.match(
      finding?.kind === 'violated' ? finding.message : '',
      /^https:\/\/example\.com\/v1 and https:\/\/staging/,
    );
  });
});
