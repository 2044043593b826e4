import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../base/kernel/yaml-source.js';
import { rowsOfSides } from '../base/interface/ledger.js';
import type { RunLog } from '../log/run-log.js';
import { FILES } from '../log/files.js';
import { resultsJson } from '../report/machine/results-json.js';
import { resultsOf, type Results } from '../outcome/results/results.js';

/** Returns the path for a file of a report. Removes a link in its place, which others may have put there. */
export function ownFile(directory: string, name: string): string {
  const file = join(directory, name);
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(file);
  return file;
}

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

/** Writes a new file and moves it into place, so a link there is not followed. */
export function writeInPlace(file: string, text: string): void {
  const own = `${file}.${process.pid}.part`;
  try {
    writeFileSync(own, text, { flag: 'wx' });
    renameSync(own, file);
  } catch (error) {
    rmSync(own, { force: true });
    throw error;
  }
}

/** Writes only results.json. It exists from a run's start, so an interrupted run is not mistaken for an older one. */
export function writeResults(directory: string, log: RunLog): Results {
  const results = resultsOf(log, rowsOfSides(log.header.scope.sides));
  writeFileSync(ownFile(directory, FILES.results), resultsJson(results));
  return results;
}
