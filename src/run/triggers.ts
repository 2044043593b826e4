import { watch, type FSWatcher } from 'node:fs';
import { sep } from 'node:path';
import { followServer } from './server-pulse.js';

/** What makes a watch look again. */
export type Trigger =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'server' }
  | { readonly kind: 'enter' };

/** What is watched. */
export interface Watched {
  readonly baseUrl: string;
  /** A folder with all below it. */
  readonly folder?: string | undefined;
  /** Whoever presses Enter. */
  readonly input?: NodeJS.ReadableStream | undefined;
  /** Told when the server stops listening. */
  readonly onGone: () => void;
  readonly signal: AbortSignal;
}

/** Triggers one after the other. */
export interface Triggers {
  /** The next one, which may have come before; null once the watch is over. What came several times meanwhile comes once. */
  readonly next: () => Promise<Trigger | null>;
  readonly close: () => void;
}

/** An editor or a compiler writes several files in a row: so long after the last one they count as one change, ms. */
const QUIET_MS = 150;

/** Folders that others than the author write into, this kit's own reports among them. */
const FOREIGN = new Set(['node_modules', '.git', 'reports']);

/** Whether a change of a file says that somebody has changed something. */
export const isOfInterest = (file: string): boolean => !file.split(sep).some((part) => FOREIGN.has(part));

/** Begins to watch. Throws what the folder cannot be watched for. */
export function watchFor({ baseUrl, folder, input, onGone, signal }: Watched): Triggers {
  let pending: Trigger | null = null;
  let waiter: ((trigger: Trigger | null) => void) | null = null;
  let settling: NodeJS.Timeout | undefined;
  const fire = (trigger: Trigger): void => {
    if (waiter) {
      waiter(trigger);
      waiter = null;
    } else pending = trigger;
  };
  const files: FSWatcher | undefined =
    folder === undefined
      ? undefined
      : watch(folder, { recursive: true }, (_, name) => {
          if (name === null || !isOfInterest(name)) return;
          clearTimeout(settling);
          settling = setTimeout(() => fire({ kind: 'file', file: name }), QUIET_MS);
        });
  // A file that is gone before it could be looked at is no reason to end.
  files?.on('error', () => undefined);
  const onData = (data: Buffer | string): void => void (String(data).includes('\n') && fire({ kind: 'enter' }));
  input?.on('data', onData);
  const unfollow = followServer(baseUrl, (listens) => (listens ? fire({ kind: 'server' }) : onGone()));
  const end = (): void => {
    waiter?.(null);
    waiter = null;
  };
  signal.addEventListener('abort', end, { once: true });
  return {
    next: () => {
      if (signal.aborted) return Promise.resolve(null);
      if (pending) {
        const trigger = pending;
        pending = null;
        return Promise.resolve(trigger);
      }
      return new Promise((resolve) => (waiter = resolve));
    },
    close() {
      signal.removeEventListener('abort', end);
      clearTimeout(settling);
      files?.close();
      unfollow();
      input?.off('data', onData);
      input?.pause();
    },
  };
}
