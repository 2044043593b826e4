import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whyUnreadable } from '../../base/kernel/yaml-source.js';
import { writeInPlace, writtenHere } from '../../run/own-file.js';
import { makeFolder } from '../../run/report-dir.js';
import { isFolder } from '../../base/kernel/places.js';
import { FILES } from '../../log/files.js';
import type { Results } from '../../outcome/results/results.js';
import { UsageError, RunFileError, badPlace } from '../../base/kernel/errors.js';
import { readResults } from '../../outcome/results/read-results.js';

/** Checks a named folder. Throws UsageError. */
export function checkFolder(
  path: string,
  hint: string,
  code: 'report-dir' | 'bad-option' = 'report-dir',
): void {
  if (!isFolder(path)) throw new UsageError(code, `${path} is not a folder.`, hint);
}

/** Creates a folder for output where there is none. Throws UsageError. */
export function ensureFolder(path: string, how: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    throw badPlace(
      `The folder ${path} cannot be created (${whyUnreadable(error)}).`,
      `Name another folder${how}.`,
      error,
    );
  }
}

export const FOLDER_HINT = 'Name a folder that you can write to.';

/** Writes a requested file. With `isThere` it never overwrites: it throws that error if the file exists. */
export function writeAsked(
  file: string,
  text: string,
  hint: string,
  isThere?: (cause: unknown) => UsageError,
): void {
  try {
    if (isThere) writeFileSync(file, text, { flag: 'wx' });
    else writeInPlace(file, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isThere && code === 'EEXIST') throw isThere(error);
    const why = code === 'ENOENT' ? 'its folder does not exist' : whyUnreadable(error);
    throw badPlace(`${file} cannot be written (${why}).`, hint, error);
  }
}

/** Refuses to overwrite a file that the kit did not write. Throws UsageError. */
export function refuseForeign(
  command: string,
  file: string,
  isOurs: (text: string) => boolean,
  how = '',
): void {
  if (writtenHere(file, isOurs)) return;
  throw badPlace(
    `${file} already exists, and ${command} did not write it.`,
    `Move it away, or name another folder${how}. Nothing was written.`,
  );
}

/** Returns the results of a run, by its folder or its results.json. Throws UsageError, or RunFileError. */
export function resultsAt(path: string): Results {
  try {
    return readResults(isFolder(path) ? join(path, FILES.results) : path);
  } catch (error) {
    if (!(error instanceof RunFileError)) throw error;
    if (error.code !== 'results-unreadable')
      throw new RunFileError(error.code, `${path}: ${error.message}`, { cause: error });
    throw badPlace(
      `There are no results at ${path}: ${error.message}.`,
      'Name the folder of a run, or its results.json.',
      error,
    );
  }
}

/** Processes a user's file, whose shape is checked only in part: turns a TypeError into an error of the file. */
export async function handedIn<Result>(
  code: 'log-damaged' | 'results-damaged',
  message: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof TypeError || cause instanceof RangeError
      ? new RunFileError(code, message, { cause })
      : cause;
  }
}
