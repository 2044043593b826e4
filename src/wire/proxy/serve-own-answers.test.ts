import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { CLIENT_LEFT, RECORD_ENDED } from '../exchange/client-exchange.js';
import { proxied, OK } from './serve.test.support.js';

describe('the proxy itself', () => {
  test('says with 502 and an Error that the target gave no response, and names itself', async (t) => {
    const wire = await proxied(t, (end) => end.socket.destroy());
    const silent = await fetch(`${wire.proxy.origin}/v1/pets`);
    assert.equal(silent.status, 502);
    await wire.stopTarget();
    const gone = await fetch(`${wire.proxy.origin}/v1/pets`, { method: 'POST', body: '{}' });
    assert.equal(gone.status, 502);
    const error = (await gone.json()) as Record<string, unknown>;
    assert.equal(error['code'], 'proxy_no_response');
    assert.match(String(error['message']), /^petstore-conformance proxy: .*nothing listens there/);
    const passed = await wire.over(2);
    assert.ok(passed.every(({ answer }) => answer.kind === 'none'));
  });

  test('says that it ended, and not that a client closed its connection', async (t) => {
    const arrivals: (() => void)[] = [];
    const arrival = (): Promise<void> => new Promise((done) => arrivals.push(done));
    const wire = await proxied(t, (end) => void end.until('\r\n\r\n').then(() => arrivals.shift()?.()));
    const request = 'GET /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n';
    const first = arrival();
    const left = await wire.client();
    left.socket.write(request);
    await first;
    left.socket.resetAndDestroy();
    await wire.over(1);
    const staying = await wire.client();
    const second = arrival();
    staying.socket.write(request);
    await second;
    await wire.proxy[Symbol.asyncDispose]();
    const passed = await wire.over(2);
    assert.deepEqual(
      passed.map(({ answer }) => answer.kind === 'none' && answer.why),
      [CLIENT_LEFT, RECORD_ENDED],
    );
  });

  test('says that what the target sent is malformed, and not that it closed the connection', async (t) => {
    for (const sent of ['SSH-2.0-OpenSSH\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 2x\r\n\r\nok']) {
      const wire = await proxied(t, (end) => void end.until('\r\n\r\n').then(() => end.socket.write(sent)));
      const response = await fetch(`${wire.proxy.origin}/v1/pets`);
      assert.equal(response.status, 502);
      assert.match(await response.text(), /its response is malformed \(Parse Error/);
    }
  });

  test('keeps a client’s connection when the target ends its own at rest, and opens another', async (t) => {
    for (const method of ['GET', 'POST']) {
      const wire = await proxied(t, (end, nth) => {
        void end
          .until('\r\n\r\n')
          .then(() => end.socket.write(OK))
          .then(() => wire.over(1))
          // The end arrives together with the next request.
          .then(() => nth === 1 && (client.socket.write(second), end.socket.end()));
      });
      const client = await wire.client();
      const second = `${method} /v1/again HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n`;
      client.socket.write('GET /v1/pets HTTP/1.1\r\nHost: h\r\n\r\n');
      assert.equal((await client.until(/ok[^]*ok$/)).match(/ 200 OK/g)?.length, 2);
      assert.deepEqual(
        wire.received().map((text) => text.includes('/v1/again')),
        [false, true],
      );
    }
  });

  test('sends a request again where a connection at rest broke under it, and never a creation', async (t) => {
    for (const [method, status, sent] of [
      ['GET', 200, 2],
      ['POST', 502, 1],
    ] as const) {
      const wire = await proxied(t, (end, nth) => {
        void end
          .until('\r\n\r\n')
          .then(() => end.socket.write(OK))
          .then(() => (nth === 1 ? end.until('/v1/again') : null))
          .then((text) => text !== null && end.socket.resetAndDestroy());
      });
      const client = await wire.client();
      client.socket.write('GET /v1/pets HTTP/1.1\r\nHost: h\r\n\r\n');
      await client.until('ok');
      client.socket.write(`${method} /v1/again HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n`);
      await client.until(new RegExp(`ok[^]* ${status} `));
      assert.equal(wire.received().join('').split('/v1/again').length - 1, sent);
    }
  });

  test('sends no request again that got a malformed response on a connection at rest', async (t) => {
    const wire = await proxied(t, (end, nth) => {
      void end
        .until('\r\n\r\n')
        .then(() => end.socket.write(OK))
        .then(() => (nth === 1 ? end.until('/v1/again') : null))
        .then((text) => text !== null && end.socket.end('NO HTTP\r\n\r\n'));
    });
    const client = await wire.client();
    client.socket.write('GET /v1/pets HTTP/1.1\r\nHost: h\r\n\r\n');
    await client.until('ok');
    client.socket.write('GET /v1/again HTTP/1.1\r\nHost: h\r\n\r\n');
    await client.until(/ok[^]* 502 [^]*malformed/);
    assert.equal(wire.received().join('').split('/v1/again').length - 1, 1);
  });

  test('gives a creation after a rest a new connection, as the old one may end under it', async (t) => {
    const wire = await proxied(t, (end) => {
      end.socket.on('data', () => end.socket.write(OK));
    });
    const client = await wire.client();
    const rested = async (method: string): Promise<void> => {
      const before = client.text().length;
      client.socket.write(`${method} /v1/pets HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n`);
      await client.until(new RegExp(`[^]{${before}}[^]*ok$`));
    };
    await rested('POST');
    await rested('POST');
    await pause(1100);
    await rested('GET');
    assert.equal(wire.connections(), 1);
    await pause(1100);
    await rested('POST');
    assert.equal(wire.connections(), 2);
  });

  test('answers a client on its connection after the target died, and passes on once it is back', async (t) => {
    let isDead = false;
    const wire = await proxied(t, (end) => {
      if (isDead) end.socket.destroy();
      end.socket.on('data', () => (isDead ? end.socket.resetAndDestroy() : end.socket.write(OK)));
    });
    const client = await wire.client();
    const ask = async (method: string, pattern: RegExp): Promise<void> => {
      const before = client.text().length;
      client.socket.write(`${method} /v1/pets HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n`);
      await client.until(new RegExp(`^[^]{${before}}${pattern.source}`));
    };
    await ask('POST', /HTTP\/1.1 200 [^]*ok$/);
    isDead = true;
    await ask('POST', /HTTP\/1.1 502 [^]*proxy_no_response/);
    await ask('GET', /HTTP\/1.1 502 [^]*proxy_no_response/);
    isDead = false;
    await ask('POST', /HTTP\/1.1 200 [^]*ok$/);
  });

  test('refuses an upgrade with 501, and a switch that nobody asked for with 502; HTTP/2 is not asked for', async (t) => {
    const wire = await proxied(t, (end) => {
      void end
        .until('\r\n\r\n')
        .then((text) =>
          end.socket.write(
            text.includes('/switch')
              ? 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
              : OK,
          ),
        );
    });
    for (const [path, protocol, status] of [
      ['/v1/pets', 'websocket', 501],
      ['/v1/pets', 'TLS/1.0', 501],
      ['/v1/pets', 'h2c', 200],
      ['/switch', 'h2c', 502],
    ] as const) {
      const client = await wire.client();
      client.socket.write(
        `GET ${path} HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`,
      );
      await client.until(new RegExp(`^HTTP/1.1 ${status} [^]*(ok|petstore-conformance proxy: )`));
    }
    assert.equal(wire.connections(), 2);
  });

  test('refuses requests for other hosts, as to a forward proxy: not passed on, not recorded', async (t) => {
    const wire = await proxied(t, (end) => void end.until('\r\n\r\n').then(() => end.socket.write(OK)));
    const others = [
      'GET http://other.example/v1/pets',
      `GET http://other.example:${wire.proxy.port}/v1/pets`,
      'GET https://127.0.0.1/v1/pets',
      'GET ftp://other.example/',
      'CONNECT other.example:443',
    ];
    for (const start of others) {
      const client = await wire.client();
      client.socket.write(`${start} HTTP/1.1\r\nHost: other.example\r\nAuthorization: Bearer theirs\r\n\r\n`);
      const text = await client.until(/^HTTP\/1.1 421 [^]*remove HTTP_PROXY/);
      assert.ok(text.includes(`http://127.0.0.1:${wire.proxy.port}/v1`), text);
    }
    const client = await wire.client();
    client.socket.write('GET /v1/pets HTTP/1.1\r\nHost: h\r\n\r\n');
    await client.until('ok');
    assert.equal((await wire.over(1)).length, 1);
    assert.equal(wire.connections(), 1);
    assert.deepEqual(
      wire.refused(),
      others.map(() => 'for another host, as to a forward proxy'),
    );
  });

  test('refuses bytes that are no HTTP with 400, and counts them', async (t) => {
    const wire = await proxied(t, () => undefined);
    const client = await wire.client();
    client.socket.write('NO HTTP\r\n\r\n');
    assert.match(await client.ended, /^HTTP\/1.1 400 .*proxy_unreadable_request/s);
    assert.deepEqual(wire.refused(), ['unreadable']);
  });

  test('gives its own response to a request that is refused, after reading all of it', async (t) => {
    const wire = await proxied(t, (end) => void end.until('\r\n\r\n').then(() => end.socket.write(OK)), {
      intervene: ({ method }) =>
        Promise.resolve(
          method === 'POST' ? { status: 429, headers: [['Retry-After', '2']], text: '{}' } : null,
        ),
    });
    const refused = await fetch(`${wire.proxy.origin}/v1/pets`, {
      method: 'POST',
      body: 'x'.repeat(300_000),
    });
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '2']);
    const served = await fetch(`${wire.proxy.origin}/v1/pets`);
    assert.equal(await served.text(), 'ok');
    const [first, second] = await wire.over(2);
    assert.deepEqual(
      [first?.answer.kind, first?.body.size, second?.answer.kind],
      ['own', 300_000, 'response'],
    );
    assert.equal(wire.connections(), 1);
  });
});
