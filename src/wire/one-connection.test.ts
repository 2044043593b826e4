import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rawServer, respond } from '../testing/raw-server.js';
import { sendTraffic } from './autocannon.js';
import { newReuse, REST_MS } from './exchange/reuse.js';

/** Time of each later response, ms: a timer of the rest that still ran would end meanwhile. */
const SLOW_MS = 3 * REST_MS;

test('bytes after the first response fail the request that waits for the rest, and lose no other', async (t) => {
  const server = await rawServer(({ socket, number }) => {
    if (number > 1) return void setTimeout(() => respond(socket, '[]'), SLOW_MS);
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]surplus');
  });
  t.after(() => server.close());
  const ends: string[] = [];
  let next = 0;
  await sendTraffic<number, null>({
    origin: server.origin,
    limits: { timeoutMs: 30_000, maxBodyBytes: 1000 },
    connections: 1,
    reuse: newReuse(),
    signal: new AbortController().signal,
    next: () => (next < 4 ? (next += 1) : null),
    isOver: () => false,
    bytesOf: () => Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
    isSafe: () => true,
    again: () => false,
    left: () => null,
    answered: (request, _, answer) => void ends.push(`${request}: ${'kind' in answer ? answer.code : answer.status}`),
    failed: (request, at, fault) =>
      void ends.push(`${request}: ${fault.code}, ${at === null ? 'not written' : 'written'}`),
  });
  assert.deepEqual(ends, ['1: 200', '2: malformed-http, not written', '3: 200', '4: 200']);
});
