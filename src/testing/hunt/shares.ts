import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Happening, HuntName } from './hunt.js';

/** What one worker does. */
export interface Share {
  readonly names: readonly HuntName[];
  readonly spends: 'work' | 'waits';
  readonly seed: number;
  /** Unix ms. */
  readonly until: number;
  /** The worker takes every `of`th case, from the `nth` on. */
  readonly nth: number;
  readonly of: number;
  /** Where a profile may keep its place. */
  readonly directory: string;
}

/** The hunts that have something to do for each way to spend time. */
const SPENDING: Readonly<Record<Share['spends'], readonly HuntName[]>> = {
  work: ['stores', 'pairs', 'limiters', 'explore'],
  waits: ['keys', 'pairs'],
};

/**
 * Two workers, for two cores: hunts that mostly wait go beside those that work, which would slow each other; hunts of one
 * way to spend time alone are shared between both.
 */
export function sharesOf(
  names: readonly HuntName[],
  bounds: Pick<Share, 'seed' | 'until' | 'directory'>,
): readonly Share[] {
  const shares = (['work', 'waits'] as const)
    .map((spends) => ({ spends, names: SPENDING[spends].filter((name) => names.includes(name)) }))
    .filter((share) => share.names.length > 0);
  const [only] = shares;
  if (shares.length !== 1 || only === undefined) return shares.map((share) => ({ ...bounds, ...share, nth: 0, of: 1 }));
  return [0, 1].map((nth) => ({ ...bounds, ...only, nth, of: 2 }));
}

/** Runs shares to their end. An interruption ends them where they stand: a case may take a minute. Throws what one of them threw. */
export async function runShares(
  shares: readonly Share[],
  signal: AbortSignal,
  say: (happening: Happening) => void,
): Promise<void> {
  const workers = shares.map((share) => new Worker(new URL('worker.js', import.meta.url), { workerData: share }));
  const stop = () => workers.forEach((worker) => void worker.terminate());
  signal.addEventListener('abort', stop);
  try {
    await Promise.all(workers.map((worker) => once(worker.on('message', say), 'exit')));
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}
