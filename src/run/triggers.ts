import { watch, type FSWatcher } from 'node:fs';
import { sep } from 'node:path';
import { connect } from 'node:net';
import { endpointOf, isLoopback } from '../wire/targets/base-url.js';

export type Trigger = { readonly kind: 'file'; readonly file: string } | { readonly kind: 'server' | 'enter' };

export interface Watched {
  readonly baseUrl: string;
  readonly folder?: string | undefined;
  /** Input on which Enter triggers a run. */
  readonly input?: NodeJS.ReadableStream | undefined;
  readonly onGone: () => void;
  readonly signal: AbortSignal;
}

/** Time without changes until they count as one, ms: an editor or a compiler writes several files in a row. */
const QUIET_MS = 150;
/** Folders that other programs write, such as this kit's reports. */
const FOREIGN = new Set(['node_modules', '.git', 'reports']);

/** Is true if a change of a file may come from the user. */
export const isOfInterest = (file: string): boolean => !file.split(sep).some((part) => FOREIGN.has(part));

/** Starts watching. Throws the error if the folder cannot be watched. */
export function watchFor({ baseUrl, folder, input, onGone, signal }: Watched) {
  let pending: Trigger | null = null;
  let waiter: ((trigger: Trigger | null) => void) | null = null;
  let settling: NodeJS.Timeout | undefined;
  const fire = (trigger: Trigger): void => {
    if (waiter) waiter(trigger);
    else pending = trigger;
    waiter = null;
  };
  const files: FSWatcher | undefined =
    folder === undefined
      ? undefined
      : watch(folder, { recursive: true }, (_, name) => {
          if (name === null || !isOfInterest(name)) return;
          clearTimeout(settling);
          settling = setTimeout(() => fire({ kind: 'file', file: name }), QUIET_MS);
        });
  // A file that vanished before its inspection is no reason to end.
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
    /** Returns the next trigger, which may be earlier; null after the end. Several at a time count once. */
    async next(): Promise<Trigger | null> {
      const trigger = pending;
      pending = null;
      return signal.aborted ? null : (trigger ?? new Promise((resolve) => (waiter = resolve)));
    },
    [Symbol.dispose](): void {
      signal.removeEventListener('abort', end);
      clearTimeout(settling);
      files?.close();
      unfollow();
      input?.off('data', onData);
      input?.pause();
    },
  };
}

/** Interval of checks of a server on this machine, ms: a restart usually takes longer. */
const NEAR_MS = 250;
/** Interval for a server elsewhere, at most once a second. */
const FAR_MS = 1_000;

/**
 * Reports when a server stops listening and when it listens again. A check is a connection that closes immediately: it uses no
 * rate limit and sends no key.
 * @param onChange called at each change, and at the first check if it does not listen
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
