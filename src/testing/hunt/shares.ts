import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Happening, HuntName } from './hunt.js';

/** What one worker does. */
export interface Share {
  readonly names: readonly HuntName[];
  readonly seed: number;
  /** Unix ms. */
  readonly until: number;
  /** The worker takes every `of`th case, from the `nth` on. */
  readonly nth: number;
  readonly of: number;
  /** Where a profile may keep its place. */
  readonly directory: string;
}

/** Two workers, for two cores. */
const WORKERS = [0, 1];

/** Goes on the hunts to the end of their time. An interruption ends them where they stand: a case may take a minute. Throws what a worker threw. */
export async function runShares(
  bounds: Omit<Share, 'nth' | 'of'>,
  signal: AbortSignal,
  say: (happening: Happening) => void,
): Promise<void> {
  const shares = WORKERS.map((nth): Share => ({ ...bounds, nth, of: WORKERS.length }));
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
