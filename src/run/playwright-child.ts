import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RequirementId } from '../contract/types.js';
import type { OwnOrder } from '../own/own-fixture.js';
import { OWN_VARIABLE, KEYS_VARIABLE, ORDER_VARIABLE, OUTPUT_VARIABLE, SELECTED_VARIABLE } from '../suite/variables.js';
import type { WorkerOrder } from '../suite/worker-fixture.js';
import { packageRoot } from '../contract/package.js';

/** Options of the Playwright process. */
interface ChildOptions {
  readonly order: WorkerOrder;
  /** In clear, the suites' own first; they travel in the environment only. */
  readonly keys: readonly string[];
  /** The requirements to state; null for all. */
  readonly selected: readonly RequirementId[] | null;
  /** Where Playwright may put its own report; a folder of its own, because it is emptied first. */
  readonly outputDir: string;
  /** Own suites, which are run instead of the kit's. */
  readonly own?: OwnOrder;
  /** Hears what the process tells. */
  readonly onMessage?: (message: unknown) => void;
}

/** Time limit for Playwright to close its workers on a stop, ms. */
const PATIENCE_MS = 5000;

/** Result of a Playwright process. */
export interface Ended {
  readonly code: number | null;
  /** Its output, for error reports. */
  readonly output: string;
}

/** A Playwright process that has been started and does nothing before the log says that the suites' phase has begun. */
export interface PlaywrightChild {
  /** Waits for its end; the signal ends it in good order. */
  readonly run: (signal: AbortSignal) => Promise<Ended>;
  /** Ends it at once, with its workers, where it has nothing to do or to lose. */
  readonly discard: () => void;
}

/**
 * Starts the suites in a Playwright process: most of what they take is its start, which nobody need wait for. The
 * verdict is in the log; the exit code says only whether the process went through. The child is the leader of a group of
 * its own, so that an interrupt from a terminal reaches it once, through us, and it ends by itself when the channel to
 * this process breaks.
 */
export function startPlaywright({ order, keys, selected, outputDir, own, onMessage }: ChildOptions): PlaywrightChild {
  const cli = createRequire(import.meta.url).resolve('@playwright/test/cli');
  const child = spawn(
    process.execPath,
    [cli, 'test', '--config', ...(own ? [OWN_CONFIG, '--pass-with-no-tests'] : [configFile()])],
    {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
      windowsHide: true,
      env: {
        ...process.env,
        [ORDER_VARIABLE]: JSON.stringify(order),
        [KEYS_VARIABLE]: JSON.stringify(keys),
        [OUTPUT_VARIABLE]: outputDir,
        ...(selected && { [SELECTED_VARIABLE]: selected.join(',') }),
        ...(own && { [OWN_VARIABLE]: JSON.stringify(own) }),
        // The kit's suites are compiled: without its loader for TypeScript, Playwright starts half a second sooner.
        PW_DISABLE_TS_ESM: own ? '' : '1',
        // A debugger or a preload of this process is not meant for its child.
        NODE_OPTIONS: [
          heapFor(order.limits.maxBodyBytes + (own ? COMPILER_BYTES : 0)),
          ...(own ? [`--import ${KIT}`] : []),
        ].join(' '),
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
  // Whoever waits for the end hears of a failure; a child that is discarded fails nobody.
  ended.catch(() => undefined);
  const endGroup = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All of it has ended by itself; or the system knows no groups, and then a signal reaches the runner alone.
      child.kill('SIGKILL');
    }
  };
  return {
    run: async (signal) => {
      let killer: NodeJS.Timeout | undefined;
      const stop = () => {
        // Playwright closes its workers and writes its reports on SIGINT, and on no other signal.
        child.kill('SIGINT');
        killer = setTimeout(endGroup, PATIENCE_MS);
      };
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      try {
        return { code: await ended, output };
      } finally {
        clearTimeout(killer);
        // A worker that hangs in an answer hears no signal, and would outlive its runner.
        endGroup();
        signal.removeEventListener('abort', stop);
      }
    },
    discard: endGroup,
  };
}

/** What the suites' process takes when bodies are small, and for each megabyte that a body may have once it is read; MB. */
const HEAP = { base: 72, perMegabyte: 56 };
/** Of what was just made little lives on: with more room for it, it only takes memory sooner than it is collected; MB. */
const YOUNG = 2;

/** What a compiler for TypeScript takes beside, as if bodies were so much larger. */
const COMPILER_BYTES = 2 * 2 ** 20;

/** Of own suites: their configuration, and what tells them which kit runs them. */
const OWN_CONFIG = join(import.meta.dirname, '../own/playwright.config.js');
const KIT = pathToFileURL(join(import.meta.dirname, '../own/resolve-kit.js')).href;

/** Has the C library (glibc; others do not know the names) give large buffers back when they are freed; bytes. */
const FREED = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

/** Keeps the process small: left alone, it would take memory for as long as the machine has some. */
const heapFor = (maxBodyBytes: number): string =>
  `--max-semi-space-size=${YOUNG} --max-old-space-size=${HEAP.base + HEAP.perMegabyte * Math.ceil(maxBodyBytes / 2 ** 20)}`;

/** The compiled configuration: Playwright transpiles nothing inside node_modules. */
function configFile(): string {
  const beside = join(import.meta.dirname, '../../playwright.config.js');
  return existsSync(beside) ? beside : join(packageRoot(), 'dist/playwright.config.js');
}
