import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collectGarbage } from '../../run/collect-garbage.js';
import { anAnimal, localServer, rateHeaders } from './local-server.test.support.js';
import { inParallel } from './parallel.js';
import { LONG_MS, order } from './parallel.test.support.js';

/** What depends on the memory and the time of the process; parallel.test.ts has the others. */

/** Memory of this process, in bytes. */
const held = (): number => process.memoryUsage().heapUsed + process.memoryUsage().external;

/** Time that a slow response takes, ms, and by how much a timer may be early against the clock of a sample. */
const SLOW_MS = 40;
const TIMER_MS = 5;

describe('a batch of parallel requests', () => {
  it('keeps no long bodies in memory', async (test) => {
    const body = `"${'x'.repeat(200_000)}`;
    const server = await localServer((_, response, count) =>
      response.writeHead(200, rateHeaders(9)).end(`${body}${count}"`),
    );
    test.after(() => server.close());
    collectGarbage();
    const before = held();
    const answers = await inParallel(
      order(server, 200, { limits: { timeoutMs: LONG_MS, maxBodyBytes: 300_000 } }),
    );
    collectGarbage();
    // 40 MB arrived; counting the responses takes some memory too.
    assert.ok(held() - before < 25e6, `${held() - before} bytes more`);
    const bodies = answers.map(({ exchange: { answer } }) =>
      answer.kind === 'response' ? answer.text.length : 0,
    );
    assert.ok(bodies.every((length) => length > 200_000));
  });

  it('times each request separately, in the order of sending', async (test) => {
    const slow = new Set([2, 4, 6, 8, 10]);
    const server = await localServer((_, response, count) => {
      const answer = () => response.writeHead(200, rateHeaders(count)).end(anAnimal);
      setTimeout(answer, slow.has(count) ? SLOW_MS : 1);
    });
    test.after(() => server.close());
    const answers = await inParallel(order(server, 10, { connections: 2 }));
    const sent = answers.map(({ sample }) => sample.sentAt);
    assert.deepEqual(
      sent,
      sent.toSorted((one, other) => one - other),
    );
    const took = (isSlow: boolean): readonly number[] =>
      answers
        .filter(({ sample }) => slow.has(Number(sample.remaining)) === isSlow)
        .map(({ sample }) => sample.answeredAt - sample.sentAt);
    assert.deepEqual([took(true).length, took(false).length], [5, 5]);
    assert.ok(Math.min(...took(true)) >= SLOW_MS - TIMER_MS, took(true).join());
    // A slow machine may delay some quick responses, but not all by as much.
    assert.ok(Math.min(...took(false)) < Math.min(...took(true)), took(false).join());
  });

  it('sets no timer of less than nothing after the process was held up', async (test) => {
    const server = await localServer((_, response) => response.writeHead(200, rateHeaders(9)).end(anAnimal));
    test.after(() => server.close());
    const timers = test.mock.method(globalThis, 'setTimeout');
    const timeoutMs = 1000;
    const held = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const limits = { timeoutMs, maxBodyBytes: 10_000 };
    const stopsAt = (): boolean => Atomics.wait(held, 0, 0, timeoutMs + 200) !== 'timed-out';
    const answers = await inParallel(order(server, 2, { connections: 1, limits, stopsAt }));
    const negative = timers.mock.calls.map(({ arguments: [, ms] }) => ms ?? 0).filter((ms) => ms < 0);
    assert.deepEqual([answers.length, negative], [2, []]);
  });
});
