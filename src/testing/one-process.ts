import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';

/**
 * Runs files of tests one after the other in this process, each in a suite that has its name: most of what a small file costs
 * is a process and what it imports. A file's hooks are its own; one that cannot be imported fails, and so does one that leaves
 * the process other than it was.
 */
export function runInOneProcess(files: readonly string[]): void {
  const before = surroundings();
  for (const file of files)
    describe(file, async () => {
      after(() => assert.deepEqual(changed(before, surroundings()), [], 'it leaves the process other than it was'));
      await import(pathToFileURL(file).href);
    });
}

/** What one file could leave behind for the next one. */
const surroundings = (): Readonly<Record<string, unknown>> => ({
  'its folder': process.cwd(),
  'its umask': process.umask(),
  ...process.env,
});

/** The names alone, for what stands in a variable of the environment may be a secret. */
const changed = (before: Readonly<Record<string, unknown>>, now: Readonly<Record<string, unknown>>): string[] =>
  Object.keys({ ...before, ...now }).filter((name) => before[name] !== now[name]);
