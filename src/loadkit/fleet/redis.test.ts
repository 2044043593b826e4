import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { openRedis } from './redis.js';

const ANSWERS: Readonly<Record<string, string>> = {
  AUTH: '-ERR Client sent AUTH, but no password is set\r\n',
  PING: '+PONG\r\n',
  INFO: '$21\r\nredis_version:5.0.7\r\n\r\n',
  EXISTS: ':0\r\n',
  SET: '+OK\r\n',
  DEL: ':1\r\n',
};

test('a password that an older Redis does not need causes no line of the client library', async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data: Buffer) => {
      for (const [, name = ''] of data.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g))
        socket.write(
          ANSWERS[name.toUpperCase()] ?? `-ERR unknown command \`${name}\`, with args beginning with: \r\n`,
        );
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const lines: unknown[] = [];
  for (const name of ['warn', 'error', 'log'] as const)
    t.mock.method(console, name, (...line: readonly unknown[]) => lines.push(line.join(' ')));
  const { port } = server.address() as AddressInfo;
  using link = await openRedis(`redis://:word@127.0.0.1:${port}`, {}, 'petstore-conformance');
  assert.equal(link.shown, `redis://127.0.0.1:${port}`);
  await link.queue.connect();
  assert.deepEqual(lines, []);
});
