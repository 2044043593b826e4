import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { EventEmitter, once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { isOfInterest, watchFor } from './triggers.js';

/** Starts a server that accepts connections; another can take its port later. */
async function listening(port = 0): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((socket) => socket.on('error', () => undefined)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

async function watched(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-watch-'));
  mkdirSync(join(folder, 'deep/reports'), { recursive: true });
  const { server, port } = await listening();
  const input = new PassThrough();
  const ended = new AbortController();
  const heard = new EventEmitter();
  const gone = once(heard, 'gone');
  const triggers = watchFor({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    folder,
    input,
    onGone: () => void heard.emit('gone'),
    signal: ended.signal,
  });
  t.after(() => {
    triggers[Symbol.dispose]();
    server.close();
    rmSync(folder, { recursive: true });
  });
  return { folder, server, port, input, ended, gone, triggers };
}

test('consecutive file changes count once, and reports do not count', async (t) => {
  const { folder, triggers, input } = await watched(t);
  writeFileSync(join(folder, 'deep/reports/log.ndjson'), 'x');
  for (const name of ['a.ts', 'deep/b.ts', 'deep/c.ts']) writeFileSync(join(folder, name), 'x');
  assert.deepEqual(await triggers.next(), { kind: 'file', file: 'deep/c.ts' });
  input.write('\n');
  assert.deepEqual(await triggers.next(), { kind: 'enter' });
});

test('a trigger between waits is kept and delivered once', async (t) => {
  const { triggers, input } = await watched(t);
  input.write('a\n');
  input.write('\n\n');
  await new Promise(setImmediate);
  assert.deepEqual(await triggers.next(), { kind: 'enter' });
  const next = triggers.next();
  input.write('no line');
  input.write('\n');
  assert.deepEqual(await next, { kind: 'enter' });
});

test('a stopped server is reported, and its return is a trigger', async (t) => {
  const { server, port, gone, triggers } = await watched(t);
  server.close();
  await gone;
  const back = triggers.next();
  const { server: again } = await listening(port);
  t.after(() => again.close());
  assert.deepEqual(await back, { kind: 'server' });
});

test('the end of the watch ends the wait', async (t) => {
  const { ended, triggers } = await watched(t);
  const next = triggers.next();
  ended.abort();
  assert.equal(await next, null);
  assert.equal(await triggers.next(), null);
});

test('files written by tools are ignored', () => {
  for (const file of ['src/a.ts', 'a', '.env', 'target.yaml']) assert.ok(isOfInterest(file), file);
  for (const file of ['reports/latest.json', 'node_modules/x/y.js', '.git/index', 'a/node_modules/b'])
    assert.ok(!isOfInterest(file), file);
});
