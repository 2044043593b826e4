import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { portOf } from '../../testing/loopback.js';
import type { Intervene, Passed } from './passed.js';
import { serveProxy, type ProxyOptions } from './serve.js';

export interface End {
  readonly socket: Socket;
  /** All bytes so far, as Latin-1 text. */
  readonly text: () => string;
  /** Resolves with what has come, once it matches; rejects if the connection ends without a match. */
  readonly until: (pattern: RegExp | string) => Promise<string>;
  /** Resolves with all bytes once the other side has ended or the connection broke. */
  readonly ended: Promise<string>;
}

export function endOf(socket: Socket): End {
  let text = '';
  let isOver = false;
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    socket.emit('more');
  });
  socket.on('error', () => undefined);
  const ended = new Promise<string>((done) => {
    const finish = (): void => {
      isOver = true;
      socket.emit('more');
      done(text);
    };
    socket.once('end', finish);
    socket.once('close', finish);
  });
  return {
    socket,
    text: () => text,
    ended,
    until: (pattern) =>
      new Promise((done, fail) => {
        const look = (): void => {
          const isFound = typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text);
          if (isFound) done(text);
          else if (isOver) fail(new Error(`ended before ${pattern}:\n${text.slice(0, 2000)}`));
          if (isFound || isOver) socket.off('more', look);
        };
        socket.on('more', look);
        look();
      }),
  };
}

/** Starts a target that a test plays by hand, and the proxy in front of it. */
export async function proxied(
  t: TestContext,
  play: (end: End, nth: number) => void,
  {
    movedFrom,
    ...options
  }: Partial<ProxyOptions> & {
    readonly intervene?: Intervene;
    /** Address that the target's host had before. */
    readonly movedFrom?: string;
  } = {},
) {
  let accepted = 0;
  const sockets = new Set<Socket>();
  const ends: End[] = [];
  const target = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    accepted += 1;
    const end = endOf(socket);
    ends.push(end);
    play(end, accepted);
  });
  const port = await portOf(target);
  const passed: Passed[] = [];
  const waiting: (() => void)[] = [];
  const refused: string[] = [];
  const proxy = await serveProxy({
    target: {
      baseUrl: `http://${movedFrom === undefined ? '127.0.0.1' : 'localhost'}:${port}/v1`,
      http: {
        timeoutMs: 5000,
        maxBodyBytes: 1_048_576,
        ...(movedFrom !== undefined && { address: movedFrom }),
      },
    },
    port: 0,
    host: '127.0.0.1',
    keepHost: false,
    mostKept: 65_536,
    shortestGraceMs: 250,
    onPassed(one) {
      passed.push(one);
      for (const look of waiting) look();
    },
    onRefused: (reason) => void refused.push(reason),
    ...options,
  });
  t.after(async () => {
    await proxy[Symbol.asyncDispose]();
    for (const socket of sockets) socket.destroy();
    target.close();
  });
  return {
    proxy,
    targetHost: `127.0.0.1:${port}`,
    connections: () => accepted,
    /** Bytes that the target received, by connection. */
    received: (): readonly string[] => ends.map(({ text }) => text()),
    /** Reasons for which the proxy refused requests by itself. */
    refused: (): readonly string[] => refused,
    stopTarget: async (): Promise<void> => {
      const isClosed = once(target, 'close');
      target.close();
      for (const socket of sockets) socket.destroy();
      await isClosed;
    },
    client: async (): Promise<End> => {
      const socket = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
      await once(socket, 'connect');
      t.after(() => socket.destroy());
      return endOf(socket);
    },
    /** Resolves with the first `count` exchanges, once they are over. */
    over: (count: number): Promise<readonly Passed[]> =>
      new Promise((done) => {
        const look = (): void => {
          if (passed.length >= count) done(passed);
        };
        waiting.push(look);
        look();
      }),
  };
}

export const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
