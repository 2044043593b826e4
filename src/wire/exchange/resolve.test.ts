import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { portOf } from '../../testing/loopback.js';
import { resolveOnce } from './resolve.js';

const to =
  (...addresses: readonly string[]) =>
  async () =>
    addresses.map((address) => ({ address }));

test('of two addresses the one that accepts a connection is used, whatever their order', async (t) => {
  const server = createServer();
  t.after(() => server.close());
  const port = await portOf(server);
  for (const ask of [to('127.0.0.2', '127.0.0.1'), to('127.0.0.1', '127.0.0.2')])
    assert.equal(await resolveOnce('pets.test', port, 5000, ask), '127.0.0.1');
});

test('of addresses that all refuse, one is used, so that preflight reports the refusal', async () => {
  const server = createServer();
  const port = await portOf(server);
  server.close();
  await once(server, 'close');
  assert.equal(await resolveOnce('pets.test', port, 5000, to('127.0.0.2', '127.0.0.1')), '127.0.0.2');
});

test('a single address needs no connection', async () =>
  assert.equal(await resolveOnce('pets.test', 1, 5000, to('127.0.0.9')), '127.0.0.9'));

const failing = (code: string) => Object.assign(new Error(code), { code });

test('a resolver that loses a question is asked again', async () => {
  let asked = 0;
  const lossy = async () => {
    asked += 1;
    if (asked < 3) throw failing('EAI_AGAIN');
    return [{ address: '127.0.0.9' }];
  };
  assert.equal(await resolveOnce('pets.test', 1, 5000, lossy), '127.0.0.9');
});

test('an unknown name is asked once', async () => {
  let asked = 0;
  const unknown = async () => {
    asked += 1;
    throw failing('ENOTFOUND');
  };
  assert.deepEqual([await resolveOnce('pets.test', 1, 5000, unknown), asked], [null, 1]);
});

for (const host of ['127.0.0.1', '::1'])
  test(`${host} is an address already`, async () => assert.equal(await resolveOnce(host, 1, 5000), null));
