import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { portOf } from '../../testing/loopback.js';
import { readingOn } from './broken-writes.js';
import { Connection } from './connection.js';

/** Responds and resets the connection in one turn, so that the response lies unread when the next write fails. */
function respondAndReset(socket: Socket): void {
  socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig');
  socket.resetAndDestroy();
}

test('what came before a connection broke is read, whatever is written after that', async (t) => {
  const server = createServer();
  const port = await portOf(server);
  t.after(() => server.close());
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = readingOn(connect(port, '127.0.0.1'));
  client.on('error', () => undefined);
  let text = '';
  client.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [[socket]] = await Promise.all([accepted, once(client, 'connect')]);
  const closed = once(client, 'close');
  respondAndReset(socket);
  client.write('x'.repeat(100_000));
  client.cork();
  client.write('y');
  client.write('z');
  client.uncork();
  await closed;
  assert.match(text, /^HTTP\/1.1 413 .*big$/s);
});

test('the kit’s own sender reads a response that came before its request was written', async (t) => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    sockets.push(socket);
    if (sockets.length > 1) return;
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  });
  const port = await portOf(server);
  t.after(() => server.close());
  await using connection = new Connection(`http://127.0.0.1:${port}`, {
    timeoutMs: 5000,
    maxBodyBytes: 1000,
  });
  const request = { method: 'POST', path: '/v1/pets', headers: [] };
  await connection.send({ ...request, body: '{}' });
  const [socket] = sockets;
  assert.ok(socket);
  const response = connection.send({ ...request, body: 'x'.repeat(5_000_000) });
  socket.once('data', () => respondAndReset(socket));
  const { answer } = await response;
  assert.equal(answer.kind === 'response' && answer.status, 413, JSON.stringify(answer));
});
