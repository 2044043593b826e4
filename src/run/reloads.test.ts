import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ReloadWatch } from './reloads.js';

/** Starts a server that answers everything, and watches it for reloads. */
async function watching(t: TestContext, keeps = true) {
  const server = createServer((_request, response) => {
    if (!keeps) response.setHeader('Connection', 'close');
    response.writeHead(404).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const reloads = new ReloadWatch(`http://127.0.0.1:${port}/v1`, new AbortController().signal);
  t.after(() => {
    reloads[Symbol.dispose]();
    server.closeAllConnections();
    server.close();
  });
  return { server, reloads };
}

/** Time after which a new connection that is not closed counts as a kept one, and some more, ms. */
const KEPT_MS = 250;

/**
 * Idle timeout of a server, ms: much longer than a connection lasts until a reload here, on a busy machine
 * too.
 */
const IDLE_MS = 2_000;

/** Does what a reload does to a server whose port stays open. */
const reload = (server: Server): void => server.closeAllConnections();

// Each mostly waits for its own server.
describe('reloads', { concurrency: true }, () => {
  test('a reload that keeps the port open is awaited after a changed file', async (t) => {
    const { server, reloads } = await watching(t);
    await reloads.begin();
    let isOver = false;
    const waiting = reloads.reloaded().then(() => (isOver = true));
    await new Promise(setImmediate);
    assert.equal(isOver, false);
    reload(server);
    await waiting;
    await reloads.begin();
    assert.equal(reloads.wasReloaded(), false);
  });

  test('a reload during a run is seen, and none is seen without one', async (t) => {
    const { server, reloads } = await watching(t);
    await reloads.begin();
    assert.equal(reloads.wasReloaded(), false);
    reload(server);
    await reloads.reloaded();
    assert.equal(reloads.wasReloaded(), true);
  });

  test('a server that keeps no connection, or never reloads, is not waited for', async (t) => {
    const { reloads } = await watching(t, false);
    await reloads.begin();
    const since = performance.now();
    await reloads.reloaded();
    assert.ok(performance.now() - since < 1_000);
    assert.equal(reloads.wasReloaded(), false);
  });

  test('a connection that the server closes for its idleness is replaced, and is no reload', async (t) => {
    const { server, reloads } = await watching(t);
    server.keepAliveTimeout = IDLE_MS;
    await reloads.begin();
    t.after(reloads.rest());
    await once(server, 'connection');
    await reloads.reloaded();
    assert.equal(reloads.wasReloaded(), false);
  });

  test('a reload is seen in a round that lasts longer than the idle timeout, and none without one', async (t) => {
    const { server, reloads } = await watching(t);
    server.keepAliveTimeout = IDLE_MS;
    await reloads.begin();
    const endRest = reloads.rest();
    await once(server, 'connection');
    endRest();
    for (const isReload of [false, true]) {
      await reloads.begin();
      const round = async (): Promise<void> => {
        // Replaced twice: the first connection is past its timeout.
        for (let renewed = 0; renewed < 2; renewed += 1) await once(server, 'connection');
        await sleep(KEPT_MS);
        if (isReload) reload(server);
        await sleep(KEPT_MS);
      };
      await reloads.through(round());
      assert.equal(reloads.wasReloaded(), isReload);
    }
  });
});
