import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';

/**
 * Runs the compiled tests with node:test. Prints a line per file, failures in full, and a closing line with counts.
 * `--unit` runs only unit tests, `--proofs` only the proofs, which are otherwise left out. Other words select files of
 * any kind by path. A file's name decides what may run in parallel with it, see `kindOf`. Unit tests share a few
 * processes; each other file has one.
 */

/** Processes of tests in parallel, two per core of a small machine: most wait for servers, windows and each other. */
const CONCURRENCY = 4;

/** A file that takes longer than this hangs. */
const FILE_TIMEOUT_MS = 10 * 60_000;
/** Background tests may wait for idle cores until all others have ended. */
const BACKGROUND_TIMEOUT_MS = 3 * FILE_TIMEOUT_MS;

type Kind = 'unit' | 'long' | 'paced' | 'alone' | 'wait' | 'background';

/**
 * Returns the kind of a file. `name.alone.test` loads servers with windows of a few seconds; next to another file a
 * busy machine is too slow, and results become inconclusive. `name.paced.test` does so too but mostly waits, so four
 * run in parallel. `name.wait.test` mostly waits for windows of a real minute and runs in parallel with these two.
 * `name.background.test` only computes. It runs in parallel with all three at the lowest priority, so it uses the cores
 * that they leave idle and delays none of them.
 * `name.long.test`, and any file in `testing` or `browser`, starts the command or a browser and takes seconds of the
 * processor. All others are unit tests.
 */
function kindOf(file: string): Kind {
  const [, named] = /\.(alone|paced|wait|long|background)(?:\.proof)?\.test\.js$/.exec(file) ?? [];
  return (named as Kind | undefined) ?? (/[/\\](?:testing|browser)[/\\]/.test(file) ? 'long' : 'unit');
}

/**
 * True for a proof such as `name.long.proof.test`. It tests every case where other tests show one: every known server,
 * every way to end a run, every page at every width, whole fleets, each Node.
 */
const isProof = (file: string): boolean => file.endsWith('.proof.test.js');

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  durationMs: number;
  /** Its output, shown if one of its tests fails. */
  output: string;
}

const root = resolve(import.meta.dirname, '../..');
const options = ['--unit', '--proofs'] as const;
const given = new Set(process.argv.slice(2));
const [onlyUnits, onlyProofs] = options.map((option) => given.delete(option));
const words = [...given];

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js') && (words.length === 0 || words.some((word) => file.includes(word))))
  .map((file) => join(root, file))
  .filter((file) => (!onlyUnits || kindOf(file) === 'unit') && (words.length > 0 || isProof(file) === onlyProofs))
  .sort();

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const tallies = new Map<string, Tally>();
const isGiven = (mark: string | boolean | undefined): boolean => mark !== undefined && mark !== false;

function sayFile(file: string): void {
  const { passed, failed, skipped, durationMs, output } = tallyOf(file);
  const counts = [
    `${passed} passed`,
    ...(failed ? [`${failed} FAILED`] : []),
    ...(skipped ? [`${skipped} skipped`] : []),
  ];
  say(`${failed ? '✗' : '✓'} ${relative(root, file)}  ${counts.join(', ')}  ${(durationMs / 1000).toFixed(1)} s`);
  if (failed && output.trim() !== '') say(`it printed:\n${output.trimEnd()}`);
}

function tallyOf(file: string): Tally {
  const tally = tallies.get(file) ?? { passed: 0, failed: 0, skipped: 0, durationMs: 0, output: '' };
  tallies.set(file, tally);
  return tally;
}

/** Folder for the entry files of shared processes; they hold only test file names. */
const shared = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
process.on('exit', () => rmSync(shared, { recursive: true, force: true }));

/** Deals unit tests out to as many processes as run in parallel, and other files to one each; returns the entry files. */
function inSharedProcesses(kind: Kind, chosen: readonly string[]): string[] {
  const runner = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'one-process.js')).href);
  const processes = kind === 'unit' ? Math.min(CONCURRENCY, chosen.length) : chosen.length;
  return Array.from({ length: processes }, (_, nth) => {
    const entry = join(shared, `${kind}-${nth}.mjs`);
    const dealt = JSON.stringify(chosen.filter((_, at) => at % processes === nth));
    writeFileSync(
      entry,
      `import { runInOneProcess } from ${runner};\nrunInOneProcess(${dealt}, ${kind === 'background'});\n`,
    );
    return entry;
  });
}

/** Files in shared processes whose suite ended, passed or failed. If a process ends early, the suites after that are missing. */
const ended = new Set<string>();

/** Runs the files of some kinds, a number in parallel, and prints each result. */
async function runKinds(group: readonly Kind[], concurrency: number): Promise<void> {
  const some = files.filter((file) => group.includes(kindOf(file)));
  // The longest background files come last in the alphabet. They start first, so that none runs alone at the end.
  const chosen = group.includes('background') ? some.toReversed() : some;
  if (chosen.length === 0) return;
  const started = [
    ...SHARING.flatMap((kind) =>
      inSharedProcesses(
        kind,
        chosen.filter((file) => kindOf(file) === kind),
      ),
    ),
    ...chosen.filter((file) => !isShared(file)),
  ];
  const failures = new spec();
  failures.pipe(process.stdout, { end: false });
  let current: string | undefined;
  // Reports come file by file in order, even if several run in parallel.
  const timeout = group.includes('background') ? BACKGROUND_TIMEOUT_MS : FILE_TIMEOUT_MS;
  for await (const event of run({ files: started, concurrency, timeout })) {
    const { type, data } = event;
    if (!['test:start', 'test:pass', 'test:fail', 'test:stdout', 'test:stderr'].includes(type)) continue;
    const file = [nameOf(data), 'file' in data && data.file].find(isTestFile) ?? current ?? started[0] ?? '';
    if (current !== undefined && file !== current) sayFile(current);
    current = file;
    const tally = tallyOf(file);
    if (type === 'test:stdout' || type === 'test:stderr') tally.output += data.message;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    // A file in a shared process is a suite, so its tests are nested one level deeper.
    if (isShared(file) ? data.name === file : data.nesting === 0) tally.durationMs += data.details.duration_ms;
    if (data.name === file) ended.add(file);
    if (isGiven(data.skip) || isGiven(data.todo)) tally.skipped += 1;
    // node:test reports a file without tests as a passed test with the file's name.
    else if (type === 'test:pass') tally.passed += data.details.type === 'suite' || data.name === file ? 0 : 1;
    else {
      failures.write(event);
      // A test that failed because of its subtest does not count again.
      tally.failed += failureTypeOf(data.details.error) === 'subtestsFailed' ? 0 : 1;
    }
  }
  if (current !== undefined) sayFile(current);
  failures.end();
}

/** Kinds whose files run in `one-process.js`. */
const SHARING: readonly Kind[] = ['unit', 'background'];
const isShared = (file: string): boolean => SHARING.includes(kindOf(file));
const isTestFile = (file: unknown): file is string => files.includes(file as string);
const nameOf = (data: object): unknown => ('name' in data ? data.name : undefined);
const failureTypeOf = (error: Error): unknown => 'failureType' in error && error.failureType;

await runKinds(['unit', 'long'], CONCURRENCY);
await Promise.all([
  runKinds(['wait'], files.length),
  runKinds(['background'], CONCURRENCY),
  runKinds(['paced'], CONCURRENCY).then(() => runKinds(['alone'], 1)),
]);

const cutShort = files.filter((file) => isShared(file) && !ended.has(file));
for (const file of cutShort) say(`✗ ${relative(root, file)}  was not run to its end`);
const silent = files.filter((file) => {
  const { passed, failed, skipped } = tallyOf(file);
  return passed + failed + skipped === 0 && !cutShort.includes(file);
});
for (const file of silent) say(`✗ ${relative(root, file)}  holds no test`);
const sum = (count: 'passed' | 'failed' | 'skipped'): number =>
  [...tallies.values()].reduce((total, tally) => total + tally[count], 0);
const failed = sum('failed') + silent.length + cutShort.length;
say(`\n${sum('passed')} passed, ${failed} failed, ${sum('skipped')} skipped`);
if (sum('passed') === 0 || failed > 0) process.exitCode = 1;
