import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RequestSpec } from '../../wire/exchange/request-spec.js';
import { secret } from '../../wire/targets/secret.js';
import { collectGarbage } from '../../run/collect-garbage.js';
import { type LoadAnswer, requestsOf, loadStore } from './requests.js';
import { anAnimal, localServer, rateHeaders, refuse, type LocalServer } from './local-server.test.support.js';
import { inParallel, type ParallelOptions } from './parallel.js';
import { newReuse } from '../../wire/exchange/reuse.js';

const context = { basePath: '/v1', userAgent: 'kit (test)', run: 'cafe0123', secret: secret('pk-test-key') };
const list: RequestSpec = requestsOf('free', 'cafe0123', loadStore([]))('listPets');

/** A timeout that no response of these servers exceeds, however slow the machine, ms. */
const LONG_MS = 60_000;

/** Returns an order of `count` listings that stops as the test demands. */
function order(server: LocalServer, count: number, more: Partial<ParallelOptions> = {}): ParallelOptions {
  let sent = 0;
  let id = 0;
  return {
    origin: server.origin,
    limits: { timeoutMs: LONG_MS, maxBodyBytes: 10_000 },
    context,
    connections: 5,
    nextId: () => `l${(id += 1)}`,
    next: () => (sent++ < count ? list : null),
    stopsAt: () => false,
    reuse: newReuse(),
    signal: new AbortController().signal,
    ...more,
  };
}

/** Memory of this process, in bytes. */
const held = (): number => process.memoryUsage().heapUsed + process.memoryUsage().external;

/** Time that a slow response takes, ms, and by how much a timer may be early against the clock of a sample. */
const SLOW_MS = 40;
const TIMER_MS = 5;

const statuses = (answers: readonly LoadAnswer[]): readonly number[] =>
  answers.map(({ sample }) => sample.status);
const isRefused = ({ sample }: LoadAnswer): boolean => sample.status === 429;

describe('a batch of parallel requests', () => {
  it('sends exactly the given number of requests and has a response for each', async (test) => {
    const server = await localServer((_, response) => response.writeHead(200, rateHeaders(9)).end(anAnimal));
    test.after(() => server.close());
    const answers = await inParallel(order(server, 103));
    assert.equal(server.requests(), 103);
    assert.deepEqual(new Set(statuses(answers)), new Set([200]));
    assert.equal(answers.length, 103);
    assert.equal(new Set(answers.map(({ exchange }) => exchange.id)).size, 103);
  });

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

  it('stops at the first 429 and counts every request the server received', async (test) => {
    const server = await localServer((_, response) => refuse(response));
    test.after(() => server.close());
    const answers = await inParallel(order(server, 10_000, { stopsAt: isRefused }));
    assert.ok(server.requests() <= 5, `${server.requests()} requests`);
    assert.equal(answers.length, server.requests());
    assert.ok(answers.every(isRefused));
  });

  it('stops at a later 429, with at most the open requests still counted', async (test) => {
    const server = await localServer((_, response, count) =>
      count <= 60 ? response.writeHead(200, rateHeaders(60 - count)).end(anAnimal) : refuse(response),
    );
    test.after(() => server.close());
    const answers = await inParallel(order(server, 10_000, { stopsAt: isRefused }));
    assert.ok(server.requests() <= 65, `${server.requests()} requests`);
    assert.equal(answers.length, server.requests());
    assert.equal(answers.filter(({ sample }) => sample.status === 200).length, 60);
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

  it('gives up a body above the limit', async (test) => {
    const server = await localServer((_, response) => {
      response.writeHead(200, rateHeaders(9));
      test.after(() => server.close());
      const timer = setInterval(() => response.write('x'.repeat(4000)), 1);
      response.on('close', () => clearInterval(timer));
    });
    const answers = await inParallel(
      order(server, 1, { connections: 1, stopsAt: ({ sample }) => sample.status === 0 }),
    );
    assert.deepEqual(
      answers.map(({ exchange }) => (exchange.answer.kind === 'none' ? exchange.answer.code : 'whole')),
      ['too-large'],
    );
  });

  it('ends if the target stops responding', async (test) => {
    const server = await localServer(() => undefined);
    test.after(() => server.close());
    const answers = await inParallel(
      order(server, 1000, {
        connections: 3,
        limits: { timeoutMs: 1000, maxBodyBytes: 1000 },
        stopsAt: ({ sample }) => sample.status === 0,
      }),
    );
    assert.deepEqual(new Set(statuses(answers)), new Set([0]));
    assert.ok(server.requests() <= 6, `${server.requests()} requests`);
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

  it(
    'ends immediately when interrupted, without waiting for the timeout',
    { timeout: 30_000 },
    async (test) => {
      const interruption = new AbortController();
      const server = await localServer((_request, _response, count) => {
        if (count === 5) interruption.abort();
      });
      test.after(() => server.close());
      const limits = { timeoutMs: LONG_MS, maxBodyBytes: 1000 };
      const answers = await inParallel(order(server, 1000, { limits, signal: interruption.signal }));
      assert.deepEqual(new Set(statuses(answers)), new Set([0]));
    },
  );

  it('sends the key but does not record it', async (test) => {
    const seen: string[] = [];
    const server = await localServer((request, response) => {
      seen.push(String(request.headers.authorization), String(request.headers['user-agent']));
      test.after(() => server.close());
      response.writeHead(200, rateHeaders(9)).end(anAnimal);
    });
    const answers = await inParallel(order(server, 1, { connections: 1 }));
    assert.deepEqual(seen, ['Bearer pk-test-key', 'kit (test)']);
    assert.ok(!JSON.stringify(answers).includes('pk-test-key'));
  });

  it('loses no request if the server closes connections without notice', async (test) => {
    const server = await localServer((request, response) => {
      response.writeHead(200, rateHeaders(9)).end(anAnimal, () => request.socket.destroy());
      response.shouldKeepAlive = true;
    });
    test.after(() => server.close());
    const answers = await inParallel(order(server, 60));
    assert.deepEqual(
      [server.requests(), answers.length, new Set(statuses(answers))],
      [60, 60, new Set([200])],
    );
  });

  it('counts the requests the server received if the server resets used connections', async (test) => {
    const used = new WeakSet<object>();
    const server = await localServer((request, response) => {
      if (used.has(request.socket)) return void request.socket.resetAndDestroy();
      used.add(request.socket);
      response.writeHead(200, rateHeaders(9)).end(anAnimal);
    });
    test.after(() => server.close());
    const answers = await inParallel(order(server, 60));
    assert.equal(server.requests(), answers.length);
    assert.equal(answers.filter(({ sample }) => sample.status === 0).length, 1);
  });

  it('ends after a connection reset and counts the request without response', async (test) => {
    const server = await localServer((request, response, count) =>
      count === 20 ? request.socket.destroy() : response.writeHead(200, rateHeaders(9)).end(anAnimal),
    );
    test.after(() => server.close());
    const answers = await inParallel(order(server, 1000, { stopsAt: ({ sample }) => sample.status === 0 }));
    assert.ok(server.requests() <= 26, `${server.requests()} requests`);
    assert.equal(answers.filter(({ sample }) => sample.status === 0).length >= 1, true);
    assert.ok(answers.length >= server.requests());
  });

  it('ends with "refused" on a closed port', async () => {
    const server = await localServer(() => undefined);
    await server.close();
    const answers = await inParallel(order(server, 1000));
    assert.deepEqual(
      answers.map(({ exchange }) => (exchange.answer.kind === 'none' ? exchange.answer.code : 'whole')),
      ['refused', 'refused', 'refused', 'refused', 'refused'],
    );
  });
});
