import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the test files of one start of the runner share: a folder of runs, and a browser. */

/** Variable with the folder of the runs that are made once; a file that runs by itself has none. */
export const RUNS_FOLDER = 'PETSTORE_TESTS_RUNS';

/**
 * Makes what these compiled test files share, and hands it to the processes started from here on as variables
 * of the environment. Resolves with how to end it.
 */
export async function share(files: readonly string[]): Promise<() => Promise<void>> {
  const runs = mkdtempSync(join(tmpdir(), 'petstore-runs-'));
  process.on('exit', () => rmSync(runs, { recursive: true, force: true }));
  process.env[RUNS_FOLDER] = runs;
  if (!files.some((file) => /chromium\.test\.support\.js/.test(readFileSync(file, 'utf8'))))
    return () => Promise.resolve();
  const { shareChromium } = await import('../report/pages/browser/chromium.test.support.js');
  // Without a browser each file that needs one says so.
  return shareChromium().catch(() => () => Promise.resolve());
}
