import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from './errors.js';
import { whyUnreadable } from './yaml-source.js';

/**
 * Checks that the folder for temporary files takes some: Playwright and large bodies need it.
 *
 * @throws UsageError temporary-folder
 */
export function checkTemporaryFolder(): void {
  try {
    rmdirSync(mkdtempSync(join(tmpdir(), 'petstore-conformance-')));
  } catch (cause) {
    throw new UsageError(
      'temporary-folder',
      `No file can be written into ${tmpdir()}, the folder for temporary files (${whyUnreadable(cause)}).`,
      'Set TMPDIR to a folder that exists and is writable.',
      { cause },
    );
  }
}
