import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { npmScripts } from './npm-scripts.js';
import { evenGroups, isLong, isProof, kindOf, longestFirst, secondsOfAll, type Kind } from './test-files.js';

/**
 * Runs the compiled tests with node:test. Prints a line per file, failures in full, and a closing line with
 * counts. `--unit` runs only unit tests, `--proofs` only the proofs, which are otherwise left out. Other
 * words select files of any kind by path. `--with=lint,deadcode` also runs these npm scripts. A file's name
 * decides what may run in parallel with it, see `kindOf`. Files of most kinds share a few processes; each of
 * the longest has its own, and so has each that waits for windows next to others.
 */

/**
 * Processes of tests in parallel, two per core of a small machine: most wait for servers, windows and each
 * other.
 */
const CONCURRENCY = 4;
/**
 * Processes of unit tests, one more than a small machine has cores: some tests wait. Each loads most of the
 * kit, so a fourth takes longer again.
 */
const UNIT_PROCESSES = 3;

/** A file that takes longer than this hangs. */
const FILE_TIMEOUT_MS = 10 * 60_000;
/**
 * Files of one process run one after the other, and background tests may wait for idle cores while others
 * need the clock.
 */
const SHARED_TIMEOUT_MS = 3 * FILE_TIMEOUT_MS;

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
const WITH = '--with=';
const scripts = [...given]
  .filter((word) => word.startsWith(WITH))
  .flatMap((word) => word.slice(WITH.length).split(','));
const words = [...given].filter((word) => !word.startsWith(WITH));

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(
    (file) => file.endsWith('.test.js') && (words.length === 0 || words.some((word) => file.includes(word))),
  )
  .map((file) => join(root, file))
  .filter(
    (file) => (!onlyUnits || kindOf(file) === 'unit') && (words.length > 0 || isProof(file) === onlyProofs),
  )
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
  say(
    `${failed ? '✗' : '✓'} ${relative(root, file)}  ${counts.join(', ')}  ${(durationMs / 1000).toFixed(1)} s`,
  );
  if (failed && output.trim() !== '') say(`it printed:\n${output.trimEnd()}`);
}

function tallyOf(file: string): Tally {
  const tally = tallies.get(file) ?? { passed: 0, failed: 0, skipped: 0, durationMs: 0, output: '' };
  tallies.set(file, tally);
  return tally;
}

/** What one process runs: a test file, or an entry file that imports several. */
interface Entry {
  readonly path: string;
  readonly files: readonly string[];
  readonly kind: Kind;
}

/** Folder for the entry files of shared processes; they hold only test file names. */
const shared = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
process.on('exit', () => rmSync(shared, { recursive: true, force: true }));
let written = 0;

/** Writes the entry file of a process that runs several files one after the other, and returns its entry. */
function sharing(kind: Kind, holds: readonly string[], isInBackground: boolean): Entry {
  written += 1;
  const path = join(shared, `${kind}-${written}.mjs`);
  const runner = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'one-process.js')).href);
  writeFileSync(
    path,
    `import { runInOneProcess } from ${runner};\nrunInOneProcess(${JSON.stringify(holds)}, ${isInBackground});\n`,
  );
  return { path, files: holds, kind };
}

/** Returns the chosen files of a kind in the order in which they start. */
const filesOf = (kind: Kind): readonly string[] =>
  longestFirst(files.filter((file) => kindOf(file) === kind));

/** Returns an entry for each file of a kind. */
const entriesOf = (kind: Kind): Entry[] => filesOf(kind).map((file) => ({ path: file, files: [file], kind }));

/**
 * Returns the groups of a kind's files that share a process each: every long file, then the others in a
 * number of groups.
 */
function groupsOf(kind: Kind, most: number): readonly (readonly string[])[] {
  const chosen = filesOf(kind);
  const others = chosen.filter((file) => !isLong(file));
  return [...chosen.filter(isLong).map((file) => [file]), ...evenGroups(others, most)];
}

/** Returns an entry for each group of a kind's files. */
const sharedEntries = (kind: Kind, most: number): Entry[] =>
  groupsOf(kind, most).map((group) => sharing(kind, group, false));

/**
 * Files in shared processes whose suite ended, passed or failed. If a process ends early, the suites after
 * that are missing.
 */
const ended = new Set<string>();

/** Runs an entry and prints the result of each of its files. */
async function runEntry({ path, files: holds, kind }: Entry): Promise<void> {
  const failures = new spec();
  let shown = '';
  failures.on('data', (piece: Buffer | string) => (shown += piece.toString()));
  let current = holds[0] ?? '';
  const end = (file: string): void => {
    process.stdout.write(shown);
    shown = '';
    sayFile(file);
  };
  const timeout = SHARING.includes(kind) ? SHARED_TIMEOUT_MS : FILE_TIMEOUT_MS;
  for await (const event of run({ files: [path], concurrency: 1, timeout })) {
    const { type, data } = event;
    if (!['test:start', 'test:pass', 'test:fail', 'test:stdout', 'test:stderr'].includes(type)) continue;
    const file = [nameOf(data), 'file' in data && data.file].find(isTestFile) ?? current;
    if (file !== current) end(current);
    current = file;
    const tally = tallyOf(file);
    if (type === 'test:stdout' || type === 'test:stderr') tally.output += data.message;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    // A file in a shared process is a suite, so its tests are nested one level deeper.
    if (isShared(file) ? data.name === file : data.nesting === 0)
      tally.durationMs += data.details.duration_ms;
    if (data.name === file) ended.add(file);
    if (isGiven(data.skip) || isGiven(data.todo)) tally.skipped += 1;
    // node:test reports a file without tests as a passed test with the file's name.
    else if (type === 'test:pass')
      tally.passed += data.details.type === 'suite' || data.name === file || data.name === path ? 0 : 1;
    else {
      failures.write(event);
      // A test that failed because of its subtest does not count again.
      tally.failed += failureTypeOf(data.details.error) === 'subtestsFailed' ? 0 : 1;
    }
  }
  failures.end();
  end(current);
}

/**
 * Runs entries in order, a number in parallel, until none is left or `isOpen` is false. Takes them from the
 * list.
 */
async function drain(queue: Entry[], concurrency: number, isOpen = (): boolean => true): Promise<void> {
  const lane = async (): Promise<void> => {
    for (
      let entry = isOpen() ? queue.shift() : undefined;
      entry;
      entry = isOpen() ? queue.shift() : undefined
    )
      await runEntry(entry);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, queue.length) }, lane));
}

/** Kinds whose files run in `one-process.js`. */
const SHARING: readonly Kind[] = ['unit', 'command', 'alone', 'background'];
const isShared = (file: string): boolean => SHARING.includes(kindOf(file));
const isTestFile = (file: unknown): file is string => files.includes(file as string);
const nameOf = (data: object): unknown => ('name' in data ? data.name : undefined);
const failureTypeOf = (error: Error): unknown => 'failureType' in error && error.failureType;

const failedScripts: string[] = [];

/** Runs the npm scripts that go with the tests, and prints what a failed one printed. */
async function runScripts(): Promise<void> {
  for await (const { script, isFine, durationMs, output } of npmScripts(scripts)) {
    say(`${isFine ? '✓' : '✗'} npm run ${script}  ${(durationMs / 1000).toFixed(1)} s`);
    if (isFine) continue;
    failedScripts.push(script);
    say(output.trimEnd());
  }
}

// Each of the runs in parallel listens to the end of this process, and Node warns of more than ten.
process.setMaxListeners(0);

/**
 * Runs all entries: what waits from the start, then what needs the clock, then what needs the processor.
 * Background tests and then units use the cores that are idle while others need the clock.
 */
async function runAll(): Promise<void> {
  const waiting = entriesOf('wait');
  const paced = entriesOf('paced');
  const alone = sharedEntries('alone', 1);
  // More groups than cores, so that those left when the clock is free get the usual priority.
  const computing = [...groupsOf('background', 2 * CONCURRENCY), ...groupsOf('unit', UNIT_PROCESSES)];
  const background = computing.map((group) => sharing('background', group, true));
  let needsClock = paced.length + alone.length > 0;
  const timed = async (): Promise<void> => {
    await drain(paced, CONCURRENCY);
    await drain(alone, 1);
    needsClock = false;
  };
  const heavy = async (): Promise<void> => {
    const rest = background.splice(0).map(({ files: holds }) => sharing('background', holds, false));
    const all = [...rest, ...entriesOf('long'), ...sharedEntries('command', CONCURRENCY)];
    // The longest first, a group like a long file: the last ones end together.
    await drain(
      all.toSorted((one, other) => secondsOfAll(other.files) - secondsOfAll(one.files)),
      CONCURRENCY,
    );
  };
  await Promise.all([
    drain(waiting, waiting.length),
    drain(background, CONCURRENCY, () => needsClock),
    timed().then(heavy),
  ]);
}

await Promise.all([runScripts(), runAll()]);

const cutShort = files.filter((file) => isShared(file) && !ended.has(file));
for (const file of cutShort) say(`✗ ${relative(root, file)}  was not run to its end`);
const silent = files.filter((file) => {
  const { passed, failed, skipped } = tallyOf(file);
  return passed + failed + skipped === 0 && !cutShort.includes(file);
});
for (const file of silent) say(`✗ ${relative(root, file)}  holds no test`);
const sum = (count: 'passed' | 'failed' | 'skipped'): number =>
  [...tallies.values()].reduce((total, tally) => total + tally[count], 0);
const failed = sum('failed') + silent.length + cutShort.length + failedScripts.length;
for (const script of failedScripts) say(`✗ npm run ${script}  failed`);
say(`\n${sum('passed')} passed, ${failed} failed, ${sum('skipped')} skipped`);
if (sum('passed') === 0 || failed > 0) process.exitCode = 1;
