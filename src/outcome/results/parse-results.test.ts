import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { exampleProfile, exampleResults } from '../../report/example-run.test.support.js';
import { resultsJson } from '../../report/machine/results-json.js';
import { parseResults } from './read-results.js';
import { RunFileError } from '../../base/kernel/errors.js';

const whole = exampleResults({ profiles: [exampleProfile(12.5)] });

describe('reading results.json', () => {
  test('returns the written results', () => assert.deepEqual(parseResults(resultsJson(whole)), whole));

  const [row] = whole.requirements;
  const damaged = [
    ['an empty file', '', 'results-damaged'],
    ['half a file', resultsJson(whole).slice(0, 5000), 'results-damaged'],
    ['a JSON list', '[]', 'results-damaged'],
    ['a newer version', JSON.stringify({ ...whole, schemaVersion: 2 }), 'results-version'],
    ['a missing verdict', JSON.stringify({ ...whole, verdict: undefined }), 'results-damaged'],
    ['an unknown verdict', JSON.stringify({ ...whole, verdict: 'fine' }), 'results-damaged'],
    [
      'an unknown outcome',
      JSON.stringify({ ...whole, requirements: [{ ...row, outcome: 'ok' }] }),
      'results-damaged',
    ],
    ['an invalid date', JSON.stringify({ ...whole, startedAt: 'yesterday' }), 'results-damaged'],
    ['missing counts', JSON.stringify({ ...whole, counts: null }), 'results-damaged'],
    ['a missing target', JSON.stringify({ ...whole, target: null }), 'results-damaged'],
    ['a null requirement', JSON.stringify({ ...whole, requirements: [null] }), 'results-damaged'],
  ] as const;
  for (const [name, text, code] of damaged) {
    test(`${name} is rejected`, () => {
      assert.throws(
        () => parseResults(text),
        (error) => error instanceof RunFileError && error.code === code,
      );
    });
  }

  test('any other JSON is rejected with a RunFileError', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        assert.throws(() => parseResults(text), RunFileError);
      }),
    );
  });
});
