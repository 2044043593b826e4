import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { exampleProfile, exampleResults } from '../example-run.test.support.js';
import { resultsJson } from '../machine/results-json.js';
import { parseResults, ResultsError } from './parse-results.js';

const whole = exampleResults({ profiles: [exampleProfile(12.5)] });

describe('reading results.json', () => {
  test('gives back what was written', () => assert.deepEqual(parseResults(resultsJson(whole)), whole));

  const [row] = whole.requirements;
  const damaged = [
    ['an empty file', '', 'RESULTS_DAMAGED'],
    ['half a file', resultsJson(whole).slice(0, 5000), 'RESULTS_DAMAGED'],
    ['another file', '[]', 'RESULTS_DAMAGED'],
    ['a version to come', JSON.stringify({ ...whole, schemaVersion: 2 }), 'RESULTS_VERSION'],
    ['no verdict', JSON.stringify({ ...whole, verdict: undefined }), 'RESULTS_DAMAGED'],
    ['an unknown verdict', JSON.stringify({ ...whole, verdict: 'fine' }), 'RESULTS_DAMAGED'],
    ['an unknown outcome', JSON.stringify({ ...whole, requirements: [{ ...row, outcome: 'ok' }] }), 'RESULTS_DAMAGED'],
    ['no date', JSON.stringify({ ...whole, startedAt: 'yesterday' }), 'RESULTS_DAMAGED'],
    ['no target', JSON.stringify({ ...whole, target: null }), 'RESULTS_DAMAGED'],
    ['requirements that are none', JSON.stringify({ ...whole, requirements: [null] }), 'RESULTS_DAMAGED'],
  ] as const;
  for (const [name, text, code] of damaged) {
    test(`${name} is refused`, () => {
      assert.throws(
        () => parseResults(text),
        (error) => error instanceof ResultsError && error.code === code,
      );
    });
  }

  test('no JSON makes it fail otherwise', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        assert.throws(() => parseResults(text), ResultsError);
      }),
    );
  });
});
