import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whyUnreadable } from '../contract/yaml-source.js';
import { writeInPlace } from '../run/own-file.js';
import { isFolder } from '../contract/places.js';
import { FILES } from '../log/files.js';
import type { Results } from '../verdict/results.js';
import { UsageError } from '../contract/errors.js';
import { ResultsError, readResults } from '../acceptance/read-results.js';

/**
 * Writes a file that was asked for. With `isThere` it writes over nothing: what it gives is thrown when the file is there
 * already.
 */
export function writeAsked(file: string, text: string, hint: string, isThere?: (cause: unknown) => UsageError): void {
  try {
    if (isThere) writeFileSync(file, text, { flag: 'wx' });
    else writeInPlace(file, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isThere && code === 'EEXIST') throw isThere(error);
    const why = code === 'ENOENT' ? 'its folder is not there' : whyUnreadable(error);
    throw new UsageError('report-dir', `${file} cannot be written (${why}).`, hint, { cause: error });
  }
}

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

/**
 * Does something with what a file holds that was handed in. Its shape was looked at, but not every corner of it: where that
 * makes the work stumble, the file is to blame and not the kit.
 * @param blame the error that says so
 */
export async function handedIn<Result>(
  work: () => Result | Promise<Result>,
  blame: (cause: Error) => Error,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof TypeError || error instanceof RangeError ? blame(error) : error;
  }
}
