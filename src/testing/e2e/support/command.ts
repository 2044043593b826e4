import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runWords } from '../../../cli/commands.js';
import type { Io } from '../../../cli/io.js';

/** The built command, as npm links it. */
export const MAIN = join(import.meta.dirname, '../../../cli/main.js');

/** How a process ended, and all that it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process that was started. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves once standard output holds a text; rejects when the process ends without. */
  shows(this: void, pattern: RegExp): Promise<RegExpExecArray>;
}

/** Where and with what a process is started. */
export interface Place {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What a test's own process has in its environment and the command under test must not see. */
const FOREIGN = /^(NODE_TEST_CONTEXT|GITHUB_|CI$|FORCE_COLOR|NO_COLOR|PETSTORE_|NODE_OPTIONS|npm_)/;

const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)));

/** Starts the command. */
export const start = (words: readonly string[], place: Place): Running =>
  startProcess(process.execPath, [MAIN, ...words], place);

/** Starts the command and waits for its end. */
export const petstore = (words: readonly string[], place: Place): Promise<Ended> => start(words, place).ended;

let isBusy = false;

/**
 * What the command does with its words, without the start of a process, which takes longer than most of what it is asked for.
 * One at a time: a process stands in one folder and has one environment. What is not said to the streams it is given goes
 * unseen here, so that whatever must not come out anywhere is looked for in a process that was started.
 */
export async function petstoreHere(words: readonly string[], { cwd, env = {} }: Place): Promise<Ended> {
  if (isBusy) throw new Error('The command runs in this process already.');
  isBusy = true;
  const before = { cwd: process.cwd(), env: process.env, umask: process.umask(0o077) };
  const [out, err] = [new PassThrough(), new PassThrough()];
  const said = [text(out), text(err)] as const;
  try {
    process.chdir(cwd);
    process.env = { ...clean, ...env };
    const io = { in: Readable.from([]), out, err, env: process.env } as unknown as Io;
    const code = await runWords(words, io);
    out.end();
    err.end();
    return { code, signal: null, stdout: await said[0], stderr: await said[1] };
  } finally {
    process.umask(before.umask);
    process.env = before.env;
    process.chdir(before.cwd);
    isBusy = false;
  }
}

/**
 * Starts the command at a terminal of its own, on which somebody types. It takes the place of the shell that `script` asks:
 * some shells tell of an interrupt at the terminal themselves, whatever the command made of it.
 */
export const atTerminal = (words: string, { cwd, env = {} }: Place): Running =>
  startProcess(
    'script',
    ['-qec', `exec ${process.execPath} ${MAIN} ${words}`, '/dev/null'],
    { cwd, env: { ...env, TERM: 'xterm' } },
    'typed',
  );

/** Starts any program in a clean environment; what is `typed` comes from a pipe, and otherwise nothing does. */
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
  return {
    child,
    ended,
    shows: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(stdout);
          if (!found) return;
          child.stdout.off('data', look);
          resolve(found);
        };
        child.stdout.on('data', look);
        look();
        void ended.then(({ code }) => reject(new Error(`ended with ${code} before ${pattern}:\n${stdout}${stderr}`)));
      }),
  };
}
