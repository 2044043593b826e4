import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { coresUsed, readTimes, timesTable } from './file-times.js';
import { npmScripts } from './npm-scripts.js';
import { repeated } from './repeat-tests.js';
import { share } from './shared.js';
import { runGroup, type Tally } from './test-process.js';
import { evenGroups, isChosen, isLong, isProof, kindOf, type Kind } from './test-files.js';
import { testOptions } from './test-options.js';
import { endAtSignal } from './test-signals.js';
import { silentMsOf } from './test-silence.js';
import {
  changedSources,
  failedLast,
  fillsIdleCores,
  memoryOf,
  mostUrgentFirst,
  mostUrgentGroups,
  rememberFailed,
  urgencyOf,
} from './test-order.js';

/**
 * Runs the compiled tests with node:test. Prints a line per file, failures in full, and a closing line with
 * counts. A file's name decides what may run in parallel with it, see `kindOf`; the options are those of
 * `testOptions`.
 */

const root = resolve(import.meta.dirname, '../..');
const options = testOptions(process.argv.slice(2));
const { showsTimes, endsAtFailure, repeat, busy, scripts } = options;

if (repeat > 1 || busy > 0) process.exit(await repeated(process.argv.slice(2), { repeat, busy }));

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => isChosen(file, options))
  .map((file) => join(root, file))
  .sort();

/**
 * Files next to each other that only wait. Each computes for a few seconds at its start, when those that need
 * the clock start too.
 */
const WAITING = 4;
/** Files next to each other that need the clock but mostly wait. */
const PACED = 4;
/** Lanes of the clock that compute later: more would only make each test slower, up to its bounds. */
const LATER_LANES = 2;
/**
 * Processes next to each other that compute, two per core of a small machine: many wait for servers, windows
 * and each other.
 */
const COMPUTING = 4;
/** Files that fill what others leave idle from the first second: the longest of them has two busy threads. */
const FILLING = 1;
/** Processes for all long files that are not longer than others: a further one would load the kit again. */
const LONG_PROCESSES = 1;
/**
 * Processes for all unit tests: some wait for servers, and would do so one after another. Each loads most of
 * the kit.
 */
const UNIT_PROCESSES = 5;

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const tallies = new Map<string, Tally>();
const nameOf = (file: string): string => relative(root, file).replaceAll('\\', '/');
const memory = memoryOf(root);
const urgent = { failed: failedLast(memory), changed: changedSources(join(root, '..')) };
const urgency = (file: string): number => urgencyOf(nameOf(file), urgent);
const failedBefore = (file: string): boolean => urgent.failed.has(nameOf(file));
const ending = new AbortController();
const times = showsTimes ? join(mkdtempSync(join(tmpdir(), 'petstore-times-')), 'times.ndjson') : null;
if (times !== null) process.on('exit', () => rmSync(join(times, '..'), { recursive: true, force: true }));

/** Prints the result of a file, its failures first. */
function sayFile(file: string, tally: Tally, failures: string): void {
  // A process that ends because another failed shows nothing of its tests.
  if (ending.signal.aborted) return;
  tallies.set(file, tally);
  const { passed, failed, skipped, durationMs, output } = tally;
  const counts = [
    `${passed} passed`,
    ...(failed ? [`${failed} FAILED`] : []),
    ...(skipped ? [`${skipped} skipped`] : []),
  ];
  process.stdout.write(failures);
  say(
    `${failed ? '✗' : '✓'} ${relative(root, file)}  ${counts.join(', ')}  ${(durationMs / 1000).toFixed(1)} s`,
  );
  if (failed && output.trim() !== '') say(`it printed:\n${output.trimEnd()}`);
  if (failed && endsAtFailure) ending.abort();
}

/** Returns the chosen files of a kind in the order in which they start. */
const filesOf = (kind: Kind): readonly string[] =>
  mostUrgentFirst(
    files.filter((file) => kindOf(file) === kind),
    urgency,
  );

const hasOwn = (file: string): boolean => isLong(file) || failedBefore(file);

/**
 * Returns the groups of a kind's files that share a process each: every file that failed last or is long,
 * then the others in a number of groups, and as many of proofs.
 */
function groupsOf(kind: Kind, most: number): (readonly string[])[] {
  const chosen = filesOf(kind);
  const others = chosen.filter((file) => !hasOwn(file));
  const shared = [false, true].flatMap((ofProofs) =>
    evenGroups(
      others.filter((file) => isProof(file) === ofProofs),
      most,
    ),
  );
  return mostUrgentGroups(
    [
      ...chosen.filter(hasOwn).map((file) => [file]),
      ...shared.map((group) => mostUrgentFirst(group, urgency)),
    ],
    urgency,
  );
}

/** Takes groups from a queue and runs them in order, a number in parallel. */
async function drain(
  queue: (readonly string[])[],
  lanes: number,
  isInBackground: () => boolean,
): Promise<void> {
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next && !ending.signal.aborted; next = queue.shift())
      await runGroup(
        { files: next, manner: { isInBackground: isInBackground(), times } },
        { onEnd: sayFile, silentMsOf, endsAtFailure, signal: ending.signal },
      );
  };
  await Promise.all(Array.from({ length: Math.min(lanes, queue.length) }, lane));
}

const failedScripts: string[] = [];

/** Runs the npm scripts that go with the tests, and prints what a failed one printed. */
async function runScripts(): Promise<void> {
  for await (const { script, isFine, durationMs, output } of npmScripts(scripts, ending.signal)) {
    if (ending.signal.aborted) return;
    say(`${isFine ? '✓' : '✗'} npm run ${script}  ${(durationMs / 1000).toFixed(1)} s`);
    if (isFine) continue;
    failedScripts.push(script);
    say(output.trimEnd());
    if (endsAtFailure) ending.abort();
  }
}

// Each of the runs in parallel listens to the end of this process, and Node warns of more than ten.
process.setMaxListeners(0);

endAtSignal(() => ending.abort());

/**
 * Runs all files in two lanes from the first second: one for what needs the clock, one for what computes. The
 * second yields to the first as long as that has work; then both compute. A third fills what they leave
 * idle.
 */
async function runAll(): Promise<void> {
  let needsClock = true;
  const clock = async (): Promise<void> => {
    const alone = groupsOf('alone', 1);
    const failed = alone.filter((group) => group.some(failedBefore));
    const others = alone.filter((group) => !failed.includes(group));
    await drain(failed, 1, () => false);
    await drain(groupsOf('paced', PACED), PACED, () => false);
    await drain(others, 1, () => false);
    needsClock = false;
  };
  // Of two that are as urgent the longest first, a group like a long file: the last ones end together.
  const computing = mostUrgentGroups(
    [
      ...groupsOf('background', COMPUTING),
      ...groupsOf('unit', UNIT_PROCESSES),
      ...groupsOf('long', LONG_PROCESSES),
      ...groupsOf('command', COMPUTING),
    ],
    urgency,
  );
  const filling = computing.filter((group) => fillsIdleCores(group, urgency));
  const others = computing.filter((group) => !filling.includes(group));
  const compute = async (lanes: number, isInBackground: () => boolean): Promise<void> => {
    await drain(others, lanes, isInBackground);
    await drain(filling, lanes, isInBackground);
  };
  await Promise.all([
    drain(
      filesOf('wait').map((file) => [file]),
      WAITING,
      () => false,
    ),
    // Then its lanes compute as well: what waits for servers and timers leaves cores idle.
    clock().then(() => compute(LATER_LANES, () => false)),
    compute(COMPUTING, () => needsClock),
    drain(filling, FILLING, () => true),
  ]);
}

const ofScripts = runScripts();
const unshare = await share(files);
await Promise.all([ofScripts, runAll()]);
await unshare();

const notRun = ending.signal.aborted ? files.filter((file) => !tallies.has(file)) : [];
const ran = files.filter((file) => !notRun.includes(file));
// The first failure ends all, with the rest of its file.
const cutShort = ran.filter(
  (file) => tallies.get(file)?.isEnded !== true && !(ending.signal.aborted && tallies.get(file)?.failed),
);
for (const file of cutShort) say(`✗ ${relative(root, file)}  was not run to its end`);
const silent = ran.filter((file) => {
  const tally = tallies.get(file);
  return tally?.isEnded === true && tally.passed + tally.failed + tally.skipped === 0;
});
for (const file of silent) say(`✗ ${relative(root, file)}  holds no test`);
const sum = (count: 'passed' | 'failed' | 'skipped'): number =>
  [...tallies.values()].reduce((total, tally) => total + tally[count], 0);
const failed = sum('failed') + silent.length + cutShort.length + failedScripts.length;
rememberFailed(
  memory,
  ran.map((file) => [
    nameOf(file),
    tallies.get(file)?.failed !== 0 || [...silent, ...cutShort].includes(file),
  ]),
);
for (const [file, tally] of tallies) if (tally.failed > 0) say(`✗ ${relative(root, file)}  failed`);
for (const script of failedScripts) say(`✗ npm run ${script}  failed`);
if (times !== null) say(timesTable(readTimes(times), (file) => relative(root, file)).join('\n'));
if (notRun.length > 0)
  say(`Not run after the first failure: ${notRun.length} ${notRun.length === 1 ? 'file' : 'files'}`);
say(`\n${coresUsed()}\n\n${sum('passed')} passed, ${failed} failed, ${sum('skipped')} skipped`);
if (sum('passed') === 0 || failed > 0) process.exitCode = 1;
