import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Happening, HuntName } from './hunt.js';

/** Work of one worker. */
export interface Share {
  readonly names: readonly HuntName[];
  readonly seed: number;
  /** Unix ms. */
  readonly until: number;
  /** The worker takes every `of`th case, from the `nth` on. */
  readonly nth: number;
  readonly of: number;
}

/** Two workers, for two cores. */
const WORKERS = [0, 1];

/** Runs the hunts until their time is over. An abort ends them within a case. Throws a worker's error. */
export async function runShares(
  bounds: Omit<Share, 'nth' | 'of'>,
  signal: AbortSignal,
  say: (happening: Happening) => void,
): Promise<void> {
  const shares = WORKERS.map((nth): Share => ({ ...bounds, nth, of: WORKERS.length }));
  const workers = shares.map(
    (share) => new Worker(new URL('worker.js', import.meta.url), { workerData: share }),
  );
  const stop = () => workers.forEach((worker) => void worker.terminate());
  signal.addEventListener('abort', stop);
  try {
    await Promise.all(workers.map((worker) => once(worker.on('message', say), 'exit')));
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}
