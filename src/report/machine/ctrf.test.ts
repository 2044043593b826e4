import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { getCurrentSpecVersion, getSchema, validateStrict } from 'ctrf';
import * as fc from 'fast-check';
import { anyText } from '../../base/kernel/any-text.test.support.js';
import { ctrfJson, ctrfReport } from './ctrf.js';
import {
  exampleDocument,
  fault,
  HOSTILE,
  inconclusive,
  notApplicable,
  observed,
  violated,
} from '../example-run.test.support.js';

describe('ctrf.json', () => {
  test('is valid for the ctrf package, in its spec version', () => {
    const report: unknown = JSON.parse(ctrfJson(exampleDocument({ findings: [violated('list-ok')] })));
    validateStrict(report);
    assert.equal(report.specVersion, getCurrentSpecVersion());
  });

  test('names the build of the target as its version, and repeats a request as a command line', () => {
    const document = exampleDocument({ header: { label: '2.4.1' }, findings: [violated('list-ok')] });
    const { environment, tests, extra } = ctrfReport(document, () => 'curl -sSi https://x').results;
    assert.equal(environment?.appVersion, '2.4.1');
    assert.equal(extra?.['interface'], '1.0.0');
    assert.match(tests.find(({ name }) => name === 'list-ok')?.trace ?? '', /^curl: +curl -sSi/m);
  });

  const table = [
    ['passed', violated('auth-challenge'), 'warned'],
    ['failed', violated('list-ok'), 'failed'],
    ['failed', fault('list-ok'), 'error'],
    ['failed', inconclusive('list-ok'), 'inconclusive'],
    ['skipped', inconclusive('auth-challenge'), 'inconclusive'],
    ['skipped', notApplicable('list-ok'), 'not-applicable'],
    ['passed', observed('list-order', 'by id'), 'observed'],
  ] as const;
  for (const [status, finding, rawStatus] of table) {
    test(`${finding.kind} of ${finding.requirement} is ${status}`, () => {
      const { tests, summary } = ctrfReport(exampleDocument({ findings: [finding] })).results;
      const found = tests.find(({ name }) => name === finding.requirement);
      assert.equal(found?.status, status);
      assert.equal(found.rawStatus, rawStatus);
      assert.equal(summary.failed, status === 'failed' ? 1 : 0);
      assert.equal(summary.passed + summary.failed + summary.skipped, summary.tests);
      assert.equal(summary.tests, tests.length);
    });
  }

  test('has a failed test for an interrupted run', () => {
    const { tests, summary } = ctrfReport(exampleDocument({ footer: false })).results;
    assert.equal(tests[0]?.name, 'run');
    assert.equal(tests[0].status, 'failed');
    assert.ok(summary.failed > 0);
  });

  test('names commit, branch and build of the CI system, and keeps each test’s id', () => {
    const ci = {
      system: 'GitHub Actions',
      commit: '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12',
      branch: 'feature/x',
      build: '71',
      number: '5',
      name: 'ci',
      url: 'https://github.example.com/pets/store/actions/runs/71',
    };
    const report = ctrfReport(exampleDocument({ header: { ci } }));
    validateStrict(JSON.parse(JSON.stringify(report)));
    const { environment, tests } = report.results;
    assert.deepEqual(environment, {
      testEnvironment: 'staging',
      appName: 'https://staging.example.com/v1',
      buildId: '71',
      buildName: 'ci',
      buildUrl: ci.url,
      commit: ci.commit,
      branchName: 'feature/x',
      buildNumber: 5,
    });
    const idOf = (name: string) => tests.find((one) => one.name === name)?.id;
    // Written down, because tools follow a test by it from run to run.
    assert.equal(idOf('list-ok'), 'fcd0789e-b100-5032-a8d3-baf4b4685ea5');
    assert.equal(new Set(tests.map(({ id }) => id)).size, tests.length);
    const again = ctrfReport(exampleDocument({ findings: [violated('list-ok')] })).results.tests;
    assert.equal(again.find(({ name }) => name === 'list-ok')?.id, idOf('list-ok'));
  });

  test('stays valid for any text from the target', () => {
    // The package compiles its schema for each document.
    const ajv = new Ajv({ allErrors: true });
    formats.default(ajv);
    const isValid = ajv.compile(getSchema(getCurrentSpecVersion()));
    const sent = fc.oneof(fc.constantFrom(...HOSTILE), anyText());
    fc.assert(
      fc.property(sent, (text) => {
        const findings = [
          violated('list-ok', text),
          violated('auth-challenge', text),
          observed('list-order', text),
        ];
        assert.ok(
          isValid(JSON.parse(ctrfJson(exampleDocument({ findings })))),
          JSON.stringify(isValid.errors),
        );
      }),
      { numRuns: 50 },
    );
  });
});
