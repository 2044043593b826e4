import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

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
