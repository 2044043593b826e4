import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { UsageError } from '../base/kernel/errors.js';
import type { CommandEnd } from '../log/record.js';

/**
 * Characters of output that are kept from its beginning, and from its end: a test's first error and its
 * summary.
 */
const KEPT = 8_000;
/** Time that a process group has to end after SIGTERM, ms. */
const GRACE_MS = 2_000;

/** Longest wait for the rest of an output, ms. */
const LAST_OUTPUT_MS = 500;

export interface UnderTest {
  /** Null to wait for the signal. */
  readonly words: readonly string[] | null;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

interface Place {
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly scenario: string;
  /** Time for the command, ms; without it, it ends by itself or with the signal. */
  readonly most?: number;
}

interface Ended {
  readonly command: CommandEnd | null;
  /** True if it ended by itself. */
  readonly finished: boolean;
}

/**
 * Runs a command in its own process group, with the place of its server in its environment, and keeps its
 * output, bounded; without a command waits for the signal. Ends the whole group when its time is over, when
 * the signal aborts, and when the command has ended and left children. Throws UsageError for a command that
 * cannot start.
 */
export async function whileCommandRuns(
  { words, env, signal }: UnderTest,
  { baseUrl, key, scenario, most }: Place,
): Promise<Ended> {
  if (words === null) {
    if (!signal.aborted) await once(signal, 'abort');
    return { command: null, finished: false };
  }
  const place = {
    PETSTORE_BASE_URL: baseUrl,
    ...(key !== undefined && { PETSTORE_API_KEY: key }),
    PETSTORE_SCENARIO: scenario,
    ...withoutProxy(env, baseUrl),
  };
  const [program = '', ...args] = words;
  const child = spawn(program, args, {
    env: { ...env, ...place },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = keeper();
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', output.add);
  // Not its end of output: a child of the command may keep the pipes open.
  const exited = new Promise<number | null>((done, fail) => {
    child.once('exit', done);
    child.once('error', (error: NodeJS.ErrnoException) => fail(cannotStart(program, error)));
  });
  const closed = new Promise((done) => child.once('close', done));
  const state = { timedOut: false, stopped: false };
  const stop = (): void => {
    state.stopped = true;
    endGroup(child.pid, 'SIGTERM');
    setTimeout(() => endGroup(child.pid, 'SIGKILL'), GRACE_MS).unref();
  };
  const timeOut = (): void => {
    state.timedOut = true;
    stop();
  };
  const timer = most === undefined ? undefined : setTimeout(timeOut, most);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const code = await exited;
    endGroup(child.pid, 'SIGKILL');
    // The last output may still be in the pipes. A process that left the group can keep them open, and with them this one.
    await Promise.race([closed, pause(LAST_OUTPUT_MS)]);
    child.stdout.destroy();
    child.stderr.destroy();
    return {
      command: {
        ...(code !== null && { exitCode: code }),
        ...(state.timedOut && { timedOut: true }),
        output: output.text(),
      },
      finished: !state.stopped,
    };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    endGroup(child.pid, 'SIGKILL');
  }
}

/**
 * Returns the variables that keep a client from sending to its machine's proxy what is meant for an address
 * here: the request would not arrive, and the key would. Libraries read either spelling, so both hold all
 * names of both.
 */
export function withoutProxy(
  env: NodeJS.ProcessEnv,
  baseUrl: string,
): Record<'NO_PROXY' | 'no_proxy', string> {
  // In brackets and without: libraries differ in how they write an IPv6 address.
  const { hostname } = new URL(baseUrl);
  const given = [env['NO_PROXY'], env['no_proxy']].flatMap((list) => list?.split(/[\s,]+/) ?? []);
  const names = [...given, hostname, hostname.replace(/^\[(.*)\]$/, '$1')].filter(Boolean);
  const all = names.includes('*') ? '*' : [...new Set(names)].join(',');
  return { NO_PROXY: all, no_proxy: all };
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

/** What a cut leaves of a word, also of a long token. */
const CUT_AT_END = /\S{1,2000}$/;
const CUT_AT_START = /^\S{1,2000}/;

function keeper() {
  let first = '';
  let last = '';
  let left = 0;
  return {
    add: (text: string): void => {
      const room = KEPT - first.length;
      first += text.slice(0, room);
      const rest = last + text.slice(room);
      left += Math.max(0, rest.length - KEPT);
      last = rest.slice(-KEPT);
    },
    text(): string {
      if (left === 0) return first + last;
      // A part of a secret would no longer be found.
      const [begun, ended] = [first.replace(CUT_AT_END, ''), last.replace(CUT_AT_START, '')];
      const cut = first.length - begun.length + last.length - ended.length;
      return `${begun}\n… (${left + cut} characters left out)\n${ended}`;
    },
  };
}

const cannotStart = (program: string, error: NodeJS.ErrnoException): UsageError =>
  new UsageError(
    'client-command',
    `The command "${program}" cannot be started (${error.code === 'ENOENT' ? 'it was not found' : error.message}).`,
    'Write the command behind --, as in a shell: -- npm test',
    { cause: error },
  );
