import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { rawServer, respond, type RawRequest, type RawServer } from '../../testing/raw-server.js';
import { now, Connection, waitUntil, type HttpLimits, type WireRequest } from './connection.js';
import type { Answer } from './types.js';

const LIMITS: HttpLimits = { timeoutMs: 5000, maxBodyBytes: 10_000 };
const GET: WireRequest = {
  method: 'GET',
  path: '/v1/pets',
  headers: [['Accept', 'application/json']],
  body: null,
};

/** Starts a server and connects to it; closes both after the test. */
async function connected(
  t: TestContext,
  answer: (request: RawRequest) => void,
  limits: Partial<HttpLimits> = {},
): Promise<{ readonly server: RawServer; readonly connection: Connection }> {
  const server = await rawServer(answer);
  const connection = new Connection(server.origin, { ...LIMITS, ...limits });
  t.after(async () => {
    await connection.close();
    await server.close();
  });
  return { server, connection };
}

const codeOf = (answer: Answer): string | number => (answer.kind === 'none' ? answer.code : answer.status);

test('consecutive requests use one connection', async (t) => {
  const { server, connection } = await connected(t, ({ socket, number }) => respond(socket, `[${number}]`));
  for (const expected of ['[1]', '[2]', '[3]']) {
    const { answer, attempts } = await connection.send(GET);
    assert.deepEqual([answer.kind === 'response' && answer.text, attempts], [expected, 1]);
  }
  assert.equal(server.connections(), 1);
});

for (const served of [1, 2, 3])
  test(`a request that fails on a reused connection (${served} responses) is sent once again`, async (t) => {
    const { server, connection } = await connected(t, ({ socket, connection: nth, number }) =>
      nth === 1 && number > served ? void socket.destroy() : respond(socket, '[]'),
    );
    for (let at = 0; at < served; at += 1) await connection.send(GET);
    const { answer, attempts } = await connection.send(GET);
    assert.deepEqual([codeOf(answer), attempts], [200, 2]);
    assert.deepEqual([server.requests.length, server.connections()], [served + 2, 2]);
  });

test('a failed request is not sent a third time', async (t) => {
  const { server, connection } = await connected(t, ({ socket, number }) =>
    number === 1 ? respond(socket, '[]') : void socket.destroy(),
  );
  await connection.send(GET);
  const { answer, attempts } = await connection.send(GET);
  assert.deepEqual([codeOf(answer), attempts, server.requests.length], ['reset', 2, 3]);
});

test('a request that fails on a new connection is not sent again', async (t) => {
  const { server, connection } = await connected(t, ({ socket }) => void socket.destroy());
  const { answer, attempts } = await connection.send(GET);
  assert.deepEqual([codeOf(answer), attempts, server.requests.length], ['reset', 1, 1]);
});

test('a request is not sent again after the first byte of a response', async (t) => {
  const { server, connection } = await connected(t, ({ socket, number }) => {
    if (number === 1) respond(socket, '[]');
    else socket.write('HTTP/1.1 201 Cre', () => socket.destroy());
  });
  await connection.send(GET);
  const { answer, attempts } = await connection.send({ ...GET, method: 'POST', body: '{}' });
  assert.deepEqual([codeOf(answer), attempts, server.requests.length], ['reset', 1, 2]);
});

test('the next request after an error uses a new connection', async (t) => {
  const { server, connection } = await connected(t, ({ socket, number }) =>
    number === 1 ? void socket.destroy() : respond(socket, '[]'),
  );
  await connection.send(GET);
  assert.equal(codeOf((await connection.send(GET)).answer), 200);
  assert.equal(server.connections(), 2);
});

const SLOW: Readonly<Record<string, (request: RawRequest) => void>> = {
  'never responds': () => undefined,
  'stops after the headers': ({ socket }) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'),
  'sends its headers byte by byte': ({ socket }) => drip(socket, 'HTTP/1.1 200 OK\r\nX-Slow: ', 'a'),
  'sends its body byte by byte': ({ socket }) =>
    drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n', ' '),
};

/** Sends bytes often enough to satisfy any idle timeout. */
function drip(socket: RawRequest['socket'], start: string, drop: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(drop), 20);
  socket.on('close', () => clearInterval(timer));
}

for (const [what, answer] of Object.entries(SLOW))
  test(`a target that ${what} leads to a timeout`, async (t) => {
    const { connection } = await connected(t, answer, { timeoutMs: 200 });
    const { answer: given, latencyMs, attempts } = await connection.send(GET);
    assert.deepEqual([codeOf(given), attempts], ['timeout', 1]);
    // Timers are sometimes early, and on a busy machine late.
    assert.ok(latencyMs >= 190, `${latencyMs} ms`);
  });

test('a response that came while this process stood still is read, and is no timeout', async (t) => {
  // A busy machine takes a part of it before the server has the request.
  const timeoutMs = 1000;
  const { connection } = await connected(
    t,
    ({ socket }) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, timeoutMs + 500);
      respond(socket, '[]');
    },
    { timeoutMs },
  );
  const { answer, attempts } = await connection.send(GET);
  assert.deepEqual([codeOf(answer), attempts], [200, 1]);
});

test('an endless body is cut off and its connection closed', async (t) => {
  let closed: Promise<unknown> | undefined;
  const { connection } = await connected(t, ({ socket }) => {
    closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    const pour = (): void => {
      while (!socket.destroyed && socket.write(`400\r\n${'x'.repeat(0x400)}\r\n`));
    };
    socket.on('drain', pour);
    pour();
  });
  assert.equal(codeOf((await connection.send(GET)).answer), 'too-large');
  await closed;
});

test('a body of the maximum size is read', async (t) => {
  const { connection } = await connected(t, ({ socket }) => respond(socket, 'x'.repeat(LIMITS.maxBodyBytes)));
  const { answer } = await connection.send(GET);
  assert.equal(answer.kind === 'response' && answer.text.length, LIMITS.maxBodyBytes);
});

test('a redirect is not followed', async (t) => {
  const elsewhere = await rawServer(({ socket }) => respond(socket, '[]'));
  t.after(() => elsewhere.close());
  const { server, connection } = await connected(t, ({ socket }) =>
    respond(socket, '', [`Location: ${elsewhere.origin}/v1/pets`], '307 Temporary Redirect'),
  );
  assert.equal(codeOf((await connection.send(GET)).answer), 307);
  assert.deepEqual([server.requests.length, elsewhere.requests.length], [1, 0]);
});

test('header names keep their case, and repeated headers stay separate', async (t) => {
  const { connection } = await connected(t, ({ socket }) =>
    respond(socket, '[]', ['X-RateLimit-Limit: 60', 'x-ratelimit-limit: 61', 'ETag: caf\u00e9']),
  );
  const { answer } = await connection.send(GET);
  assert.ok(answer.kind === 'response');
  assert.deepEqual(answer.headers.slice(0, 2), [
    ['X-RateLimit-Limit', '60'],
    ['x-ratelimit-limit', '61'],
  ]);
});

test('method, path, headers and body are sent exactly as given', async (t) => {
  const { server, connection } = await connected(t, ({ socket }) => respond(socket, '[]'));
  const headers = [
    ['X-Odd-CASE', '1'],
    ['Content-Type', 'application/json'],
  ] as const;
  await connection.send({ method: 'POST', path: '/v1/pets?a=%20', headers, body: '{"name":"é"}' });
  const { text } = server.requests[0] ?? { text: '' };
  assert.match(text, /^POST \/v1\/pets\?a=%20 HTTP\/1\.1\r\n/);
  assert.match(text, /\r\nX-Odd-CASE: 1\r\n/);
  assert.equal(Buffer.from(text, 'latin1').toString().endsWith('\r\n\r\n{"name":"é"}'), true);
});

const MALFORMED: Readonly<Record<string, string>> = {
  'another protocol than HTTP': 'SSH-2.0-OpenSSH_9.2\r\n\r\n',
  'a broken header': 'HTTP/1.1 200 OK\r\nno colon here\r\n\r\n',
  'a pair of Content-Length headers': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n[]',
  'a broken chunk': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
  'an endless header': `HTTP/1.1 200 OK\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`,
  'a switch to another protocol':
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n',
};

for (const [what, bytes] of Object.entries(MALFORMED))
  test(`${what} is malformed HTTP`, async (t) => {
    const { connection } = await connected(t, ({ socket }) => socket.end(bytes));
    assert.equal(codeOf((await connection.send(GET)).answer), 'malformed-http');
  });

test('a body shorter than its Content-Length is not a response', async (t) => {
  const { connection } = await connected(t, ({ socket }) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n[]'),
  );
  assert.equal((await connection.send(GET)).answer.kind, 'none');
});

test('a closed port gives "refused"', async () => {
  const server = await rawServer(() => undefined);
  await server.close();
  const connection = new Connection(server.origin, LIMITS);
  assert.equal(codeOf((await connection.send(GET)).answer), 'refused');
  await connection.close();
});

test('a host name that does not resolve gives "unknown-host"', async () => {
  const connection = new Connection('http://nobody.invalid', LIMITS);
  assert.equal(codeOf((await connection.send(GET)).answer), 'unknown-host');
  await connection.close();
});

test('plain HTTP instead of TLS gives "tls"', async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const connection = new Connection(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, LIMITS);
  t.after(async () => {
    await connection.close();
    server.close();
  });
  assert.equal(codeOf((await connection.send(GET)).answer), 'tls');
});

test('a request that cannot be sent throws an error', async (t) => {
  const { connection } = await connected(t, ({ socket }) => respond(socket, '[]'));
  await assert.rejects(connection.send({ ...GET, headers: [['Authorization', 'Bearer a\nb']] }));
});

test('a wait is never too short, even with fractions of a millisecond', async () => {
  for (let wait = 1; wait < 10; wait += 0.23) {
    const at = now() + wait;
    await waitUntil(at);
    assert.ok(now() >= at);
  }
});

/** An address of this machine at which nothing listens. */
const NOWHERE = '127.0.0.9';

test('a host that has another address is asked there, and a creation is sent once', async (t) => {
  const server = await rawServer(({ socket }) => respond(socket, '[]'));
  t.after(() => server.close());
  const origin = server.origin.replace('127.0.0.1', 'localhost');
  const limits = { timeoutMs: 20_000, maxBodyBytes: 1000, address: NOWHERE };
  const connection = new Connection(origin, limits);
  t.after(() => connection.close());
  const { answer, attempts } = await connection.send({ method: 'POST', path: '/', headers: [], body: '{}' });
  assert.equal(answer.kind, 'response');
  assert.deepEqual([attempts, server.requests.length], [1, 1]);
});
