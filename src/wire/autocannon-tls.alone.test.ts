import assert from 'node:assert/strict';
import type { EventEmitter } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import autocannon from 'autocannon';
import { secret } from './targets/secret.js';
import { CERTIFICATES } from '../testing/certificates.js';
import { tlsFront } from '../testing/tls-front.js';
import { anAnimal, localServer, rateHeaders } from '../drive/load/local-server.test.support.js';
import { requestsOf, loadStore } from '../drive/load/requests.js';
import { inParallel, type ParallelOptions } from '../drive/load/parallel.js';
import { newConnectionReuse } from './exchange/connection-reuse.js';

/** A timeout that no response of these servers exceeds, however slow the machine, ms. */
const LONG_MS = 60_000;
const KEY = 'pk-key-that-nobody-else-may-read';

async function answering(test: TestContext): Promise<string> {
  const server = await localServer((_, response) => response.writeHead(200, rateHeaders(9)).end(anAnimal));
  test.after(() => server.close());
  return server.origin;
}

function order(origin: string, ca: string, count: number): ParallelOptions {
  const list = requestsOf('free', 'cafe0123', loadStore([]))('listPets');
  let sent = 0;
  let id = 0;
  return {
    origin,
    limits: { timeoutMs: LONG_MS, maxBodyBytes: 10_000, ca },
    context: { basePath: '/v1', userAgent: 'kit (test)', run: 'cafe0123', secret: secret(KEY) },
    connections: 3,
    nextId: () => `l${(id += 1)}`,
    next: () => (sent++ < count ? list : null),
    stopsAt: () => false,
    reuse: newConnectionReuse(),
    signal: new AbortController().signal,
  };
}

describe('parallel requests over TLS', () => {
  it('all succeed with a trusted certificate', async (test) => {
    const front = await tlsFront(test, await answering(test), () => 'trusted');
    const answers = await inParallel(order(front.origin, CERTIFICATES.trusted, 30));
    assert.deepEqual(
      answers.map(({ sample }) => sample.status),
      Array.from({ length: 30 }, () => 200),
    );
    assert.ok(front.read('trusted') > 30 * KEY.length);
  });

  for (const [name, ca, reason] of [
    ['stranger', 'trusted', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['expired', 'expired', 'CERT_HAS_EXPIRED'],
    ['elsewhere', 'elsewhere', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ] as const)
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
      it(`send no byte of a request to an untrusted certificate: ${name}, ${version}`, async (test) => {
        const front = await tlsFront(test, await answering(test), () => name, version);
        const answers = await inParallel(order(front.origin, CERTIFICATES[ca], 30));
        assert.equal(front.read(name), 0);
        assert.ok(front.connections() >= 1);
        assert.equal(answers.length, 3);
        for (const { sample, exchange } of answers) {
          assert.equal(sample.status, 0);
          assert.deepEqual(exchange.answer, {
            kind: 'none',
            code: 'tls',
            message: `the certificate is not trusted (${reason})`,
          });
        }
        assert.ok(!JSON.stringify(answers).includes(KEY));
      });

  it('send no byte to another certificate after a reconnect', async (test) => {
    const front = await tlsFront(test, await answering(test), (connection) =>
      connection <= 3 ? 'trusted' : 'stranger',
    );
    const options = order(front.origin, CERTIFICATES.trusted, 1000);
    let seen = 0;
    const answers = await inParallel({
      ...options,
      stopsAt: () => {
        if ((seen += 1) === 20) front.hangUp();
        return false;
      },
    });
    assert.ok(front.read('trusted') > 0);
    assert.equal(front.read('stranger'), 0);
    assert.ok(answers.some(({ sample }) => sample.status === 0));
    assert.ok(answers.length < 1000);
  });

  it('report plain HTTP on an https address as a TLS error', async (test) => {
    const origin = await answering(test);
    const answers = await inParallel(order(origin.replace('http:', 'https:'), CERTIFICATES.trusted, 3));
    assert.deepEqual(
      answers.map(({ exchange: { answer } }) => (answer.kind === 'none' ? answer.code : answer.status)),
      ['tls', 'tls', 'tls'],
    );
  });
});

describe('autocannon 9.0.0 over TLS', () => {
  type Client = EventEmitter & { readonly conn?: { readonly authorized: boolean } };

  it('does not verify certificates itself, and has a new `conn` after each reconnect', async (test) => {
    const front = await tlsFront(test, await answering(test), () => 'stranger');
    const connections = new Set<unknown>();
    let before: unknown = null;
    await autocannon({
      url: front.origin,
      connections: 1,
      amount: 6,
      pipelining: 1,
      sampleInt: 10,
      reconnectRate: 2,
      tlsOptions: { ca: CERTIFICATES.trusted, rejectUnauthorized: true },
      setupClient: (given) => {
        const client = given as unknown as Client;
        before = client.conn;
        client.on('request', () => connections.add(client.conn));
      },
    });
    assert.ok(front.read('stranger') > 0);
    assert.equal(before, undefined);
    assert.ok(connections.size >= 2, `${connections.size} connections`);
    for (const connection of connections) assert.equal((connection as Client['conn'])?.authorized, false);
  });
});
