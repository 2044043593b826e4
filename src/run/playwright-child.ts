import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ORDER_VARIABLE, type WorkerOrder } from '../drive/suite/variables.js';
import { switchesForChild, wordsOfOptions } from './node-switches.js';
import { compiled } from '../base/kernel/package.js';
import { withoutPlaywrights } from './playwright-variables.js';

const PATIENCE_MS = 5000;

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

export type PlaywrightChild = ReturnType<typeof startPlaywright>;

/**
 * Starts the suites in a Playwright process early, because its start takes most of their time. The log has
 * the verdict; the exit code only shows a complete run. The child leads its own process group, so it receives
 * an interrupt from a terminal only once, from this process. It ends when the channel to this process
 * closes.
 */
export function startPlaywright(order: WorkerOrder, onMessage?: (message: unknown) => void) {
  const { own } = order;
  const cli = createRequire(import.meta.url).resolve('@playwright/test/cli');
  const child = spawn(
    process.execPath,
    [
      ...switchesForChild(process.execArgv),
      ...(own ? [] : ['--require', WITHOUT_COMPILER]),
      cli,
      'test',
      '--config',
      ...(own ? [OWN_CONFIG, '--pass-with-no-tests'] : [compiled('playwright.config.js')]),
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
      windowsHide: true,
      env: {
        ...withoutPlaywrights(process.env),
        [ORDER_VARIABLE]: JSON.stringify(order),
        // The kit's suites are compiled: without its loader for TypeScript, Playwright starts half a second sooner.
        PW_DISABLE_TS_ESM: own ? '' : '1',
        NODE_OPTIONS: [
          ...switchesForChild(wordsOfOptions(process.env['NODE_OPTIONS'] ?? '')),
          heapFor(order.limits.maxBodyBytes + (own ? COMPILER_BYTES : 0)),
          ...(own ? [`--import ${KIT}`] : []),
        ].join(' '),
        // A debugger that attaches by a preload and this variable is not for the child.
        VSCODE_INSPECTOR_OPTIONS: undefined,
        FORCE_COLOR: '0',
        ...FREED,
      },
    },
  );
  if (onMessage) child.on('message', onMessage);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
  // `run` reports a failure; a discarded child may fail.
  ended.catch(() => undefined);
  const endGroup = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has ended; or the system has no groups, and the signal reaches only the runner.
      child.kill('SIGKILL');
    }
  };
  return {
    /** Waits for its end; the signal stops it cleanly. */
    run: async (signal: AbortSignal): Promise<Ended> => {
      let killer: NodeJS.Timeout | undefined;
      const stop = () => {
        // Playwright closes its workers and writes its reports only on SIGINT.
        child.kill('SIGINT');
        killer = setTimeout(endGroup, PATIENCE_MS);
      };
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      try {
        return { code: await ended, output };
      } finally {
        clearTimeout(killer);
        // A worker that hangs in a response ignores signals, and would outlive its runner.
        endGroup();
        signal.removeEventListener('abort', stop);
      }
    },
    discard: endGroup,
  };
}

/** How the kit's suites are started. Tests of other things start them in the command's own process. */
export const suitesProcess: { start(this: void, order: WorkerOrder): PlaywrightChild } = {
  start: startPlaywright,
};

/** Memory of the suites' process for small bodies, and for each megabyte of a body's maximum size; MB. */
const HEAP = { base: 72, perMegabyte: 56 };
/**
 * Size of the young generation: less collects too often while Playwright loads, more keeps large bodies
 * longer; MB.
 */
const YOUNG = 8;
/** Memory for a TypeScript compiler, as additional body size. */
const COMPILER_BYTES = 2 * 2 ** 20;
/** Configuration of own suites, and the loader that points them to this kit. */
const OWN_CONFIG = join(import.meta.dirname, '../drive/own/playwright.config.js');
const KIT = pathToFileURL(join(import.meta.dirname, '../drive/own/resolve-kit.js')).href;
/** A module that keeps Playwright's compiler away, which own suites may need. */
const WITHOUT_COMPILER = join(import.meta.dirname, 'without-compiler.cjs');
/** Makes glibc return large freed buffers to the system (other C libraries ignore it); bytes. */
const FREED = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

/** Limits the heap: by default it would grow while the machine has memory. */
const heapFor = (maxBodyBytes: number): string =>
  `--max-semi-space-size=${YOUNG} --max-old-space-size=${HEAP.base + HEAP.perMegabyte * Math.ceil(maxBodyBytes / 2 ** 20)}`;
