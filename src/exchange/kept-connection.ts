import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { openConnection } from './connection.js';
import type { Connection, HttpLimits, TimedAnswer, WireRequest } from './connection.js';

/**
 * After an answer of a kind that is new a connection is left alone for so long, ms: what a server sends beyond an answer
 * comes with it or soon after, and would be taken for the answer to the next request on that connection.
 */
const WATCHED_MS = 75;

/** What is known of what comes after a server's answers. */
export interface Afterwards {
  /** The kinds of answers after which nothing came. */
  readonly quiet: Set<string>;
  /** Bytes came that belong to no answer: no connection is used twice any more. */
  surplus: boolean;
}

/** Nothing is known yet. */
export const nothingKnown = (): Afterwards => ({ quiet: new Set(), surplus: false });

/** A way for requests that go one after the other, on a connection that is kept as long as that is safe. */
export interface KeptConnection {
  /**
   * @param kindOf what kind of answer it is
   * @param onSurplus is told when the first surplus of all came after this answer: before this resolves, or later
   */
  send(request: WireRequest, kindOf: (answer: TimedAnswer) => string, onSurplus: () => void): Promise<TimedAnswer>;
  /** Resolves once no connection is watched any more. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface Held {
  readonly connection: Connection;
  /** Who is told of a surplus. */
  onSurplus: () => void;
}

/** Opens connections as they are needed; `known` may be shared with others to the same server. */
export function keptConnection(origin: string, limits: HttpLimits, known: Afterwards): KeptConnection {
  let kept: Held | null = null;
  const watched = new Set<Promise<void>>();
  const ending = new AbortController();
  // Every connection that is watched listens for it.
  setMaxListeners(0, ending.signal);

  function open(): Held {
    const held: Held = {
      connection: openConnection(origin, limits, () => {
        if (!known.surplus) held.onSurplus();
        known.surplus = true;
      }),
      onSurplus: () => undefined,
    };
    return held;
  }

  async function watch(held: Held, kind: string): Promise<void> {
    const isOver = await sleep(WATCHED_MS, true, { signal: ending.signal }).catch(() => false);
    if (isOver && !known.surplus) known.quiet.add(kind);
    await held.connection.close();
  }

  return {
    async send(request, kindOf, onSurplus) {
      const held = known.surplus || kept === null ? open() : kept;
      if (kept !== held) void kept?.connection.close();
      kept = null;
      held.onSurplus = onSurplus;
      const timed = await held.connection.send(request);
      if (known.surplus) void held.connection.close();
      else if (timed.answer.kind === 'none' || known.quiet.has(kindOf(timed))) kept = held;
      else {
        const end = watch(held, kindOf(timed)).finally(() => watched.delete(end));
        watched.add(end);
      }
      return timed;
    },
    settled: async () => void (await Promise.all(watched)),
    async close() {
      ending.abort();
      await Promise.all([kept?.connection.close(), ...watched]);
    },
  };
}
