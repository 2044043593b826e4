import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';

/** What came of an npm script. */
export interface Ended {
  readonly script: string;
  readonly isFine: boolean;
  readonly durationMs: number;
  /** All that it printed. */
  readonly output: string;
}

/**
 * A program in Go, as the typed lint is one, collects no garbage until it has this much memory: otherwise
 * that takes a third of its processor time. It needs about 1.3 GB, and a little less with Go's usual
 * settings.
 */
const GO_MEMORY = { GOGC: 'off', GOMEMLIMIT: '1500MiB' } as const;

/**
 * Runs npm scripts one after the other, and yields how each ended. They have a low priority, so that they use
 * the cores that tests leave idle while they wait. With the lowest they would stand still next to busy
 * programs.
 *
 * @param signal ends them early
 */
export async function* npmScripts(
  scripts: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Ended, void> {
  for (const script of scripts) {
    if (signal.aborted) return;
    const from = performance.now();
    const child = spawn('npm', ['run', '--silent', script], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...GO_MEMORY, ...process.env },
    });
    const stop = (): void => void child.kill();
    signal.addEventListener('abort', stop);
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    const [[code], ...output] = await Promise.all([
      once(child, 'close'),
      text(child.stdout),
      text(child.stderr),
    ]);
    signal.removeEventListener('abort', stop);
    yield { script, isFine: code === 0, durationMs: performance.now() - from, output: output.join('') };
  }
}
