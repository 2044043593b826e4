import { basename } from 'node:path';
import type { TestOptions } from './test-options.js';

/** Which test files may run in parallel, and in which order they start. */

export type Kind = 'unit' | 'command' | 'long' | 'paced' | 'alone' | 'wait' | 'background';

/**
 * Returns the kind of a file. `name.alone.test` loads servers with windows of a few seconds; next to another
 * file a busy machine is too slow, and results become inconclusive. `name.paced.test` does so too but mostly
 * waits, so four run in parallel. `name.wait.test` mostly waits for windows of a real minute and starts
 * first, next to all others. `name.background.test` only computes. While paced and alone files run it has a
 * low priority, so it uses the cores that they leave idle and delays none of them. `name.long.test` takes
 * seconds of the processor; long files share few processes. Any other file in `testing` or `browser` runs the
 * command or a browser. All others are unit tests.
 */
export function kindOf(file: string): Kind {
  const [, named] = /\.(alone|paced|wait|long|background)(?:\.proof)?\.test\.js$/.exec(file) ?? [];
  return (named as Kind | undefined) ?? (/[/\\](?:testing|browser)[/\\]/.test(file) ? 'command' : 'unit');
}

/**
 * True for a proof such as `name.long.proof.test`. It tests every case where other tests show one: every
 * known server, every way to end a run, every page at every width, whole fleets, the first Node and the
 * last.
 */
export const isProof = (file: string): boolean => file.endsWith('.proof.test.js');

/** True for a compiled file, by its path below `dist`, that these options choose. Words choose proofs too. */
export const isChosen = (file: string, { onlyUnits, onlyProofs, withProofs, words }: TestOptions): boolean =>
  file.endsWith('.test.js') &&
  (!onlyUnits || kindOf(file) === 'unit') &&
  (words.length > 0 ? words.some((word) => file.includes(word)) : withProofs || isProof(file) === onlyProofs);

/**
 * Seconds that files take in a run of all tests on two cores, if 5 or more. In each group the longest start
 * first, so that none runs by itself at the end.
 */
export const SECONDS: Readonly<Record<string, number>> = {
  'real-window.wait.proof': 316,
  'smallest-plan.wait.proof': 309,
  'kill-matrix.background.proof': 259,
  'refusal-bound.background.proof': 184,
  'short-windows.background.proof': 158,
  'judged-servers.background.proof': 135,
  'limiters.background.proof': 130,
  'pipelines.proof': 110,
  'by-hand.proof': 90,
  'last-failed.proof': 90,
  'kill-matrix.wait.proof': 84,
  'forged-redis.proof': 80,
  'nodes.proof': 80,
  'limiters.background': 74,
  'load-find.paced.proof': 65,
  'canary.proof': 63,
  'ten-second-window.wait': 60,
  'hunt.proof': 56,
  'several-faults.long': 56,
  'package.alone.proof': 55,
  'run-load.alone.proof': 55,
  'docs-commands.proof': 53,
  'suites.background.proof': 50,
  'fleet.alone.proof': 45,
  proxy: 45,
  'questions.paced': 44,
  'interruption.proof': 42,
  'redis-permissions.proof': 40,
  'explore.background': 38,
  'looks.proof': 38,
  'client-examples.wait.proof': 37,
  'speed.background.proof': 37,
  'load.paced': 36,
  'pinned.proof': 36,
  'registry.alone.proof': 36,
  'load-dead.paced': 35,
  'load-workers.paced': 35,
  'shared-pieces.proof': 35,
  canary: 34,
  'foreign-limits.wait': 32,
  'plainly-wrong.background': 32,
  'tls-under-load': 32,
  'exploring.proof': 31,
  interruption: 29,
  'exploring.background.proof': 28,
  'pairs-of-limiters.background.proof': 28,
  'popular-clients.paced.proof': 28,
  'examples.proof': 27,
  'hostile-input.proof': 27,
  'own-suites.proof': 27,
  'runs.proof': 27,
  'virtual-load.background.proof': 27,
  'foreign-load.paced.proof': 26,
  'bare-http-server.proof': 25,
  'redact.background': 25,
  'run-tests': 25,
  'variants.background.proof': 24,
  'express-server': 22,
  'load-honest.paced': 22,
  output: 21,
  'unfit-targets.proof': 21,
  'large-bodies.proof': 20,
  'shared-pieces': 20,
  'cost.background': 19,
  'slow-network.background': 19,
  'fronts.long': 18,
  'load-overload.paced': 18,
  'hammering.paced': 17,
  'notify.proof': 16,
  'one-run-a-key.proof': 16,
  'refusal-bound.alone.proof': 16,
  baseline: 15,
  'held-bodies.background': 15,
  judge: 15,
  'second-client.background': 15,
  'steadiness.long.proof': 15,
  'fronts.long.proof': 14,
  'load-journeys.paced': 14,
  'parity.long.proof': 14,
  'refusal-bound.background': 14,
  serve: 14,
  'bad-input': 13,
  'by-hand': 13,
  'watch.proof': 13,
  'engines.alone': 12,
  'servers.background.proof': 12,
  'judge-clients.paced': 11,
  'load-records.paced': 11,
  'mishaps.background': 11,
  run: 11,
  use: 11,
  client: 10,
  'client-browser.proof': 10,
  exploring: 10,
  'capacity.alone': 9,
  nightly: 9,
  'sloppy-server.proof': 9,
  'algorithm.background': 8,
  'fastify-server.proof': 8,
  'read-har.background': 8,
  'variants.background': 8,
  'nights.proof': 7,
  'short-sold-page.long': 7,
  apps: 6,
  certificate: 6,
  'explore.background.proof': 6,
  hostile: 6,
  'redact.background.proof': 6,
  'bound.long': 5,
  'own-limits': 5,
  'server-fault.background': 5,
};

/**
 * Seconds of the processor that unit tests take, if half a second or more: by their place below `src`,
 * because some have the name of another.
 */
export const UNIT_SECONDS: Readonly<Record<string, number>> = {
  'report/terminal/reporter': 2.2,
  'wire/proxy/serve': 2,
  'judge/limits/traffic': 1.8,
  'wire/exchange/answer-reader': 1.6,
  'wire/exchange/kept-connection': 1.4,
  'judge/clients/waiting': 1.4,
  'loadkit/fleet/merge': 1.3,
  'wire/exchange/curl': 0.9,
  'report/machine/junit': 0.9,
  'report/comparison': 0.8,
  'proof/limiters/limiters': 0.7,
  'log/journal': 0.7,
  'loadkit/drift': 0.7,
  'wire/har/read-har': 0.6,
  'wire/exchange/body-on-disk': 0.6,
};

/** Seconds of a file that is not listed. Units take tenths; the others start the command or a server. */
const FEW = { unit: 0.1, others: 2 } as const;

/**
 * A file of so many seconds has its own process, so that others need not wait for it. A process costs a
 * second.
 */
const LONG_SECONDS = 50;

const nameOf = (file: string): string => basename(file).replace(/\.test\.js$/, '');

/** Returns the seconds that a file takes. */
export function secondsOf(file: string): number {
  if (kindOf(file) !== 'unit') return SECONDS[nameOf(file)] ?? FEW.others;
  const place = file.replaceAll('\\', '/').replace(/^.*\/src\/|\.test\.js$/g, '');
  return UNIT_SECONDS[place] ?? FEW.unit;
}

/** True for a file that takes long, so that others need not wait for it in one process. */
export const isLong = (file: string): boolean => secondsOf(file) >= LONG_SECONDS;

/** Returns files in the order in which they start: the longest first, the others as given. */
export const longestFirst = (files: readonly string[]): readonly string[] =>
  files.toSorted((one, other) => secondsOf(other) - secondsOf(one));

/** Returns the seconds that files take one after the other. */
export const secondsOfAll = (files: readonly string[]): number =>
  files.reduce((seconds, file) => seconds + secondsOf(file), 0);

/**
 * Divides files into a number of groups, or fewer, that take about the same time. In each the longest stand
 * first.
 */
export function evenGroups(files: readonly string[], most: number): readonly (readonly string[])[] {
  const groups = Array.from({ length: Math.min(most, files.length) }, () => ({
    files: [] as string[],
    seconds: 0,
  }));
  for (const file of longestFirst(files)) {
    const shortest = groups.reduce((one, other) => (other.seconds < one.seconds ? other : one));
    shortest.files.push(file);
    shortest.seconds += secondsOf(file);
  }
  return groups.map((group) => group.files);
}
