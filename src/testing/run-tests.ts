import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';
import { addEvent, closingLine, emptyTally, exitCodeOf } from './tally.js';
import type { FileTally, TestEvent } from './tally.js';

/**
 * Runs all compiled tests: a line a file, failures in full, and one closing line that counts them.
 * Words on the command line leave only the files whose path holds one of them.
 */

/** Two files at a time: the end-to-end tests start processes of their own, and a small machine has two cores. */
const CONCURRENCY = 2;

/**
 * Files that put servers with windows of a few seconds under load: beside another file a busy machine would be too slow
 * for such windows, and the kit would rightly say that it could establish nothing.
 */
const ALONE = [
  'src/load/',
  'src/capacity/engines',
  'src/capacity/registry',
  'browser/capacity',
  'e2e/load.test',
  'e2e/load-parts',
  'e2e/fleet',
  'e2e/run.test',
  'e2e/package',
  'e2e/shards',
  'foreign/foreign-load',
  'testing/proof',
];

/** Files that wait for windows of a real minute nearly all of their time: they go beside all others. */
const WAITING = ['testing/real-window', 'testing/smallest-plan'];

/** The kill matrix and the load profiles take minutes; what takes longer than this hangs. */
const FILE_TIMEOUT_MS = 10 * 60_000;

const root = resolve(import.meta.dirname, '../..');
const words = process.argv.slice(2);

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js') && (words.length === 0 || words.some((word) => file.includes(word))))
  .map((file) => join(root, file))
  .sort();

const say = (text: string): void => void process.stdout.write(`${text}\n`);

function sayFile({ file, passed, failed, skipped, durationMs, failures, output }: FileTally): void {
  const counts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} FAILED`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  say(`${failed > 0 ? '✗' : '✓'} ${relative(root, file)}  ${counts.join(', ')}  ${(durationMs / 1000).toFixed(1)} s`);
  for (const { name, error } of failures) {
    say(`\n  ✗ ${name}`);
    say(indented(inspect(causeOf(error))));
  }
  if (failed > 0 && output.trim() !== '') say(indented(`it printed:\n${output.trimEnd()}`));
  if (failed > 0) say('');
}

/** node:test wraps what a test threw. */
const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? error.cause : error;

const indented = (text: string): string => text.replaceAll(/^/gm, '    ');

const tallies = new Map<string, FileTally>();

/** Runs some files, so many at a time, and says how each went. */
async function runFiles(group: readonly string[], concurrency: number): Promise<void> {
  let current: string | undefined;
  const finish = (): void => {
    const tally = current === undefined ? undefined : tallies.get(current);
    if (tally) sayFile(tally);
  };
  if (group.length === 0) return;
  // Files are reported one after the other, in their order, however many run at a time.
  for await (const event of run({
    files: [...group],
    concurrency,
    timeout: FILE_TIMEOUT_MS,
  }) as AsyncIterable<TestEvent>) {
    const { file } = event.data;
    if (file === undefined || !['test:pass', 'test:fail', 'test:stdout', 'test:stderr'].includes(event.type)) continue;
    if (file !== current) {
      finish();
      current = file;
    }
    tallies.set(file, addEvent(tallies.get(file) ?? emptyTally(file), event));
  }
  finish();
}

const isOf =
  (parts: readonly string[]) =>
  (file: string): boolean =>
    parts.some((part) => relative(root, file).includes(part));
const [waiting, alone] = [files.filter(isOf(WAITING)), files.filter(isOf(ALONE))];
await Promise.all([
  runFiles(waiting, waiting.length),
  runFiles(
    files.filter((file) => !waiting.includes(file) && !alone.includes(file)),
    CONCURRENCY,
  ).then(() => runFiles(alone, 1)),
]);

const all = files.map((file) => tallies.get(file) ?? emptyTally(file));
for (const { file, passed, failed, skipped } of all)
  if (passed + failed + skipped === 0) say(`✗ ${relative(root, file)}  nothing was reported`);
say('');
say(closingLine(all));
process.exitCode = all.some(({ passed, failed, skipped }) => passed + failed + skipped === 0) ? 1 : exitCodeOf(all);
