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
  'kill-matrix.background.proof': 144,
  'real-window.wait.proof': 68,
  'nodes.proof': 68,
  'smallest-plan.wait.proof': 63,
  'load-find.paced.proof': 61,
  'limiters.background.proof': 60,
  'ten-second-window.wait': 55,
  'questions.paced': 55,
  'kill-matrix.wait.proof': 54,
  'canary.proof': 50,
  'suites.background.proof': 50,
  proxy: 48,
  'refusal-bound.background.proof': 46,
  'judged-servers.background.proof': 45,
  'fleet.alone.proof': 42,
  'by-hand.proof': 42,
  'explore.background': 39,
  'run-load.alone.proof': 38,
  canary: 38,
  'tls-under-load': 38,
  'limiters.background': 36,
  'client-examples.wait.proof': 35,
  'forged-redis.proof': 35,
  'load-dead.paced': 34,
  'load-workers.paced': 33,
  'several-faults.long': 33,
  'registry.alone.proof': 32,
  'foreign-limits.wait': 32,
  'exploring.background.proof': 31,
  'looks.proof': 31,
  interruption: 31,
  'load.paced': 31,
  'package.alone.proof': 30,
  'last-failed.proof': 30,
  'exploring.proof': 29,
  'short-windows.background.proof': 28,
  'docs-commands.proof': 25,
  'speed.background.proof': 25,
  'load-honest.paced': 25,
  'shared-pieces.proof': 24,
  'pipelines.proof': 23,
  'variants.background.proof': 22,
  'interruption.proof': 22,
  'hostile-input.proof': 22,
  'virtual-load.background.proof': 21,
  'popular-clients.paced.proof': 20,
  'own-suites.proof': 20,
  'load-overload.paced': 20,
  'pinned.proof': 19,
  run: 19,
  'examples.proof': 18,
  'hunt.proof': 18,
  'redact.background.proof': 18,
  baseline: 18,
  'hammering.paced': 18,
  'runs.proof': 17,
  'load-journeys.paced': 17,
  'unfit-targets.proof': 16,
  'fronts.long': 16,
  'run.alone': 16,
  'refusal-bound.alone.proof': 16,
  'pairs-of-limiters.background.proof': 15,
  'shared-pieces': 15,
  'express-server': 15,
  output: 15,
  'run-tests': 15,
  'fronts.long.proof': 14,
  exploring: 14,
  use: 13,
  'bad-input': 13,
  'load-records.paced': 13,
  'algorithm.background.proof': 12,
  'steadiness.long.proof': 12,
  'engines.alone': 12,
  'slow-network.background': 12,
  'judge-clients.paced': 12,
  'wrong-limit.background': 12,
  'parity.long.proof': 11,
  'second-client.background': 11,
  certificate: 11,
  judge: 11,
  'explore.background.proof': 10,
  register: 10,
  'redact.background': 10,
  serve: 10,
  'held-bodies.background': 10,
  nightly: 10,
  client: 10,
  'second-client.background.proof': 10,
  'foreign-load.paced.proof': 9,
  'own-limits': 9,
  'client-browser.proof': 8,
  'large-bodies.proof': 8,
  'notify.proof': 8,
  'redis-permissions.proof': 8,
  'bare-http-server.proof': 8,
  'by-hand': 8,
  'capacity.alone': 8,
  'read-har.background': 8,
  'one-run-a-key.proof': 7,
  'short-sold-page.long': 7,
  hostile: 7,
  'own-faults': 7,
  'sloppy-server.proof': 6,
  'cost.background': 6,
  'plainly-wrong.background': 6,
  'bound.long': 5,
  encodings: 5,
  'one-worker.proof': 5,
};

/**
 * Seconds of the processor that unit tests take, if half a second or more: by their place below `src`,
 * because some have the name of another.
 */
export const UNIT_SECONDS: Readonly<Record<string, number>> = {
  'report/pages/render-page': 3.2,
  'report/terminal/reporter': 2.2,
  'wire/proxy/serve': 2,
  'loadkit/fleet/take-order': 1.8,
  'judge/world/world': 1.8,
  'judge/limits/traffic': 1.8,
  'report/pages/history/page': 1.7,
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
