import { basename } from 'node:path';

/** Which test files may run in parallel, and in which order they start. */

export type Kind = 'unit' | 'command' | 'long' | 'paced' | 'alone' | 'wait' | 'background';

/**
 * Returns the kind of a file. `name.alone.test` loads servers with windows of a few seconds; next to another file a
 * busy machine is too slow, and results become inconclusive. `name.paced.test` does so too but mostly waits, so four
 * run in parallel. `name.wait.test` mostly waits for windows of a real minute and starts first, next to all others.
 * `name.background.test` only computes. While paced and alone files run it has a low priority, so it uses the cores
 * that they leave idle and delays none of them.
 * `name.long.test` takes seconds of the processor and has its own process. Any other file in `testing` or `browser` runs
 * the command or a browser. All others are unit tests.
 */
export function kindOf(file: string): Kind {
  const [, named] = /\.(alone|paced|wait|long|background)(?:\.proof)?\.test\.js$/.exec(file) ?? [];
  return (named as Kind | undefined) ?? (/[/\\](?:testing|browser)[/\\]/.test(file) ? 'command' : 'unit');
}

/**
 * True for a proof such as `name.long.proof.test`. It tests every case where other tests show one: every known server,
 * every way to end a run, every page at every width, whole fleets, the first Node and the last.
 */
export const isProof = (file: string): boolean => file.endsWith('.proof.test.js');

/**
 * Names of the files that take a quarter of a minute or more on an idle machine, but for those that run the command in their
 * process. They start first in their group, so that none runs by itself at the end.
 */
export const LONGEST: readonly string[] = [
  'kill-matrix.background.proof',
  'nodes.proof',
  'suites.background.proof',
  'canary.proof',
  'client-examples.proof',
  'load-find.paced.proof',
  'looks.proof',
  'runs.proof',
  'exploring.background.proof',
  'interruption.proof',
  'forged-redis.proof',
  'by-hand.proof',
  'own-suites.proof',
  'exploring.proof',
  'refusal-bound.background.proof',
  'judged-servers.background.proof',
  'examples.proof',
  'virtual-load.background.proof',
  'by-hand',
  'fronts.long',
  'use',
  'load.paced',
  'canary',
  'api.long',
  'load-honest.paced',
  'interruption',
];

const nameOf = (file: string): string => basename(file).replace(/\.test\.js$/, '');

/** True for a file that takes long, so that others need not wait for it in one process. */
export const isLong = (file: string): boolean => LONGEST.includes(nameOf(file));

const place = (file: string): number => {
  const at = LONGEST.indexOf(nameOf(file));
  return at === -1 ? LONGEST.length : at;
};

/** Returns files in the order in which they start: the longest first, the others as given. */
export const longestFirst = (files: readonly string[]): readonly string[] =>
  files.toSorted((one, other) => place(one) - place(other));
