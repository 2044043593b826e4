import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process of this machine, as Linux shows it in /proc. */
interface Entry {
  readonly pid: number;
  readonly parent: number;
}

/** The processes that descend from one. */
export function workersOf(pid: number): readonly number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(entryOf);
  const below = (parent: number): readonly number[] =>
    all.filter((entry) => entry.parent === parent).flatMap((entry) => [entry.pid, ...below(entry.pid)]);
  return below(pid);
}

/** The arguments and the title of a process, as `ps` shows them; empty when it is gone. */
export const argumentsOf = (pid: number): string => readOr(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');

/** Resolves once none of the processes lives; there is no event for the end of a stranger's child. */
export async function untilGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await sleep(20);
}

/** Resolves once so many processes descend from one; a stranger's child begins without an event, too. */
export async function untilWorkers(pid: number, count: number): Promise<void> {
  while (workersOf(pid).length < count) await sleep(20);
}

/** A process that has ended and waits for its parent to notice is not alive. */
const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readOr(`/proc/${pid}/stat`));

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

/** What a process takes of the machine's memory, in bytes, with its part of what it shares with others; 0 when it is gone. */
export const memoryOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(readOr(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024;
