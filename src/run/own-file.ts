import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../contract/yaml-source.js';
import { loadLedger } from '../contract/ledger.js';
import type { RunLog } from '../log/run-log.js';
import { FILES } from '../log/files.js';
import { resultsJson } from '../report/machine/results-json.js';
import { resultsOf, type Results } from '../verdict/results.js';

/**
 * Where a file of a report is written. A folder may have been handed in by others: a link that stands in the file's place is
 * taken away, and what it leads to is left alone.
 */
export function ownFile(directory: string, name: string): string {
  const file = join(directory, name);
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(file);
  return file;
}

/** More than any file that is written again and again holds of what tells it, in bytes. */
const MOST_BYTES = 64 * 2 ** 20;

/** Whether nothing stands at a path, or a plain file that the kit has written there. */
export function writtenHere(file: string, isOurs: (text: string) => boolean): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  try {
    return stats.isFile() && isOurs(readRegularFile(file, MOST_BYTES));
  } catch {
    return false;
  }
}

/** Writes a file anew beside itself and puts it in its place: a link that somebody puts there meanwhile is not followed. */
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

/** Writes results.json alone: what stands there from the first moment of a run on, so that a run that is cut off is not mistaken for an older one. */
export function writeResults(directory: string, log: RunLog): Results {
  const results = resultsOf(log, loadLedger().requirements);
  writeFileSync(ownFile(directory, FILES.results), resultsJson(results));
  return results;
}
