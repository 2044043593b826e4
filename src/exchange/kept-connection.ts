import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { openConnection, type Connection, type HttpLimits, type TimedAnswer, type WireRequest } from './connection.js';

/**
 * After an answer of a kind that is new a connection is left alone for so long, ms: what a server sends beyond an answer
 * comes with it or soon after, and would be taken for the answer to the next request on that connection.
 */
const WATCHED_MS = 75;

/** What is known of what comes after a server's answers. */
export interface Afterwards {
  /** The kinds of answers after which nothing came, and the connection stayed open. */
  readonly quiet: Set<string>;
  /** Bytes came that belong to no answer: no connection is used twice any more. */
  surplus: boolean;
  /** How often a connection died under a request that reused it. */
  deaths: number;
  /** A request that reused a connection was answered: this server leaves connections open. */
  reused: boolean;
}

/** Nothing is known yet. */
export const nothingKnown = (): Afterwards => ({ quiet: new Set(), surplus: false, deaths: 0, reused: false });

/**
 * A server may close an idle connection at any time, and one death may be such a case. After this many no connection is
 * used twice: each costs a request that may have been counted.
 */
const MOST_DEATHS = 2;

/** Facts about a request in addition to its content. */
export interface Sending {
  /**
   * Whether it carries a key that is valid. One that does not goes over a connection that such a one went over before, as
   * far as there is one: a server may remember of a connection who it belongs to, and must not.
   */
  readonly isOwn: boolean;
  /** Returns the kind of a response. */
  readonly kindOf: (answer: TimedAnswer) => string;
  /** Is told when the first surplus of all came after this answer: before it is given, or later. */
  readonly onSurplus: () => void;
}

/** A way for requests that go one after the other, on a connection that is kept as long as that is safe. */
export interface KeptConnection {
  send(request: WireRequest, sending: Sending): Promise<TimedAnswer>;
  /** Resolves once no connection is watched any more. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface Held {
  readonly connection: Connection;
  /** Called when surplus bytes arrive. */
  onSurplus: () => void;
  /** Whether it has carried a request with a valid key. */
  isOwned: boolean;
  /** Whether it has carried a request. */
  isUsed: boolean;
  /** Aborted once the server has closed it. */
  readonly closed: AbortController;
}

/** Opens connections as they are needed; `known` may be shared with others to the same server. */
export function keptConnection(origin: string, limits: HttpLimits, known: Afterwards): KeptConnection {
  let kept: Held | null = null;
  const watched = new Map<Held, Promise<void>>();
  const ending = new AbortController();
  // Every connection that is watched listens for it.
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
      isUsed: false,
      closed,
    };
    return held;
  }

  const isReusable = (): boolean => !known.surplus && known.deaths < MOST_DEATHS;

  /** The connection for the next request; none is kept then. */
  async function taken(isOwn: boolean, isCreation: boolean): Promise<Held> {
    if (isReusable() && !isOwn && kept?.isOwned !== true) await [...watched].findLast(([held]) => held.isOwned)?.[1];
    const held = kept;
    kept = null;
    // A creation that dies cannot be sent again.
    if (held && isReusable() && !(isCreation && (known.deaths > 0 || !known.reused))) return held;
    void held?.connection.close();
    return open();
  }

  /** Takes it back where nothing came and the server left it open, and where none is kept that is as good. */
  async function watch(held: Held, kind: string): Promise<void> {
    const signal = AbortSignal.any([ending.signal, held.closed.signal]);
    const isOver = await sleep(WATCHED_MS, true, { signal }).catch(() => false);
    watched.delete(held);
    const isQuiet = isOver && isReusable();
    if (isQuiet) known.quiet.add(kind);
    const isBetter = isQuiet && (kept === null || (held.isOwned && !kept.isOwned));
    const idle = isBetter ? kept : held;
    if (isBetter) kept = held;
    await idle?.connection.close();
  }

  return {
    async send(request, { isOwn, kindOf, onSurplus }) {
      const held = await taken(isOwn, request.method === 'POST');
      held.onSurplus = onSurplus;
      const timed = await held.connection.send(request);
      held.isOwned ||= isOwn;
      if (timed.died) known.deaths += 1;
      else if (held.isUsed && timed.answer.kind === 'response') known.reused = true;
      held.isUsed = true;
      if (!isReusable()) void held.connection.close();
      else if (timed.answer.kind === 'none' || known.quiet.has(kindOf(timed))) {
        void kept?.connection.close();
        kept = held;
      } else watched.set(held, watch(held, kindOf(timed)));
      return timed;
    },
    settled: async () => void (await Promise.all(watched.values())),
    async close() {
      ending.abort();
      await Promise.all(watched.values());
      await kept?.connection.close();
    },
  };
}
