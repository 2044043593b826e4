import { watch, type FSWatcher } from 'node:fs';
import { sep } from 'node:path';
import { connect } from 'node:net';
import { endpointOf, isLoopback } from '../targets/base-url.js';

/** Event that makes a watch run again. */
export type Trigger =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'server' }
  | { readonly kind: 'enter' };

/** Server and files to watch. */
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
interface Triggers {
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

/** Between two looks at a server on this machine, ms: a restart takes longer as a rule. */
const NEAR_MS = 250;
/** The same of a server elsewhere: it is not to be bothered more than once a second. */
const FAR_MS = 1_000;

/**
 * Tells when a server stops listening and when it listens again. A look is a connection that is closed at once: it takes
 * nothing of any allowance and carries no key.
 * @param onChange told whether it listens, from the second look on whenever that has changed; at the first where it does not
 * @returns a function that ends it
 */
function followServer(baseUrl: string, onChange: (listens: boolean) => void): () => void {
  const url = new URL(baseUrl);
  const everyMs = isLoopback(url) ? NEAR_MS : FAR_MS;
  const place = { ...endpointOf(url), timeout: FAR_MS };
  let listened = true;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const socket = connect(place);
    const tell = (listens: boolean): void => {
      socket.removeAllListeners().on('error', () => undefined);
      socket.destroy();
      if (isOver) return;
      if (listens !== listened) onChange((listened = listens));
      timer = setTimeout(look, everyMs);
    };
    socket.once('connect', () => tell(true));
    socket.once('timeout', () => tell(false));
    socket.once('error', () => tell(false));
  };
  look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
