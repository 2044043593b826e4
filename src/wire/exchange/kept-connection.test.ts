import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { oneByOne, rawServer, respond, type RawRequest, type RawServer } from '../../testing/raw-server.js';
import type { TimedAnswer, WireRequest } from './connection.js';
import { KeptConnection, nothingKnown, type Sending } from './kept-connection.js';

const ASK = (method: string): WireRequest => ({ method, path: '/v1/pets', headers: [], body: null });
const statusOf = ({ answer }: TimedAnswer): string =>
  answer.kind === 'response' ? String(answer.status) : answer.code;
const textOf = ({ answer }: TimedAnswer): string => (answer.kind === 'response' ? answer.text : answer.code);

/** Options of a request with a valid key. */
const by = (onSurplus: () => void): Sending => ({ isOwn: true, kindOf: statusOf, onSurplus });

async function keptTo(
  t: TestContext,
  answer: (request: RawRequest) => void,
): Promise<{ readonly server: RawServer; readonly kept: KeptConnection }> {
  const server = await rawServer(answer);
  const kept = new KeptConnection(server.origin, { timeoutMs: 5000, maxBodyBytes: 10_000 }, nothingKnown());
  t.after(async () => {
    await kept.close();
    await server.close();
  });
  return { server, kept };
}

const WHOLE = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"surplus"';
const isPost = ({ text }: RawRequest): boolean => text.startsWith('POST');

/** Times at which a server sends surplus bytes. */
const WHEN: Readonly<Record<string, (request: RawRequest) => boolean>> = {
  'after every response': () => true,
  'after every second response': ({ number }) => number % 2 === 0,
  'after POST only': isPost,
};

/** Waits, and reads the requests that came meanwhile. */
const later = (send: () => void, ms: number): void =>
  void setTimeout(() => setImmediate(() => setImmediate(send)), ms);

/** Delay of the bytes: with a response, in a separate piece, or late. */
const HOW: Readonly<Record<string, (send: () => void) => void>> = {
  together: (send) => send(),
  'in the next tick': (send) => void setImmediate(send),
  '1 ms later': (send) => later(send, 1),
  '50 ms later': (send) => later(send, 50),
};

for (const [when, isMeant] of Object.entries(WHEN))
  for (const [how, inTime] of Object.entries(HOW))
    for (const [what, surplus] of Object.entries({
      'a surplus response': WHOLE,
      'a surplus empty line': '\r\n',
      'surplus bytes': '{}',
    }))
      test(`${what} ${when}, ${how}: each request gets its own response, with one report`, async (t) => {
        const latest = new Map<number, number>();
        const { kept } = await keptTo(t, (request) => {
          const { socket, number, connection } = request;
          latest.set(connection, number);
          // Where this process stands still, the next request may be there: surplus bytes would be its response.
          const isIdle = (): boolean => !socket.destroyed && latest.get(connection) === number;
          const send = (): void => void (isIdle() && socket.write(surplus));
          respond(socket, String(number), [], isPost(request) ? '201 Created' : '200 OK');
          if (isMeant(request)) inTime(send);
        });
        let told = 0;
        for (let number = 1; number <= 12; number += 1) {
          const timed = await kept.send(
            ASK(number % 3 === 0 ? 'POST' : 'GET'),
            by(() => (told += 1)),
          );
          assert.equal(textOf(timed), String(number));
        }
        await kept.settled();
        assert.equal(told, 1);
      });

test('bytes after a 204 response belong to no response', async (t) => {
  const { kept } = await keptTo(t, ({ socket, number }) =>
    number === 1 ? void socket.write('HTTP/1.1 204 No Content\r\n\r\n[]') : respond(socket, String(number)),
  );
  let told = 0;
  const answers = [];
  for (let number = 1; number <= 3; number += 1)
    answers.push(
      await kept.send(
        ASK('GET'),
        by(() => (told += 1)),
      ),
    );
  assert.deepEqual([answers.map(textOf), told], [['', '2', '3'], 1]);
});

test('one connection carries all requests after no surplus bytes followed any response kind', async (t) => {
  const { server, kept } = await keptTo(t, ({ socket, number }) =>
    respond(socket, '', [], number % 2 ? '200 OK' : '404 Not Found'),
  );
  const send = (): Promise<TimedAnswer> =>
    kept.send(
      ASK('GET'),
      by(() => assert.fail('nothing came')),
    );
  await send();
  await send();
  await kept.settled();
  const before = server.connections();
  for (let number = 0; number < 10; number += 1) await send();
  assert.deepEqual([before, server.connections()], [2, 2]);
});

test('a 408 on an idle connection is not surplus data', async (t) => {
  let carrier: Socket | undefined;
  const { kept } = await keptTo(t, ({ socket, number }) => {
    carrier = socket;
    respond(socket, String(number));
  });
  const send = (): Promise<TimedAnswer> =>
    kept.send(
      ASK('GET'),
      by(() => assert.fail('it may say so')),
    );
  await send();
  await kept.settled();
  await send();
  assert.ok(carrier);
  const closed = once(carrier, 'close');
  carrier.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  await closed;
  assert.equal(textOf(await send()), '3');
});

test('a request without a valid key reuses a connection that carried a valid key', async (t) => {
  const { server, kept } = await keptTo(t, ({ socket, text }) =>
    respond(socket, '', [], text.startsWith('DELETE') ? '401 Unauthorized' : '200 OK'),
  );
  const own = by(() => assert.fail('nothing came'));
  const foreign = { ...own, isOwn: false };
  await kept.send(ASK('GET'), own);
  for (let number = 0; number < 3; number += 1) await kept.send(ASK('DELETE'), foreign);
  assert.deepEqual(new Set(server.requests.map(({ connection }) => connection)), new Set([1]));
});

test('a creation reuses no connection before another request has', async (t) => {
  let first: Socket | undefined;
  const { server, kept } = await keptTo(t, ({ socket, number }) => {
    first ??= socket;
    respond(socket, String(number));
  });
  const send = (method: string) =>
    kept.send(
      ASK(method),
      by(() => assert.fail('nothing came')),
    );
  await send('GET');
  await kept.settled();
  first?.end();
  await allRead();
  await send('GET');
  await send('POST');
  assert.deepEqual(
    server.requests.map(({ connection }) => connection),
    [1, 2, 3],
    'the second request needed a new connection, so nothing shows yet that this server keeps them',
  );
});

/**
 * Ways in which a server ends connections without `Connection: close`, which RFC 9112 section 9.6 allows at
 * any time.
 */
const CLOSERS: Readonly<Record<string, (request: RawRequest, isIdle: () => boolean) => Promise<void>>> = {
  'closes after every response': async ({ socket }) => void socket.end(),
  'closes connections that are idle for 120 ms': async ({ socket }, isIdle) => {
    await sleep(120);
    await allRead();
    if (isIdle()) socket.destroy();
    await allRead();
  },
  'resets every reused connection': async () => undefined,
};

/**
 * Resolves when both ends have read what the other sent: after a stall of this process, timers run before
 * sockets.
 */
async function allRead(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
}

for (const [how, afterwards] of Object.entries(CLOSERS))
  test(`a server that ${how} receives few requests twice and no creation twice`, async (t) => {
    const carried = new Map<number, number>();
    const closings: Promise<void>[] = [];
    const { server, kept } = await keptTo(t, (request) => {
      const before = carried.get(request.connection) ?? 0;
      carried.set(request.connection, before + 1);
      if (before > 0 && how.startsWith('resets')) return request.socket.resetAndDestroy();
      respond(request.socket, '1');
      closings.push(afterwards(request, () => carried.get(request.connection) === before + 1));
    });
    const own = by(() => assert.fail('nothing came'));
    const timed: TimedAnswer[] = [];
    for (let number = 1; number <= 30; number += 1) {
      timed.push(await kept.send(ASK(number % 4 === 0 ? 'POST' : 'GET'), { ...own, isOwn: number % 3 > 0 }));
      if (number % 10 !== 1) continue;
      await kept.settled();
      await Promise.all(closings);
    }
    assert.deepEqual(new Set(timed.map(textOf)), new Set(['1']));
    assert.ok(server.requests.length <= 32, `${server.requests.length} requests`);
    assert.equal(server.requests.filter(isPost).length, 7);
    const counted = timed.reduce((sum, { attempts }) => sum + attempts, 0);
    assert.ok(counted >= server.requests.length && counted <= 32, `${counted} counted`);
  });

test('a connection that closed while this process was held up is not reused', async (t) => {
  const { server, kept } = await keptTo(t, ({ socket }) => respond(socket, ''));
  const own = by(() => assert.fail('nothing came'));
  for (let number = 1; number <= 6; number += 1) {
    const timed = await kept.send(ASK('GET'), own);
    assert.equal(timed.attempts, 1);
    // The watch of the connection is over before this process reads that it ended.
    server.requests.at(-1)?.socket.end();
    const until = performance.now() + 100;
    while (performance.now() < until);
    await kept.settled();
  }
  assert.deepEqual([server.requests.length, server.connections()], [6, 6]);
});

test('a server that serves one connection at a time serves every request, with one delay', async (t) => {
  let answered = 0;
  let held = 0;
  const serve = oneByOne(({ socket, number }) => {
    answered += 1;
    respond(socket, String(number));
  });
  const { kept, server } = await keptTo(t, (request) => {
    serve(request);
    if (answered < request.number) held += 1;
  });
  for (let number = 1; number <= 24; number += 1) {
    const request = ASK(number % 3 === 0 ? 'POST' : 'GET');
    const kindOf = (): string => `kind ${number % 8}`;
    const sent = await kept.send(request, { isOwn: number % 4 !== 0, kindOf, onSurplus: () => undefined });
    assert.equal(textOf(sent), String(number));
    if (number % 5 === 0) await kept.settled();
  }
  assert.equal(server.requests.length, 24);
  assert.ok(held <= 1, `${held} requests waited for the end of another connection`);
});

test('a server that allows an address few connections serves every request', async (t) => {
  for (const most of [1, 2, 6]) {
    const server = await rawServer(({ socket, number }) => respond(socket, String(number)), { most });
    const kept = new KeptConnection(server.origin, { timeoutMs: 5000, maxBodyBytes: 10_000 }, nothingKnown());
    t.after(async () => {
      await kept.close();
      await server.close();
    });
    for (let kind = 0; kind < 12; kind += 1) {
      const sent = await kept.send(ASK('GET'), {
        isOwn: true,
        kindOf: () => `kind ${kind}`,
        onSurplus: () => undefined,
      });
      assert.equal(statusOf(sent), '200', `request ${kind} with ${most}`);
    }
    if (most === 6) assert.equal(server.refused(), 0, 'no more connections than the server allows');
  }
});

test('a server that allows an address few connections loses one creation at most', async (t) => {
  for (const most of [2, 3]) {
    const server = await rawServer(({ socket, number }) => respond(socket, String(number)), { most });
    const kept = new KeptConnection(server.origin, { timeoutMs: 5000, maxBodyBytes: 10_000 }, nothingKnown());
    t.after(async () => {
      await kept.close();
      await server.close();
    });
    let lost = 0;
    for (let kind = 0; kind < 12; kind += 1) {
      const sent = await kept.send(ASK(kind < most ? 'GET' : 'POST'), {
        isOwn: true,
        kindOf: () => `kind ${kind}`,
        onSurplus: () => undefined,
      });
      if (sent.answer.kind === 'none') lost += 1;
    }
    assert.ok(lost <= 1, `${lost} lost with ${most}`);
  }
});
