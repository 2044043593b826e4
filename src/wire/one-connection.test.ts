import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rawServer, respond, type RawServer } from '../testing/raw-server.js';
import { PAUSE_MS, sendTraffic } from './autocannon.js';
import { now } from './exchange/connection.js';
import { newConnectionReuse, REST_MS } from './exchange/connection-reuse.js';

/** Time of each later response, ms: a timer of the rest that still ran would end meanwhile. */
const SLOW_MS = 3 * REST_MS;

test('bytes after the first response fail the request that waits for the rest, and lose no other', async (t) => {
  const server = await rawServer(({ socket, number }) => {
    if (number > 1) return void setTimeout(() => respond(socket, '[]'), SLOW_MS);
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]surplus');
  });
  t.after(() => server.close());
  assert.deepEqual(await endsOf(server, 4), ['1: 200', '2: malformed-http, not written', '3: 200', '4: 200']);
});

test('a close that came before the end of the rest is read before the second request, even after a stall', async (t) => {
  const server = await rawServer(({ socket, number }) => {
    respond(socket, '[]');
    if (number > 1) return;
    setTimeout(() => socket.end(), 10);
    setTimeout(stall, 5);
  });
  t.after(() => server.close());
  assert.deepEqual(await endsOf(server, 2), ['1: 200', '2: 200']);
  assert.equal(server.requests.length, 2);
});

test('a host that has another address is asked there', async (t) => {
  const server = await rawServer(({ socket }) => respond(socket, '[]'));
  t.after(() => server.close());
  const origin = server.origin.replace('127.0.0.1', 'localhost');
  // Nothing listens at the address that the run began with.
  assert.deepEqual(await endsOf({ origin }, 3, '127.0.0.9'), ['1: refused, not written', '2: 200', '3: 200']);
});

test('the pause after a connection that closed without a byte is no latency of the next request', async (t) => {
  const server = await rawServer(({ socket, number }) => {
    if (number === 1) socket.destroy();
    else respond(socket, '[]');
  });
  t.after(() => server.close());
  const heldUp: number[] = [];
  const began = performance.now();
  const ends = await endsOf(server, 2, undefined, (ms) => heldUp.push(ms));
  assert.equal(ends.at(-1), '2: 200');
  const tookMs = performance.now() - began;
  assert.ok(tookMs >= PAUSE_MS, `${tookMs}`);
  // A busy machine takes its time to connect; it does not take the pause away from the sum.
  assert.ok((heldUp[1] ?? Infinity) <= tookMs - PAUSE_MS, `${heldUp.join(' and ')} ms of ${tookMs} ms`);
});

/** Holds up this process until the rest of a connection is over. */
function stall(): void {
  const until = performance.now() + 2 * REST_MS;
  while (performance.now() < until);
}

/** Sends requests over one connection, and returns how each ended. */
async function endsOf(
  { origin }: Pick<RawServer, 'origin'>,
  requests: number,
  address?: string,
  onLeft: (heldUpMs: number) => unknown = () => undefined,
): Promise<readonly string[]> {
  const ends: string[] = [];
  let next = 0;
  await sendTraffic<number, null>({
    origin,
    limits: { timeoutMs: 30_000, maxBodyBytes: 1000, ...(address !== undefined && { address }) },
    connections: 1,
    reuse: newConnectionReuse(),
    signal: new AbortController().signal,
    next: () => (next < requests ? (next += 1) : null),
    isOver: () => false,
    bytesOf: () => Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
    isSafe: () => true,
    again: () => true,
    left(_, readyAt) {
      onLeft(now() - readyAt);
      return null;
    },
    answered: (request, _, answer) =>
      void ends.push(`${request}: ${answer.kind === 'none' ? answer.code : answer.status}`),
    failed: (request, at, fault) =>
      void ends.push(`${request}: ${fault.code}, ${at === null ? 'not written' : 'written'}`),
  });
  return ends;
}
