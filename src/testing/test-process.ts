import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import type { Manner } from './one-process.js';
import { kill, killWorkersOf, pidIn } from './test-kill.js';
import { SilenceWatch } from './test-silence.js';

/** Processes of test files: what each runs, and what came of its files. */

/** What one process runs, one file after the other. */
export interface Group {
  readonly files: readonly string[];
  readonly manner: Manner;
}

/** What came of a file. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  durationMs: number;
  /** Its output, shown if one of its tests fails. */
  output: string;
  /** Whether its suite ended, passed or failed: not if the process ended early. */
  isEnded: boolean;
}

/** Folder for the entry files of processes; they hold only names of test files. */
const entries = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
process.on('exit', () => rmSync(entries, { recursive: true, force: true }));
let written = 0;

/** Writes the entry file of a process, and returns its path and that of the file with the process's id. */
function entryOf({ files, manner }: Group): { readonly path: string; readonly pidFile: string } {
  written += 1;
  const path = join(entries, `process-${written}.mjs`);
  const pidFile = `${path}.pid`;
  const [first, runner] = ['without-test-hooks.js', 'one-process.js'].map((name) =>
    JSON.stringify(pathToFileURL(join(import.meta.dirname, name)).href),
  );
  writeFileSync(
    path,
    `import ${first};
import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
const { runInOneProcess } = await import(${runner});
runInOneProcess(${JSON.stringify(files)}, ${JSON.stringify(manner)});
`,
  );
  return { path, pidFile };
}

const isGiven = (mark: string | boolean | undefined): boolean => mark !== undefined && mark !== false;
const failureTypeOf = (error: Error): unknown => 'failureType' in error && error.failureType;

const newTally = (): Tally => ({
  passed: 0,
  failed: 0,
  skipped: 0,
  durationMs: 0,
  output: '',
  isEnded: false,
});

/** How a group is watched. */
export interface Watch {
  /** Takes a file, its tally and its failures as text. */
  readonly onEnd: (file: string, tally: Tally, failures: string) => void;
  /**
   * Longest time in which no test of a file begins or ends, ms; then its process is ended, and the file
   * failed.
   */
  readonly silentMsOf: (file: string) => number;
  /** Whether a file ends with its first failure, as does what it would have run then. */
  readonly endsAtFailure: boolean;
  /** Ends the process early. */
  readonly signal: AbortSignal;
}

/** Runs a group in a process, and reports each of its files when it ends. */
export async function runGroup(
  group: Group,
  { onEnd, silentMsOf, endsAtFailure, signal }: Watch,
): Promise<void> {
  const failures = new spec();
  let shown = '';
  failures.on('data', (piece: Buffer | string) => (shown += piece.toString()));
  const holds = new Set<unknown>(group.files);
  const tallies = new Map<string, Tally>();
  const tallyOf = (file: string): Tally => {
    const tally = tallies.get(file) ?? newTally();
    tallies.set(file, tally);
    return tally;
  };
  let current = group.files[0] ?? '';
  const end = (file: string): void => {
    onEnd(file, tallyOf(file), shown);
    shown = '';
  };
  const { path, pidFile } = entryOf(group);
  using silence = new SilenceWatch({
    pidFile,
    files: group.files,
    silentMsOf,
    onSilent: (file = current, text) => {
      tallyOf(file).failed += 1;
      shown += text;
    },
  });
  const stopping = new AbortController();
  const either = AbortSignal.any([signal, stopping.signal]);
  const endNow = (): void => {
    const pid = pidIn(pidFile);
    if (pid === undefined) return;
    killWorkersOf(pid);
    kill(pid);
  };
  either.addEventListener('abort', endNow, { once: true });
  for await (const event of run({ files: [path], concurrency: 1, signal: either })) {
    if (stopping.signal.aborted) continue;
    const { type, data } = event;
    if (type === 'test:dequeue') silence.begins(data);
    if (type === 'test:complete') silence.ends(data);
    if (!['test:start', 'test:pass', 'test:fail', 'test:stdout', 'test:stderr'].includes(type)) continue;
    const named = ['name' in data && data.name, 'file' in data && data.file].find((name) => holds.has(name));
    const file = typeof named === 'string' ? named : current;
    if (file !== current) end(current);
    current = file;
    const tally = tallyOf(file);
    if (type === 'test:stdout' || type === 'test:stderr') tally.output += data.message;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    // A file is a suite, so its tests are nested one level deeper.
    if (data.name === file) {
      tally.durationMs += data.details.duration_ms;
      tally.isEnded = true;
    }
    if (isGiven(data.skip) || isGiven(data.todo)) tally.skipped += 1;
    // node:test reports a file without tests as a passed test with the file's name.
    else if (type === 'test:pass')
      tally.passed += data.details.type === 'suite' || data.name === file || data.name === path ? 0 : 1;
    else {
      failures.write(event);
      // A test that failed because of its subtest does not count again.
      tally.failed += failureTypeOf(data.details.error) === 'subtestsFailed' ? 0 : 1;
      if (!endsAtFailure) continue;
      failures.end();
      end(current);
      stopping.abort();
    }
  }
  if (stopping.signal.aborted) return;
  failures.end();
  end(current);
}
