import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../base/kernel/any-text.test.support.js';
import {
  exampleExchange,
  exampleProfile,
  exampleResults,
  fault,
  HOSTILE,
  inconclusive,
  notApplicable,
  observed,
  violated,
} from '../example-run.test.support.js';
import { resultsJson } from './results-json.js';
import { publishedCheck } from '../../testing/published-check.js';

const validate = publishedCheck('results');

function assertValid(json: string): void {
  assert.ok(validate(JSON.parse(json)), JSON.stringify(validate.errors?.slice(0, 3)));
}

describe('results.json', () => {
  const table = [
    ['a conformant run', {}],
    [
      'a run with every outcome',
      {
        findings: [
          violated('list-ok'),
          violated('auth-challenge'),
          inconclusive('get-ok'),
          notApplicable('create-ok'),
          fault('pet-shape'),
          observed('list-order', 'by id', 'plain'),
        ],
        profiles: [exampleProfile(12.5)],
      },
    ],
    ['an interrupted run', { footer: false }],
  ] as const;
  for (const [name, changes] of table) {
    test(`${name} follows the published schema`, () => assertValid(resultsJson(exampleResults(changes))));
  }

  test('the schema detects a missing member', () => {
    const { verdict: _, ...rest } = exampleResults();
    assert.equal(validate(rest), false);
  });

  test('any text from the target is read back unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...HOSTILE), anyText()), (text) => {
        const findings = [violated('list-ok', `sent: ${text}`)];
        const json = resultsJson(
          exampleResults({ findings, exchanges: [exampleExchange({ text, header: text })] }),
        );
        assertValid(json);
        assert.deepEqual(
          JSON.parse(json),
          exampleResults({ findings, exchanges: [exampleExchange({ text, header: text })] }),
        );
      }),
      { numRuns: 50 },
    );
  });
});
