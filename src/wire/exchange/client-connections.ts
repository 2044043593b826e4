import type { Socket } from 'node:net';
import { now } from './connection.js';
import { watchStalls } from './stalls.js';

/** A connection that stays unused longer was opened in advance, as browsers do, and shows no slow connect, ms. */
const LONGEST_CONNECT_MS = 2000;
/** Interval at which this process looks for its own stalls, ms. */
const BEAT_MS = 50;

interface Connection {
  readonly name: string;
  readonly since: number;
  open: number;
  requests: number;
  pipelined: boolean;
}

/**
 * Watches the connections of clients at a server of this process: their names, requests sent ahead of
 * responses, and the grace of the record. The grace is the longest time that a request may have been on its
 * way: the slowest connect, the longest stall of this process, the longest upload. Each only lengthens it, in
 * the client's favour.
 *
 * @param shortestGraceMs grace of a record without any of these, ms
 * @param clock clock of the record, Unix ms
 */
export function watchClients(shortestGraceMs: number, clock: () => number = now) {
  const connections = new WeakMap<Socket, Connection>();
  let accepted = 0;
  let graceMs = shortestGraceMs;
  // A stalled process accepts and reads late, which looks like a slow connect of the client.
  const { stop } = watchStalls({
    beatMs: BEAT_MS,
    leastMs: 0,
    onStall: ({ from, to }) => {
      graceMs = Math.max(graceMs, Math.min(LONGEST_CONNECT_MS, shortestGraceMs + to - from - BEAT_MS));
    },
  });
  const opened = (socket: Socket): Connection => {
    accepted += 1;
    const connection = { name: `c${accepted}`, since: clock(), open: 0, requests: 0, pipelined: false };
    connections.set(socket, connection);
    return connection;
  };
  return {
    opened: (socket: Socket): void => void opened(socket),
    /** Returns a function to call once the exchange is over. */
    arrived(socket: Socket) {
      const connection = connections.get(socket) ?? opened(socket);
      const headAt = clock();
      if (connection.open > 0) connection.pipelined = true;
      connection.open += 1;
      connection.requests += 1;
      const isFirst = connection.requests === 1;
      return {
        /** @param readAt time at which the request had been read, Unix ms */
        ended(readAt: number): { readonly connection: string; readonly pipelined: boolean } {
          connection.open -= 1;
          const connectMs = headAt - connection.since;
          if (isFirst && connectMs < LONGEST_CONNECT_MS)
            graceMs = Math.max(graceMs, readAt - connection.since);
          graceMs = Math.max(graceMs, shortestGraceMs + readAt - headAt);
          return { connection: connection.name, pipelined: connection.pipelined };
        },
      };
    },
    isIdle: (socket: Socket): boolean => (connections.get(socket)?.open ?? 0) === 0,
    graceMs: (): number => graceMs,
    stop,
  };
}
