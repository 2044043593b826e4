import { connect, type NetConnectOpts } from 'node:net';
import { endpointOf, isLoopback } from '../wire/targets/base-url.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchTree } from './watch-tree.js';

export type Trigger =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'server' | 'enter' };

export interface Watched {
  readonly baseUrl: string;
  readonly folder?: string | undefined;
  /** Input on which Enter triggers a run. */
  readonly input?: NodeJS.ReadableStream | undefined;
  /** Called when the server has been away for longer than a restart takes. */
  readonly onGone: () => void;
  /** Time without the server until `onGone`, ms; `RESTART_MS` by default. */
  readonly goneAfterMs?: number;
  /** Called once, when the system cannot watch the whole folder. */
  readonly onLimit?: () => void;
  readonly signal: AbortSignal;
}

/** Time without changes until they count as one, ms: an editor or a compiler writes several files in a row. */
const QUIET_MS = 150;
/** Longest time that a server takes for a restart, ms: until then nothing is said. */
export const RESTART_MS = 10_000;

/** Waits until a server accepts connections, or for `RESTART_MS` at most. Returns whether it does. */
export async function untilListening(
  baseUrl: string,
  signal: AbortSignal,
  mostMs = RESTART_MS,
): Promise<boolean> {
  const place = { ...endpointOf(new URL(baseUrl)), timeout: FAR_MS };
  const until = Date.now() + mostMs;
  for (;;) {
    if (await accepts(place)) return true;
    if (signal.aborted || Date.now() >= until) return false;
    await sleep(NEAR_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Starts watching. Throws the error if the folder cannot be watched. */
export function watchFor({
  baseUrl,
  folder,
  input,
  onGone,
  goneAfterMs = RESTART_MS,
  onLimit = () => undefined,
  signal,
}: Watched) {
  let pending: Trigger | null = null;
  let waiter: ((trigger: Trigger | null) => void) | null = null;
  let settling: NodeJS.Timeout | undefined;
  const fire = (trigger: Trigger): void => {
    if (waiter) waiter(trigger);
    else pending = trigger;
    waiter = null;
  };
  const unwatch =
    folder === undefined
      ? () => undefined
      : watchTree(folder, {
          onChange(file) {
            clearTimeout(settling);
            settling = setTimeout(() => fire({ kind: 'file', file }), QUIET_MS);
          },
          onLimit,
        });
  const onData = (data: Buffer | string): void =>
    void (String(data).includes('\n') && fire({ kind: 'enter' }));
  input?.on('data', onData);
  let away: NodeJS.Timeout | undefined;
  const unfollow = followServer(baseUrl, (listens) => {
    clearTimeout(away);
    if (listens) fire({ kind: 'server' });
    else away = setTimeout(onGone, goneAfterMs);
  });
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
    /** Forgets a restart that was seen: the run that starts now tests the restarted server. */
    forgetRestart(): void {
      if (pending?.kind === 'server') pending = null;
    },
    [Symbol.dispose](): void {
      clearTimeout(away);
      signal.removeEventListener('abort', end);
      clearTimeout(settling);
      unwatch();
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
 * Reports when a server stops listening and when it listens again. A check is a connection that closes
 * immediately: it uses no rate limit and sends no key.
 *
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
  const look = async (): Promise<void> => {
    const listens = await accepts(place);
    if (isOver) return;
    if (listens !== listened) onChange((listened = listens));
    timer = setTimeout(() => void look(), everyMs);
  };
  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

function accepts(place: NetConnectOpts & { readonly timeout: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(place);
    const end = (listens: boolean): void => {
      socket.removeAllListeners().on('error', () => undefined);
      socket.destroy();
      resolve(listens);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    // After a standstill of this process its timer comes before the connection that has been waiting.
    socket.once('timeout', () => setImmediate(() => end(false)));
  });
}
