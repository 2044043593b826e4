import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LoadAnswer } from './requests.js';
import { anAnimal, localServer, rateHeaders, refuse } from './local-server.test.support.js';
import { inParallel } from './parallel.js';
import { LONG_MS, order } from './parallel.test.support.js';

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
        limits: { timeoutMs: 200, maxBodyBytes: 1000 },
        stopsAt: ({ sample }) => sample.status === 0,
      }),
    );
    assert.deepEqual(new Set(statuses(answers)), new Set([0]));
    assert.ok(server.requests() <= 6, `${server.requests()} requests`);
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

  it('ends after connection resets and counts the requests without response', async (test) => {
    const server = await localServer((request, response, count) =>
      count >= 20 ? request.socket.destroy() : response.writeHead(200, rateHeaders(9)).end(anAnimal),
    );
    test.after(() => server.close());
    const answers = await inParallel(order(server, 1000, { stopsAt: ({ sample }) => sample.status === 0 }));
    // One on each connection, and the further attempts of the last one.
    assert.ok(server.requests() <= 30, `${server.requests()} requests`);
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
