import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from './command.js';

/** Longest wait for one thing, ms: fifty times what it takes on a quiet machine. */
export const LONGEST_WAIT_MS = 180_000;
/** Interval of looking, ms. */
const LOOK_MS = 20;

/**
 * Waits until something is so, where no event says it, and returns it. Rejects with the output of the
 * processes that it depends on if one of them has ended before, or after `LONGEST_WAIT_MS`.
 *
 * @param what the thing, in words that follow "waited for"
 */
export async function until<Value>(
  what: string,
  look: () => Value | Promise<Value>,
  ...processes: readonly Running[]
): Promise<Exclude<Value, false | null | undefined>> {
  const giveUpAt = performance.now() + LONGEST_WAIT_MS;
  let hasEnded = false;
  for (const { ended } of processes) void ended.then(() => (hasEnded = true));
  for (;;) {
    // Read before looking: what a process did before its end counts.
    const isOver = hasEnded || performance.now() > giveUpAt;
    const found = await look();
    if (found !== false && found !== null && found !== undefined)
      return found as Exclude<Value, false | null | undefined>;
    if (isOver) throw new Error([`waited for ${what}`, ...processes.map(shown)].join('\n'));
    await sleep(LOOK_MS);
  }
}

/** Returns how a process is, and all that it printed. */
export function shown({ child, output }: Running): string {
  const { exitCode, signalCode, spawnargs } = child;
  const state = exitCode === null && signalCode === null ? 'runs' : `ended with ${exitCode ?? signalCode}`;
  return `${spawnargs.slice(0, 3).join(' ')} ${state} and printed:\n${output()}`;
}
