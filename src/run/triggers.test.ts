import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { EventEmitter, once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { PassThrough } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { freePort } from '../testing/loopback.js';
import { untilListening, watchFor } from './triggers.js';
import { isOfInterest, watchTree } from './watch-tree.js';

/** Starts a server that accepts connections; another can take its port later. */
async function listening(port?: number): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((socket) => socket.on('error', () => undefined)).listen(
    port ?? (await freePort()),
    '127.0.0.1',
  );
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** Time after which a stopped server counts as gone, ms. */
const SOON_MS = 300;
/** Time that no restart here exceeds, however slow the machine, ms. */
const LONG_MS = 60_000;

async function watched(t: TestContext, goneAfterMs = SOON_MS) {
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
    goneAfterMs,
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

test('a restart is not reported, and is forgotten by a run that began after it', async (t) => {
  const { server, port, input, triggers, gone } = await watched(t, LONG_MS);
  let isReported = false;
  void gone.then(() => (isReported = true));
  server.close();
  await once(server, 'close');
  const { server: again } = await listening(port);
  t.after(() => again.close());
  assert.deepEqual(await triggers.next(), { kind: 'server' });
  assert.equal(isReported, false);
  input.write('\n');
  await new Promise(setImmediate);
  triggers.forgetRestart();
  assert.deepEqual(await triggers.next(), { kind: 'enter' });
});

test('waiting for a server ends with its first connection, or says that it did not come', async () => {
  const { server, port } = await listening();
  server.close();
  await once(server, 'close');
  const { signal } = new AbortController();
  assert.equal(await untilListening(`http://127.0.0.1:${port}/v1`, signal, 0), false);
  const back = untilListening(`http://127.0.0.1:${port}/v1`, signal);
  const { server: again } = await listening(port);
  assert.equal(await back, true);
  again.close();
});

test('a standstill of this process is no standstill of the server', async (t) => {
  const { triggers, input } = await watched(t);
  const next = triggers.next();
  // The first connection is under way now, and its time limit passes before this process can see that it was accepted.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_300);
  await new Promise((resolve) => setTimeout(resolve, 600));
  input.write('\n');
  assert.deepEqual(await next, { kind: 'enter' });
});

test('folders of dependencies are not watched, new folders are', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-tree-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'node_modules/deep'), { recursive: true });
  mkdirSync(join(folder, 'src'));
  const seen: string[] = [];
  const changes = new EventEmitter();
  const end = watchTree(folder, {
    onChange: (file) => void changes.emit(file),
    onLimit: () => assert.fail('no limit'),
    watchOne: (one, listener) => {
      seen.push(relative(folder, one));
      return watch(one, listener);
    },
  });
  t.after(end);
  const made = once(changes, 'new');
  mkdirSync(join(folder, 'new'));
  await made;
  const written = once(changes, 'new/a.ts');
  writeFileSync(join(folder, 'new/a.ts'), 'x');
  await written;
  assert.deepEqual(seen, ['', 'src', 'new']);
});

test('used-up watches are reported once, and the rest is watched', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-tree-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ['a', 'b', 'c']) mkdirSync(join(folder, name));
  let limits = 0;
  let watched = 0;
  const end = watchTree(folder, {
    onChange: () => undefined,
    onLimit: () => (limits += 1),
    watchOne: (one, listener) => {
      if (watched === 2) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      watched += 1;
      return watch(one, listener);
    },
  });
  t.after(end);
  assert.deepEqual([watched, limits], [2, 1]);
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
