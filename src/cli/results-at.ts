import { join } from 'node:path';
import { isFolder } from '../contract/places.js';
import { ResultsError } from '../acceptance/parse-results.js';
import { readResults } from '../acceptance/read-results.js';
import { FILES } from '../report/files.js';
import { UsageError } from '../contract/usage-error.js';
import type { Results } from '../verdict/results.js';

/** The results of a run that is named by its folder or its results.json. Throws UsageError, or ResultsError. */
export function resultsAt(path: string): Results {
  try {
    return readResults(isFolder(path) ? join(path, FILES.results) : path);
  } catch (error) {
    if (!(error instanceof ResultsError)) throw error;
    if (error.code !== 'results-unreadable')
      throw new ResultsError(error.code, `${path}: ${error.message}`, { cause: error });
    throw new UsageError(
      'report-dir',
      `There are no results at ${path}: ${error.message}.`,
      'Name the folder of a run, or its results.json.',
      { cause: error },
    );
  }
}
