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
  'kill-matrix.background.proof': 336,
  'real-window.wait.proof': 311,
  'smallest-plan.wait.proof': 308,
  'limiters.background.proof': 93,
  'kill-matrix.wait.proof': 83,
  'nodes.proof': 82,
  'canary.proof': 77,
  'judged-servers.background.proof': 70,
  'interruption.proof': 75,
  'ten-second-window.wait': 61,
  'load-find.paced.proof': 60,
  'examples.proof': 55,
  'speed.background.proof': 53,
  'explore.background': 25,
  'explore-rare.background.proof': 27,
  'exploring.proof': 52,
  'run-load.alone.proof': 52,
  proxy: 20,
  'proxy.proof': 28,
  'package.alone.proof': 46,
  'redis-permissions.proof': 44,
  'questions.paced': 43,
  'fleet.alone.proof': 41,
  'run-tests.proof': 27,
  'by-hand.proof': 39,
  'forged-redis.proof': 38,
  'popular-clients.paced.proof': 38,
  'client-examples.wait.proof': 36,
  'load.paced': 36,
  'one-run-a-key.proof': 36,
  'load-dead.paced': 35,
  'several-faults.long.proof': 34,
  canary: 33,
  'load-workers.paced.proof': 33,
  'own-suites.proof': 33,
  'foreign-limits.wait': 32,
  'last-failed.proof': 32,
  'exploring.background.proof': 31,
  'looks.proof': 31,
  'tls-under-load.paced.proof': 31,
  'docs-commands.proof': 29,
  'registry.alone.proof': 29,
  'express-server.proof': 28,
  'unfit-targets.proof': 28,
  'variants.background.proof': 27,
  'redis-silent.proof': 25,
  'fronts.long': 24,
  'output.proof': 24,
  'virtual-load.background.proof': 24,
  'bare-http-server.proof': 23,
  'foreign-load.paced.proof': 22,
  'hostile-input.proof': 22,
  'hunt.proof': 22,
  'pinned.proof': 22,
  'pairs-of-limiters.background.proof': 21,
  serve: 21,
  'load-honest.paced': 20,
  run: 20,
  'shared-pieces.proof': 45,
  'pipelines.proof': 19,
  'runs.proof': 19,
  'hammering.paced': 18,
  judge: 18,
  'load-overload.paced': 18,
  'redact.background': 18,
  'client-browser.proof': 15,
  'refusal-bound.alone.proof': 15,
  'refusal-bound.background.proof': 15,
  'short-windows.background.proof': 15,
  'steadiness.long.proof': 15,
  use: 15,
  'bad-input': 7,
  baseline: 14,
  'fastify-server.proof': 14,
  'load-journeys.paced': 14,
  'parity.long.proof': 14,
  'fronts.long.proof': 13,
  'mishaps.background.proof': 13,
  'held-bodies.background.proof': 13,
  client: 12,
  'cost.background': 12,
  'engines.alone.proof': 12,
  'judge-clients.paced': 12,
  'limiters.background': 12,
  'load-records.paced': 12,
  'own-limits': 12,
  'suites.background.proof': 54,
  'watch.proof': 11,
  'capacity.alone': 10,
  'explore.background.proof': 10,
  'large-bodies.proof': 10,
  'one-worker.proof': 10,
  'second-client.background.proof': 10,
  'variants.background': 10,
  'nightly.proof': 9,
  'own-faults': 9,
  'read-har.background.proof': 9,
  exploring: 8,
  'notify.proof': 8,
  'redact.background.proof': 8,
  register: 8,
  apps: 7,
  certificate: 7,
  init: 7,
  'sloppy-server.proof': 7,
  'api.long': 6,
  hostile: 6,
  'plainly-wrong.background.proof': 6,
  'short-sold-page.long': 6,
  'time-limits.long': 5,
  doctor: 5,
};

/**
 * Seconds that unit tests take, if half a second or more: by their place below `src`, because some have the
 * name of another.
 */
export const UNIT_SECONDS: Readonly<Record<string, number>> = {
  'run/reloads': 11,
  'wire/exchange/kept-connection': 8.2,
  'drive/load/places': 7.3,
  'wire/proxy/serve': 4.8,
  'drive/probes/courier': 4.4,
  'outcome/results/finding-kind': 3.9,
  'wire/exchange/sender': 3.8,
  'report/terminal/reporter': 3.6,
  'loadkit/fleet/merge': 3.3,
  'run/triggers': 3.2,
  'run/execute-capacity': 3.1,
  'app/cli/process-end': 2.8,
  'drive/client-scenarios/play': 2.6,
  'wire/proxy/serve-own-answers': 2.4,
  'loadkit/health': 1.9,
  'wire/exchange/connection': 1.7,
  'log/redact-record': 1.6,
  'drive/load/parallel': 1.5,
  'wire/exchange/parallel-connections': 1.3,
  'run/command-under-test': 1.3,
  'app/cli/help': 1.3,
  'report/machine/junit': 1.3,
  'report/pages/model/window': 1.2,
  'report/terminal/progress': 1.2,
  'drive/limits/key-player': 1.2,
  'app/cli/start': 1.1,
  'run/notify': 1.1,
  'wire/exchange/answer-reader': 1.1,
  'report/comparison': 1,
  'base/interface/response-validator': 1,
  'drive/limits/even-pace': 1,
  'wire/exchange/curl': 1,
  'judge/limits/traffic': 0.9,
  'wire/exchange/resolve': 0.9,
  'report/machine/summary': 0.9,
  'loadkit/drift': 0.9,
  'run/key-lock': 0.9,
  'report/pages/history/history-words': 0.8,
  'report/terminal/lines': 0.7,
  'report/comparison-page': 0.7,
  'base/interface/published-schemas': 0.7,
  'log/read': 0.6,
  'loadkit/journeys': 0.6,
  'report/machine/annotations': 0.6,
  'wire/har/read-har': 0.6,
  'reference/server': 0.5,
  'drive/load/closing-server': 0.5,
  'wire/exchange/body-on-disk': 0.5,
  'report/news': 0.5,
  'judge/clients/hammering': 0.5,
  'report/machine/ctrf': 0.5,
  'drive/limits/play-burst': 0.5,
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
