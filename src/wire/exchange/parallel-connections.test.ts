import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { respond } from '../../testing/raw-server.js';
import type { HttpLimits } from './connection.js';
import { parallelConnections } from './parallel-connections.js';
import { KeptConnection, nothingKnown, type Sending } from './kept-connection.js';

const ASK = { method: 'GET', path: '/v1/pets', headers: [], body: null } as const;
const BY: Sending = { isOwn: true, kindOf: () => 'GET 200', onSurplus: () => undefined };

/** Servers by what they do with a connection next to another one. */
const SERVERS: Readonly<
  Record<string, readonly [isSingle: boolean, take: (socket: Socket, others: number) => void]>
> = {
  'resets it': [true, (socket, others) => void (others > 0 ? socket.resetAndDestroy() : serve(socket))],
  'leaves it unread': [true, (socket, others) => void (others > 0 ? socket.pause() : serve(socket))],
  'serves it': [false, (socket) => serve(socket)],
  'resets the third': [
    false,
    (socket, others) => void (others > 1 ? socket.resetAndDestroy() : serve(socket)),
  ],
};

/** A timeout that no response of these servers exceeds, however slow the machine, ms. */
const LONG_MS = 60_000;
/**
 * Timeout of a request that is left unread, ms: three of them and a stall are shorter than a client's idle
 * time, 4 s.
 */
const SOON_MS = 300;

const limitsOf = (timeoutMs: number): HttpLimits => ({ timeoutMs, maxBodyBytes: 10_000 });

const serve = (socket: Socket): void => void socket.on('data', () => respond(socket, '[]'));

for (const [what, [isSingle, take]] of Object.entries(SERVERS))
  test(`a server that ${what} serves ${isSingle ? 'one connection' : 'several connections'} at a time`, async (t) => {
    const open = new Set<Socket>();
    const server = createServer((socket) => {
      const others = open.size;
      open.add(socket);
      socket.on('error', () => undefined).on('close', () => open.delete(socket));
      take(socket, others);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const known = nothingKnown();
    const kept = new KeptConnection(origin, limitsOf(LONG_MS), known);
    t.after(async () => {
      await kept.close();
      for (const socket of open) socket.destroy();
      server.close();
    });
    // The first response is of a new kind; then one connection is kept.
    for (let nth = 0; nth < 2; nth += 1) {
      await kept.send(ASK, BY);
      await kept.settled();
    }
    assert.equal(known.parallel.isSingle(), false);
    for (let nth = 0; nth < 3; nth += 1) {
      const fresh = new KeptConnection(origin, limitsOf(SOON_MS), known);
      await fresh.send(ASK, BY);
      await fresh.close();
    }
    assert.equal(known.parallel.isSingle(), isSingle);
  });

test('a request that ended after all other connections were closed shows nothing', () => {
  const parallel = parallelConnections();
  for (let nth = 0; nth < 3; nth += 1) {
    const [other, own] = [new AbortController(), new AbortController()];
    parallel.begin({}, other.signal)(true);
    const end = parallel.begin({}, own.signal);
    other.abort();
    end(nth % 2 === 0);
    own.abort();
  }
  assert.equal(parallel.isSingle(), false);
});

test('connections that are never open together show nothing', () => {
  const parallel = parallelConnections();
  for (let nth = 0; nth < 9; nth += 1) {
    const closed = new AbortController();
    parallel.begin({}, closed.signal)(nth % 2 === 0);
    closed.abort();
  }
  assert.equal(parallel.isSingle(), false);
});
