import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { loadSchema } from '../../../base/kernel/config-file.js';
import type { LogRecord } from '../../../log/record.js';
import type { Results } from '../../../outcome/results/results.js';

const ajv = new Ajv2020({ allowUnionTypes: true, strictRequired: false, strictTypes: false, allErrors: true });
formats.default(ajv);
const isResults = ajv.compile(loadSchema('results'));

/** Returns the results in a run's folder; fails the test if they violate the published schema. */
export function resultsIn(directory: string): Results {
  const results = JSON.parse(readFileSync(join(directory, 'results.json'), 'utf8')) as Results;
  assert.ok(isResults(results), JSON.stringify(isResults.errors?.slice(0, 5), null, 2));
  return results;
}

/** Returns the records of a run's log, without a half-written last line. */
export const recordsIn = (directory: string): readonly LogRecord[] =>
  readFileSync(join(directory, 'log.ndjson'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LogRecord);

/** Returns the ids with an outcome. */
export const idsThat = (results: Results, outcome: Results['requirements'][number]['outcome']): readonly string[] =>
  results.requirements.filter((row) => row.outcome === outcome).map(({ id }) => id);
