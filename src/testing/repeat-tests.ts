import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { wordsOfOne } from './test-options.js';
import { endAtSignal } from './test-signals.js';

/** Keeps a core busy until it is ended, or its parent is gone. */
const BUSY = `const parent = process.ppid; for (;;) { const from = Date.now(); while (Date.now() - from < 1000); if (process.ppid !== parent) process.exit(); }`;

/**
 * Runs the tests several times, next to busy processes if any are asked for, and lists every file that failed
 * ever. Returns the exit code: 1 if one did.
 */
export async function repeated(
  given: readonly string[],
  { repeat, busy }: { readonly repeat: number; readonly busy: number },
): Promise<number> {
  const beside = Array.from({ length: busy }, () =>
    spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }),
  );
  let running: ChildProcess | null = null;
  endAtSignal((signal) => {
    running?.kill(signal);
    for (const child of beside) child.kill();
  });
  const failures = new Map<string, number>();
  let worst = 0;
  try {
    for (let nth = 1; nth <= repeat; nth++) {
      process.stdout.write(`\nRepetition ${nth} of ${repeat}, next to ${busy} busy processes\n`);
      const { code, failed } = await runOnce(wordsOfOne(given), (child) => (running = child));
      worst = Math.max(worst, code);
      for (const name of failed) failures.set(name, (failures.get(name) ?? 0) + 1);
    }
  } finally {
    await Promise.all(beside.map(ended));
  }
  const list = [...failures].map(([name, times]) => `✗ ${name}  ${times} of ${repeat} times`);
  process.stdout.write(
    `\n${list.length === 0 ? `Nothing failed in ${repeat} repetitions` : list.join('\n')}\n`,
  );
  return worst === 0 ? 0 : 1;
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}

/** A line of the runner that names what failed. */
const FAILED = /^✗ (\S+|npm run \S+) {2}(?:failed|was not run to its end|holds no test)$/;

/** Runs the tests once; prints what they print, and returns what failed. */
async function runOnce(
  words: readonly string[],
  onStart: (child: ChildProcess) => void,
): Promise<{ code: number; failed: readonly string[] }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run-tests.js'), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onStart(child);
  const failed: string[] = [];
  const exit = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    process.stdout.write(`${line}\n`);
    const [, name] = FAILED.exec(line) ?? [];
    if (name !== undefined) failed.push(name);
  }
  const [code] = (await exit) as [number | null];
  return { code: code ?? 1, failed };
}
