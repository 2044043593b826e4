import { setTimeout as sleep } from 'node:timers/promises';

/** Interval of writing, ms: shorter than any process of a fleet takes for its coordinator's silence. */
const INTERVAL_MS = 100;

/**
 * Writes again and again while something is awaited, and returns that once the last write has ended. Rejects
 * with what either of them failed with.
 */
export async function whileRepeating<Value>(
  write: () => Promise<unknown>,
  awaited: () => Promise<Value>,
): Promise<Value> {
  const end = new AbortController();
  const repeat = async (): Promise<void> => {
    while (!end.signal.aborted) {
      await write();
      await sleep(INTERVAL_MS);
    }
  };
  const watch = async (): Promise<Value> => {
    try {
      return await awaited();
    } finally {
      end.abort();
    }
  };
  const [found] = await Promise.all([watch(), repeat()]);
  return found;
}
