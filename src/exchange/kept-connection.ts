import { setMaxListeners } from 'node:events';
import { setImmediate as untilRead, setTimeout as sleep } from 'node:timers/promises';
import { openConnection, type Connection, type HttpLimits, type TimedAnswer, type WireRequest } from './connection.js';

/**
 * Time without requests on a connection after a response of a new kind, ms. Surplus bytes arrive with the response or soon
 * after, and would count as the response to the next request.
 */
const WATCHED_MS = 75;
/** Turns of the event loop in which a socket's bytes are read and handed on. */
const READING_TURNS = 3;

/** Known behaviour of a server after its responses. */
export type Afterwards = ReturnType<typeof nothingKnown>;

/** Returns the state before any observation. */
export const nothingKnown = () => ({
  /** Kinds of responses after which no bytes came and the connection stayed open. */
  quiet: new Set<string>(),
  /** True after bytes that belong to no response: no connection is reused any more. */
  surplus: false,
  /** Number of connections that broke under a request that reused them. */
  deaths: 0,
  /** True after a response on a reused connection: this server keeps connections open. */
  reused: false,
});

/**
 * Broken connections after which none is reused. A server may close an idle connection at any time, so one is no proof. Each
 * costs a request that the server may have counted.
 */
const MOST_DEATHS = 2;

/** Facts about a request in addition to its content. */
export interface Sending {
  /** True if it carries a valid key. Others reuse such a connection: a server must not authenticate per connection. */
  readonly isOwn: boolean;
  readonly kindOf: (answer: TimedAnswer) => string;
  /** Called once, when the first surplus bytes came after this response: before `send` returns, or later. */
  readonly onSurplus: () => void;
}

export type KeptConnection = ReturnType<typeof keptConnection>;

interface Held {
  readonly connection: Connection;
  /** Called when surplus bytes arrive. */
  onSurplus: () => void;
  /** True if it has carried a request with a valid key. */
  isOwned: boolean;
  /** Aborted when the server has closed it. */
  readonly closed: AbortController;
}

/** Opens connections on demand; `known` may be shared with others to the same server. */
export function keptConnection(origin: string, limits: HttpLimits, known: Afterwards) {
  let kept: Held | null = null;
  const watched = new Map<Held, Promise<void>>();
  const ending = new AbortController();
  // Every watched connection listens to it.
  setMaxListeners(0, ending.signal);

  function open(): Held {
    const closed = new AbortController();
    const held: Held = {
      connection: openConnection(origin, limits, {
        onSurplus: () => {
          if (!known.surplus) held.onSurplus();
          known.surplus = true;
        },
        onClosed: () => closed.abort(),
      }),
      onSurplus: () => undefined,
      isOwned: false,
      closed,
    };
    return held;
  }

  const isReusable = (): boolean => !known.surplus && known.deaths < MOST_DEATHS;

  /** Takes the connection for the next request; none is kept then. */
  async function taken(isOwn: boolean, isCreation: boolean): Promise<Held> {
    if (isReusable() && !isOwn && kept?.isOwned !== true) await [...watched].findLast(([held]) => held.isOwned)?.[1];
    const held = kept;
    kept = null;
    // A creation on a broken connection cannot be resent.
    if (held && isReusable() && !(isCreation && (known.deaths > 0 || !known.reused))) return held;
    void held?.connection.close();
    return open();
  }

  /** Keeps the connection if no bytes came, the server left it open, and no kept one is as good. */
  async function watch(held: Held, kind: string): Promise<void> {
    const signal = AbortSignal.any([ending.signal, held.closed.signal]);
    const isOver = await sleep(WATCHED_MS, true, { signal }).catch(() => false);
    // After a stall of this process, bytes that came in time are still to be read.
    for (let turn = 0; turn < READING_TURNS; turn += 1) await untilRead();
    watched.delete(held);
    const isQuiet = isOver && isReusable();
    if (isQuiet) known.quiet.add(kind);
    const isBetter = isQuiet && (kept === null || (held.isOwned && !kept.isOwned));
    const idle = isBetter ? kept : held;
    if (isBetter) kept = held;
    await idle?.connection.close();
  }

  return {
    async send(request: WireRequest, { isOwn, kindOf, onSurplus }: Sending): Promise<Omit<TimedAnswer, 'reuse'>> {
      const held = await taken(isOwn, request.method === 'POST');
      held.onSurplus = onSurplus;
      const { reuse, ...timed } = await held.connection.send(request);
      held.isOwned ||= isOwn;
      if (reuse === 'died') known.deaths += 1;
      else if (reuse === 'kept' && timed.answer.kind === 'response') known.reused = true;
      if (!isReusable()) void held.connection.close();
      else if (timed.answer.kind === 'none' || known.quiet.has(kindOf(timed))) {
        void kept?.connection.close();
        kept = held;
      } else watched.set(held, watch(held, kindOf(timed)));
      return timed;
    },
    /** Resolves when no connection is watched any more. */
    settled: async (): Promise<void> => void (await Promise.all(watched.values())),
    async close(): Promise<void> {
      ending.abort();
      await Promise.all(watched.values());
      await kept?.connection.close();
    },
  };
}
