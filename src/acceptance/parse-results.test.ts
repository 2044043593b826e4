import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { exampleProfile, exampleResults } from '../report/example-run.test.support.js';
import { resultsJson } from '../report/machine/results-json.js';
import { parseResults, ResultsError } from './read-results.js';

const whole = exampleResults({ profiles: [exampleProfile(12.5)] });

describe('reading results.json', () => {
  test('gives back what was written', () => assert.deepEqual(parseResults(resultsJson(whole)), whole));

  const [row] = whole.requirements;
  const damaged = [
    ['an empty file', '', 'results-damaged'],
    ['half a file', resultsJson(whole).slice(0, 5000), 'results-damaged'],
    ['another file', '[]', 'results-damaged'],
    ['a version to come', JSON.stringify({ ...whole, schemaVersion: 2 }), 'results-version'],
    ['no verdict', JSON.stringify({ ...whole, verdict: undefined }), 'results-damaged'],
    ['an unknown verdict', JSON.stringify({ ...whole, verdict: 'fine' }), 'results-damaged'],
    ['an unknown outcome', JSON.stringify({ ...whole, requirements: [{ ...row, outcome: 'ok' }] }), 'results-damaged'],
    ['no date', JSON.stringify({ ...whole, startedAt: 'yesterday' }), 'results-damaged'],
    ['no counts', JSON.stringify({ ...whole, counts: null }), 'results-damaged'],
    ['no target', JSON.stringify({ ...whole, target: null }), 'results-damaged'],
    ['requirements that are none', JSON.stringify({ ...whole, requirements: [null] }), 'results-damaged'],
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
