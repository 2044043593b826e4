import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { getCurrentSpecVersion, validateStrict } from 'ctrf';
import * as fc from 'fast-check';
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

  test('stays valid for any text from the target', () => {
    const sent = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(sent, (text) => {
        const findings = [violated('list-ok', text), violated('auth-challenge', text), observed('list-order', text)];
        validateStrict(JSON.parse(ctrfJson(exampleDocument({ findings }))));
      }),
      { numRuns: 50 },
    );
  });
});
