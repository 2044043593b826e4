import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { Io } from '../../../app/cli/io.js';
import { LONGEST_WAIT_MS, shown } from './until.js';

/** Path of the built command, as npm links it. */
export const MAIN = join(import.meta.dirname, '../../../app/cli/main.js');

/** Exit code of a process, and all its output. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Returns all that it has printed so far. */
  output(this: void): string;
  /**
   * Resolves once standard output matches; rejects if the process ends without a match, or after
   * `LONGEST_WAIT_MS`.
   */
  shows(this: void, pattern: RegExp): Promise<RegExpExecArray>;
}

/** Working folder, environment and input of a process. */
export interface Place {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Variables of the test's own process that the command under test must not see. */
const FOREIGN =
  /^(NODE_TEST_CONTEXT|GITHUB_|CI$|CI_|GITLAB_|JENKINS_|TF_BUILD$|BUILD_|GIT_|FORCE_COLOR|NO_COLOR|PETSTORE_|NODE_OPTIONS|npm_)/;

const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)));

/** Starts the command. */
export const start = (words: readonly string[], place: Place): Running =>
  startProcess(process.execPath, [MAIN, ...words], place);

/** Starts the command and waits for its end. */
export const petstore = (words: readonly string[], place: Place): Promise<Ended> => start(words, place).ended;

/**
 * Variables with which a started command runs the kit's suites in its own process: two processes less, for
 * tests in which the command must be a process, but not Playwright.
 */
export const SUITES_HERE = {
  NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'suites-here-first.js')).href}`,
};

/** The end of what was last started in this process. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the command in this process, and the kit's suites too, which saves the start of three. Runs one at a
 * time, the next after the last, because a process has one working folder and one environment. It sees only
 * output to the given streams; to prove that something appears nowhere, or something of Playwright, use
 * `petstore`.
 */
export function petstoreHere(words: readonly string[], place: Place): Promise<Ended> {
  const ended = last.then(() => runHere(words, place));
  last = ended.catch(() => undefined);
  return ended;
}

async function runHere(words: readonly string[], { cwd, env = {} }: Place): Promise<Ended> {
  const before = { cwd: process.cwd(), env: process.env, umask: process.umask(0o077) };
  const [out, err] = [new PassThrough(), new PassThrough()];
  const said = [text(out), text(err)] as const;
  try {
    process.chdir(cwd);
    process.env = { ...clean, ...env };
    const io = { in: Readable.from([]), out, err, env: process.env } as unknown as Io;
    (await import('./suites-here.js')).runSuitesHere();
    const { runWords } = await import('../../../app/cli/commands.js');
    const code = await runWords(words, io);
    out.end();
    err.end();
    return { code, signal: null, stdout: await said[0], stderr: await said[1] };
  } finally {
    process.umask(before.umask);
    process.env = before.env;
    process.chdir(before.cwd);
  }
}

/** Runs a line as a shell would: passes its words to the command, or runs the line if it has several commands. */
export async function inShell(line: string, place: Place): Promise<Ended> {
  const through = (command: string) =>
    startProcess('sh', ['-ec', line.replace(/^petstore-conformance/, command)], place).ended;
  if (/[|&;<>`]/.test(line)) return through(`"${process.execPath}" "${MAIN}"`);
  const { code, stdout, stderr } = await through(String.raw`printf '%s\0'`);
  if (code !== 0) throw new Error(`${line}\n${stderr}`);
  return petstoreHere(stdout.split('\0').slice(0, -1), place);
}

/**
 * Starts the command at its own terminal, and types there. The command replaces the shell that `script`
 * starts, because some shells report an interrupt at the terminal themselves.
 */
export const atTerminal = (words: string, { cwd, env = {} }: Place): Running =>
  startProcess(
    'script',
    ['-qec', `exec ${process.execPath} ${MAIN} ${words}`, '/dev/null'],
    { cwd, env: { ...env, TERM: 'xterm' } },
    'typed',
  );

/** Starts any program in a clean environment. Its standard input is `typed`, or empty by default. */
export function startProcess(
  program: string,
  words: readonly string[],
  { cwd, env = {} }: Place,
  input: 'nothing' | 'typed' = 'nothing',
): Running {
  const child = spawn(program, words, { cwd, env: { ...clean, ...env }, stdio: 'pipe' });
  if (input === 'nothing') child.stdin.end();
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([code, signal]): Ended => ({
    code: code as Ended['code'],
    signal: signal as Ended['signal'],
    stdout,
    stderr,
  }));
  const running: Running = {
    child,
    ended,
    output: () => stdout + stderr,
    shows: (pattern) =>
      new Promise((resolve, reject) => {
        const giveUp = (): void => {
          clearTimeout(patience);
          reject(new Error(`waited for ${pattern}\n${shown(running)}`));
        };
        const patience = setTimeout(giveUp, LONGEST_WAIT_MS);
        const look = () => {
          const found = pattern.exec(stdout);
          if (!found) return;
          clearTimeout(patience);
          child.stdout.off('data', look);
          resolve(found);
        };
        child.stdout.on('data', look);
        look();
        void ended.then(giveUp);
      }),
  };
  return running;
}
