import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseResults } from '../report/across/parse-results.js';
import { FILES } from '../report/files.js';
import { UsageError } from '../run/usage-error.js';
import type { Results } from '../verdict/results.js';

/** The results of a run that is named by its folder or its results.json. Throws UsageError, or ResultsError. */
export function resultsAt(path: string): Results {
  const file = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, FILES.results) : path;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      'report-dir',
      `There are no results at ${path}.`,
      'Name the folder of a run, or its results.json.',
      { cause: error },
    );
  }
  return parseResults(text);
}
