import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { MAIN, startProcess } from './support/command.js';
import { folder } from './support/folder.js';
import { idsThat, resultsIn } from './support/results.js';
import { reference, targetFile } from './support/targets.js';

/** Listens on ::1 at a port, and keeps what comes; null if this machine has no IPv6. */
async function otherServer(t: TestContext, port: number) {
  const received: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => received.push(bytes));
  });
  server.listen(port, '::1');
  try {
    await once(server, 'listening');
  } catch {
    return null;
  }
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { received };
}

/** Preload that resolves a name to both families, the other server first, unless a switch orders otherwise. */
const PRELOAD = `
const dns = require('node:dns');
const { appendFileSync } = require('node:fs');
const real = { lookup: dns.lookup, promised: dns.promises.lookup };
const order = () => (dns.getDefaultResultOrder() === 'ipv4first' ? ['127.0.0.1', '::1'] : ['::1', '127.0.0.1']);
const all = () => order().map((address) => ({ address, family: address === '::1' ? 6 : 4 }));
const note = () => appendFileSync(process.env.LOOKUPS, process.pid + '\\n');
dns.lookup = (host, options, callback = options) => {
  if (host !== 'pets.test') return real.lookup(host, options, callback);
  note();
  const [{ address, family }] = all();
  process.nextTick(() => (options.all ? callback(null, all()) : callback(null, address, family)));
};
dns.promises.lookup = async (host, options) => {
  if (host !== 'pets.test') return real.promised(host, options);
  note();
  return options?.all ? all() : all()[0];
};
`;

test('all processes of a run use the address that the parent’s switches choose, resolved once', async (t) => {
  const cwd = folder(t);
  const server = await reference(t);
  const { port } = new URL(server.baseUrl);
  const other = await otherServer(t, Number(port));
  writeFileSync(join(cwd, 'preload.cjs'), PRELOAD);
  const { file, env } = targetFile(cwd, `http://pets.test:${port}/v1`, server.keys.business);
  const switches = ['--dns-result-order=ipv4first', '--require', join(cwd, 'preload.cjs')];
  const words = [
    'run',
    '--only',
    'suites',
    '--requirement',
    'list-ok',
    '--target',
    file,
    '--report-dir',
    'run',
  ];
  const { code, stdout, stderr } = await startProcess(process.execPath, [...switches, MAIN, ...words], {
    cwd,
    env: { ...env, LOOKUPS: join(cwd, 'lookups') },
  }).ended;
  assert.equal(code, 0, stdout + stderr);
  assert.ok(idsThat(resultsIn(join(cwd, 'run')), 'passed').includes('list-ok'));
  assert.equal(readFileSync(join(cwd, 'lookups'), 'utf8').trim().split('\n').length, 1);
  assert.deepEqual(other?.received ?? [], []);
});
