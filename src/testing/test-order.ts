import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isProof, kindOf, longestFirst, secondsOfAll } from './test-files.js';

/**
 * Which test files start first: those that failed last, then those that the change touches, then the longest,
 * and proofs after tests. Files are named by their compiled path below `dist`, with `/`.
 */

/** Names of what failed last, and sources that the change touches: `src/judge/limits/left.ts`. */
export interface Urgent {
  readonly failed: ReadonlySet<string>;
  readonly changed: readonly string[];
}

/** Urgency of a proof that neither failed last nor is touched by the change. */
const OF_PROOFS = 4;

/** Returns how soon a file starts, the least first. */
export function urgencyOf(name: string, { failed, changed }: Urgent): number {
  if (failed.has(name)) return 0;
  const source = name.replace(/\.js$/, '');
  if (changed.some((path) => path.replace(/\.tsx?$/, '') === source)) return 1;
  if (changed.some((path) => dirname(path) === dirname(name))) return 2;
  return isProof(name) ? OF_PROOFS : OF_PROOFS - 1;
}

/**
 * Is true for files that only compute and whose result may come last. They need not come last themselves:
 * with their low priority they use what others leave idle.
 */
export const fillsIdleCores = (group: readonly string[], urgency: (file: string) => number): boolean =>
  group.every((file) => kindOf(file) === 'background' && urgency(file) === OF_PROOFS);

/** Sorts files: the most urgent first, then the longest, then as given. */
export const mostUrgentFirst = (
  files: readonly string[],
  urgency: (file: string) => number,
): readonly string[] => longestFirst(files).toSorted((one, other) => urgency(one) - urgency(other));

/** Sorts groups of files, of which each starts with its most urgent one: those first, then the longest. */
export const mostUrgentGroups = (
  groups: readonly (readonly string[])[],
  urgency: (file: string) => number,
): (readonly string[])[] => {
  const least = (group: readonly string[]): number => Math.min(...group.map(urgency));
  return groups.toSorted(
    (one, other) => least(one) - least(other) || secondsOfAll(other) - secondsOfAll(one),
  );
};

/**
 * Returns the path of what failed last in a folder: in the user's cache, because each build removes `dist`
 * and each installation `node_modules`.
 */
export function memoryOf(root: string, env = process.env): string {
  const cache = env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const folder = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return join(cache, 'petstore-conformance', `failed-tests-${folder}.json`);
}

/** Returns the names of what failed last; none without a memory. */
export function failedLast(path: string): ReadonlySet<string> {
  try {
    const names: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return new Set(
      Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [],
    );
  } catch {
    return new Set();
  }
}

/** Remembers what failed; what passed this time is forgotten, and what did not run stays. */
export function rememberFailed(path: string, ran: Iterable<readonly [name: string, failed: boolean]>): void {
  const names = new Set(failedLast(path));
  for (const [name, failed] of ran)
    if (failed) names.add(name);
    else names.delete(name);
  try {
    if (names.size === 0) return rmSync(path, { force: true });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify([...names].toSorted()));
  } catch {
    // Without a cache, the order is that of a fresh clone.
  }
}

/** Branches that a change may have left, the likeliest first. */
const BASES = ['origin/HEAD', 'origin/main', 'main'];

/**
 * Returns the sources that the change touches: since it left the main branch, or on that of the last commit,
 * with what is not committed yet. None without Git.
 */
export function changedSources(folder: string): readonly string[] {
  const git = (...words: readonly string[]): readonly string[] => {
    const { status, stdout } = spawnSync('git', words, { cwd: folder, encoding: 'utf8' });
    return status === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
  };
  const [head] = git('rev-parse', 'HEAD');
  if (head === undefined) return [];
  const base = BASES.flatMap((branch) => git('merge-base', 'HEAD', branch)).find((commit) => commit !== head);
  return [
    ...git('diff', '--name-only', '--relative', base ?? 'HEAD~1'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}
