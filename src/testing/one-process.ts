import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { after, before, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startClock } from './file-times.js';
import { followNothing } from './without-test-hooks.js';

/** How a process runs its test files. */
export interface Manner {
  /** Whether it has a low priority; with the lowest it would stand still next to busy programs. */
  readonly isInBackground: boolean;
  /** File to which the time of each test file is appended, as a line of JSON. */
  readonly times: string | null;
}

/**
 * Runs test files one after the other in this process, each in a suite named after it. A small file mostly
 * costs a process and its imports. Hooks stay within their file. A file fails if it cannot be imported, or if
 * it changes the state of the process.
 */
export function runInOneProcess(files: readonly string[], { isInBackground, times }: Manner): void {
  if (isInBackground) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const found = surroundings();
  const imports: Promise<unknown>[] = [];
  for (const file of files)
    describe(file, async () => {
      const clock = times === null ? null : startClock();
      // Another file may run something while it is imported.
      before(async () => {
        await Promise.allSettled(imports);
        followNothing();
      });
      before(() => clock?.restart());
      after(() => {
        if (clock && times !== null) appendFileSync(times, `${JSON.stringify({ file, ...clock.stop() })}\n`);
      });
      after(() =>
        assert.deepEqual(changed(found, surroundings()), [], 'it leaves the process other than it was'),
      );
      const imported = import(pathToFileURL(file).href);
      imports.push(imported);
      await imported;
    });
}

/** State that one file could leave behind for the next one. */
const surroundings = (): Readonly<Record<string, unknown>> => ({
  'its folder': process.cwd(),
  'its umask': process.umask(),
  ...process.env,
});

/** Names only, because an environment variable may hold a secret. */
const changed = (
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
): string[] => Object.keys({ ...before, ...now }).filter((name) => before[name] !== now[name]);
