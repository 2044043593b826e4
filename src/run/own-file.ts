import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where a file of a report is written. A folder may have been handed in by others: a link that stands in the file's place is
 * taken away, and what it leads to is left alone.
 */
export function ownFile(directory: string, name: string): string {
  const file = join(directory, name);
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(file);
  return file;
}
