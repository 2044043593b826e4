import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { until } from './until.js';

/** Process of this machine, as Linux shows it in /proc. */
interface Entry {
  readonly pid: number;
  readonly parent: number;
}

/** Returns the descendants of a process. */
export function workersOf(pid: number): readonly number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(entryOf);
  const below = (parent: number): readonly number[] =>
    all.filter((entry) => entry.parent === parent).flatMap((entry) => [entry.pid, ...below(entry.pid)]);
  return below(pid);
}

/** Returns the arguments and the title of a process, as `ps` shows them; empty once it is gone. */
export const argumentsOf = (pid: number): string => readOr(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');

/** Resolves once all of the processes are gone. It polls, because a grandchild's end raises no event here. */
export async function untilEnded(pids: readonly number[]): Promise<void> {
  await until(`the end of ${pids.join(', ')}`, () => !pids.some(isAlive));
}

/** Resolves once a process has this many descendants; polls, as `untilEnded` does. */
export async function untilWorkers(pid: number, count: number): Promise<void> {
  await until(`${count} descendants of ${pid}`, () => workersOf(pid).length >= count);
}

/** True for a live process; a zombie, which waits for its parent, is not alive. */
const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readOr(`/proc/${pid}/stat`));

function entryOf(name: string): Entry[] {
  const parent = /\) \S (\d+)/.exec(readOr(`/proc/${name}/stat`))?.[1];
  return parent === undefined ? [] : [{ pid: Number(name), parent: Number(parent) }];
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has just ended.
    return '';
  }
}

/** Returns the memory of a process in bytes, with its part of shared memory; 0 once it is gone. */
export const memoryOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(readOr(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024;
