import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogRecord } from '../../../log/record.js';
import type { Results } from '../../../outcome/results/results.js';
import { expectPublished } from './results-schema.js';

/** Returns the results in a run's folder; fails the test if they violate the published schema. */
export function resultsIn(directory: string): Results {
  const results = JSON.parse(readFileSync(join(directory, 'results.json'), 'utf8')) as Results;
  expectPublished(results);
  return results;
}

/** Returns the records of a run's log, without a half-written last line. */
export const recordsIn = (directory: string): readonly LogRecord[] =>
  readFileSync(join(directory, 'log.ndjson'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LogRecord);

/** Is true if a row is open because this machine, or the way to the server, was too slow to measure it. */
export const isOpenBySlowness = ({ reason }: Results['requirements'][number]): boolean =>
  reason?.code === 'machine-busy' || reason?.code === 'slow-responses';

/** Returns the ids with an outcome. */
export const idsThat = (
  results: Results,
  outcome: Results['requirements'][number]['outcome'],
): readonly string[] => results.requirements.filter((row) => row.outcome === outcome).map(({ id }) => id);
