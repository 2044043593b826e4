import { existsSync, readFileSync } from 'node:fs';
import { workersOf } from './e2e/support/processes.js';

/** Ends processes of test files by force: the commands that they test may ignore milder signals. */

/** Returns the id of a process from the file that it writes at its start; undefined before. */
export const pidIn = (file: string): number | undefined =>
  // An empty file reads as 0, which would name all processes of this group.
  existsSync(file) ? Number(readFileSync(file, 'utf8')) || undefined : undefined;

/** Ends what a process started. Only Linux shows which those are. */
export function killWorkersOf(pid: number): void {
  if (existsSync('/proc')) workersOf(pid).forEach(kill);
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
