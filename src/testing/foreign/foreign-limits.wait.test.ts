import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBareHttp } from './bare-http-server.js';
import { startExpress } from './express-server.js';
import { startFastify } from './fastify-server.js';
import { ALLOWANCES, type ForeignServer } from './foreign-server.js';
import { startSloppy } from './sloppy-server.js';

/**
 * Tests the limiters of these servers without the kit. To test load profiles on them, start a server with a
 * short minute and pass `targetOf(server, plan, options)`.
 */

const SERVERS = { startExpress, startFastify, startBareHttp, startSloppy };

/** Long enough to send a Free plan's allowance next to busy processes, short enough to wait for. */
const options = { minuteSeconds: 30 };

const listing = async ({ baseUrl }: ForeignServer, key: string): Promise<Response> => {
  const response = await fetch(`${baseUrl}/pets?limit=1`, { headers: { Authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response;
};

/** Returns the time in a Retry-After header, Unix ms. */
function momentOf(retryAfter: string): number {
  return /^\d+$/.test(retryAfter) ? Date.now() + Number(retryAfter) * 1000 : Date.parse(retryAfter);
}

describe(
  'each server allows the plan’s limit, then sends 429 with a correct Retry-After',
  { concurrency: true },
  () => {
    for (const [name, start] of Object.entries(SERVERS))
      test(name, async () => {
        const server = await start(options);
        try {
          // In parallel, so that even a slow machine sends them within the window.
          const allowance = Array.from({ length: ALLOWANCES.free.perMinute }, () =>
            listing(server, server.keys.free),
          );
          for (const { status } of await Promise.all(allowance)) assert.equal(status, 200);
          const refusal = await listing(server, server.keys.free);
          assert.equal(refusal.status, 429);
          assert.equal((await listing(server, server.keys.sacrificial)).status, 200, 'another key');
          const until = momentOf(refusal.headers.get('retry-after') ?? '');
          assert.ok(until <= Date.now() + options.minuteSeconds * 1000 + 1000);
          await sleep(until - Date.now());
          assert.equal((await listing(server, server.keys.free)).status, 200, 'after Retry-After');
        } finally {
          await server.close();
        }
      });
  },
);
