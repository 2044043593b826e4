import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Connection } from './connection.js';

/** The bodies never end. However slow the machine, 128 MiB are read before the timeout. */
const LIMITS = { timeoutMs: 300_000, maxBodyBytes: 1_048_576 };
const REQUEST = { method: 'GET', path: '/', headers: [], body: null };

test('unfinished bodies of all connections share one limit, and closed connections free it', async (t) => {
  const piece = Buffer.alloc(1_000_000, 'x');
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => {
      const whole = bytes.toString('latin1').startsWith('GET /whole');
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Length: ${whole ? piece.length : LIMITS.maxBodyBytes}\r\n\r\n`,
      );
      socket.write(piece);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ending = new AbortController();
  const connections = Array.from(
    { length: 140 },
    () => new Connection(origin, { ...LIMITS, signal: ending.signal }),
  );
  const answers = connections.map((connection) => connection.sendRaw(REQUEST));
  const first = await Promise.race(answers.map(async (answer) => (await answer).answer));
  assert.equal(
    first.kind === 'none' && first.message,
    'the unfinished bodies of all connections are larger than 128 MiB',
  );
  ending.abort();
  await Promise.all(answers);
  await Promise.all(connections.map((connection) => connection.close()));
  const after = Array.from({ length: 100 }, () => new Connection(origin, LIMITS));
  for (const { answer } of await Promise.all(
    after.map((each) => each.sendRaw({ ...REQUEST, path: '/whole' })),
  ))
    assert.equal(answer.kind, 'response', JSON.stringify(answer));
  await Promise.all(after.map((each) => each.close()));
});
