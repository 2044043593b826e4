import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../base/kernel/yaml-source.js';
import { rowsOfSides } from '../base/interface/ledger.js';
import type { RunLog } from '../log/run-log.js';
import { FILES } from '../log/files.js';
import { resultsJson } from '../report/machine/results-json.js';
import { resultsOf, type Results } from '../outcome/results/results.js';

/** Largest file that is rewritten and recognized, bytes. */
const MOST_BYTES = 64 * 2 ** 20;

/** Is true if a path is free, or a plain file that the kit wrote. */
export function writtenHere(file: string, isOurs: (text: string) => boolean): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  try {
    return stats.isFile() && isOurs(readRegularFile(file, MOST_BYTES));
  } catch {
    return false;
  }
}

/**
 * Writes a new file and moves it into place. So a link there is not followed, and on a full disk the file is
 * what it was before.
 *
 * @param write writes into a new file of another name
 */
export function inPlace(file: string, write: (path: string) => void): void {
  const own = `${file}.${process.pid}.part`;
  try {
    write(own);
    renameSync(own, file);
  } catch (error) {
    rmSync(own, { force: true });
    throw error;
  }
}

export const writeInPlace = (file: string, text: string): void =>
  inPlace(file, (path) => writeFileSync(path, text, { flag: 'wx' }));

export const resultsIn = (log: RunLog): Results => resultsOf(log, rowsOfSides(log.header.scope.sides));

export const writeResults = (directory: string, results: Results): void =>
  writeInPlace(join(directory, FILES.results), resultsJson(results));
