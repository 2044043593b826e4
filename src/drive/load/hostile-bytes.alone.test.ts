import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { RequestSpec } from '../../wire/exchange/request-spec.js';
import { secret } from '../../wire/targets/secret.js';
import { rawServer } from '../../testing/raw-server.js';
import { type LoadAnswer, requestsOf, loadStore } from './requests.js';
import { anAnimal } from './local-server.test.support.js';
import { inParallel } from './parallel.js';
import { newConnectionReuse } from '../../wire/exchange/connection-reuse.js';

const context = { basePath: '/v1', userAgent: 'kit (test)', run: 'cafe0123', secret: secret('pk-test-key') };
const list: RequestSpec = requestsOf('free', 'cafe0123', loadStore([]))('listPets');
const CAP = 10_000;
/** A timeout that no response of these servers exceeds, however slow the machine, ms. */
const LONG_MS = 60_000;
const CONNECTIONS = 3;

async function sentInParallel(origin: string, count: number): Promise<readonly LoadAnswer[]> {
  let sent = 0;
  let id = 0;
  return inParallel({
    origin,
    limits: { timeoutMs: LONG_MS, maxBodyBytes: CAP },
    context,
    connections: CONNECTIONS,
    nextId: () => `l${(id += 1)}`,
    next: () => (sent++ < count ? list : null),
    stopsAt: () => false,
    reuse: newConnectionReuse(),
    signal: new AbortController().signal,
  });
}

const codes = (answers: readonly LoadAnswer[]): ReadonlySet<string | number> =>
  new Set(answers.map(({ exchange: { answer } }) => (answer.kind === 'none' ? answer.code : answer.status)));

const head = (...fields: readonly string[]): string => ['HTTP/1.1 200 OK', ...fields, '', ''].join('\r\n');
const chunked = head('Transfer-Encoding: chunked');
const animal = Buffer.from(anAnimal);
const whole = `${head(`Content-Length: ${animal.length}`)}${anAnimal}`;

/** Writes `again` repeatedly as long as the other side reads. */
function flood(socket: Socket, start: string, again: string): void {
  const piece = again.repeat(Math.ceil(60_000 / again.length));
  socket.write(start);
  const more = (): void => {
    while (!socket.destroyed && socket.writable && socket.write(piece));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}

/** Size of a socket's buffers on both sides, with a reserve; unbounded reading would take gigabytes. */
const MOST_BYTES = 16 * 1024 * 1024;

describe('parallel requests to a server that', { timeout: 5 * LONG_MS }, () => {
  for (const [what, bytes] of [
    ['sends a negative chunk size', `${chunked}-6\r\nabcdef\r\n0\r\n\r\n`],
    ['sends a negative Content-Length', `${head('Content-Length: -6')}abcdef`],
    ['sends two Content-Length headers', `${head('Content-Length: 6', 'Content-Length: 7')}abcdef`],
    ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n'],
    ['speaks another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
  ] as const)
    it(`${what} end with "malformed-http"`, async (t) => {
      const server = await rawServer(({ socket }) => void socket.write(bytes));
      t.after(() => server.close());
      assert.deepEqual(codes(await sentInParallel(server.origin, 100)), new Set(['malformed-http']));
    });

  for (const [what, start, again] of [
    ['headers', 'HTTP/1.1 200 OK\r\n', 'A: b\r\n'],
    ['header values', 'HTTP/1.1 200 OK\r\nA: ', 'b'],
    ['status lines', 'HTTP/1.1 200 ', 'b'],
    ['trailers', `${chunked}0\r\n`, 'A: b\r\n'],
    ['chunk extensions', `${chunked}1;`, 'b'],
    ['bodies', head(), 'b'],
    ['chunks', chunked, `64\r\n${'b'.repeat(100)}\r\n`],
  ] as const)
    it(`sends endless ${what} end after a limited amount of data`, async (t) => {
      const sockets: Socket[] = [];
      const server = await rawServer(({ socket }) => {
        sockets.push(socket);
        flood(socket, start, again);
      });
      t.after(() => server.close());
      const came = codes(await sentInParallel(server.origin, 100));
      assert.equal(came.size, 1);
      assert.ok(came.has('malformed-http') || came.has('too-large'), [...came].join());
      assert.ok(
        sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0) < sockets.length * MOST_BYTES,
      );
    });

  it('sends interim responses succeed', async (t) => {
    const before = ['102 Processing', '103 Early Hints\r\nLink: </style.css>; rel=preload', '100 Continue'];
    const server = await rawServer(({ socket, number }) => {
      socket.write(`HTTP/1.1 ${before[number % before.length]}\r\n\r\n${number % 2 === 0 ? whole : ''}`);
      if (number % 2 === 1) setImmediate(() => socket.write(whole));
    });
    t.after(() => server.close());
    const answers = await sentInParallel(server.origin, 60);
    assert.deepEqual([codes(answers), answers.length], [new Set([200]), 60]);
  });

  it('sends unrequested gzip succeed', async (t) => {
    const body = gzipSync(animal);
    const server = await rawServer(({ socket }) => {
      socket.write(head(`Content-Length: ${body.length}`, 'Content-Encoding: gzip'));
      socket.write(body);
    });
    t.after(() => server.close());
    const [first] = await sentInParallel(server.origin, 12);
    assert.equal(first?.exchange.answer.kind === 'response' && first.exchange.answer.text, anAnimal);
  });

  it('sends surplus bytes use a new connection afterwards', async (t) => {
    const server = await rawServer(
      ({ socket, number }) => void socket.write(number === 4 ? whole + whole : whole),
    );
    t.after(() => server.close());
    const answers = await sentInParallel(server.origin, 60);
    const bodies = answers.filter(
      ({ exchange: { answer } }) => answer.kind === 'response' && answer.status === 200,
    );
    assert.ok(
      bodies.length <= server.requests.length,
      `${bodies.length} answers to ${server.requests.length} requests`,
    );
  });
});
