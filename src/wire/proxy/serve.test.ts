import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { recordedBody } from './kept-body.js';
import { proxied, type End, OK } from './serve.test.support.js';

/** Returns the record of a text's bytes. */
function recordedBytes(text: string, encoding: BufferEncoding) {
  const bytes = Buffer.from(text, encoding);
  return recordedBody({ bytes, size: bytes.length, ended: true }, null, 1000);
}

describe('the proxy passes on', () => {
  test('order and spelling of headers in both directions, repeated ones, the query and the reason phrase', async (t) => {
    const wire = await proxied(t, (end) => {
      void end
        .until('\r\n\r\n')
        .then(() =>
          end.socket.write(
            'HTTP/1.1 200 Fine Indeed\r\nX-second: 2\r\ncontent-TYPE: application/json\r\nSet-Cookie: a=1\r\nx-Last: \xe9\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\n\r\n[]',
            'latin1',
          ),
        );
    });
    const client = await wire.client();
    client.socket.write(
      'GET /v1/pets?limit=05&x=%2f HTTP/1.1\r\nX-b: 1\r\nhost: my.example\r\nX-A: 2\r\nx-B: 3\r\nAUTHORIZATION: Bearer k\r\n\r\n',
    );
    const response = await client.until('[]');
    assert.equal(
      wire.received()[0],
      `GET /v1/pets?limit=05&x=%2f HTTP/1.1\r\nX-b: 1\r\nhost: ${wire.targetHost}\r\nX-A: 2\r\nx-B: 3\r\nAUTHORIZATION: Bearer k\r\nConnection: keep-alive\r\n\r\n`,
    );
    assert.equal(
      response,
      'HTTP/1.1 200 Fine Indeed\r\nX-second: 2\r\ncontent-TYPE: application/json\r\nSet-Cookie: a=1\r\nx-Last: \xe9\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n[]',
    );
  });

  test('a request to the new address of a host that has moved', async (t) => {
    const wire = await proxied(t, (end) => void end.until('\r\n\r\n').then(() => end.socket.write(OK)), {
      // Nothing listens there.
      movedFrom: '127.0.0.9',
    });
    const client = await wire.client();
    client.socket.write('GET /v1/pets HTTP/1.1\r\nHost: h\r\n\r\n');
    assert.match(await client.until(/ok$/), /^HTTP\/1\.1 200 /);
  });

  test('a whole address of the target or of the proxy as its path', async (t) => {
    const wire = await proxied(t, (end, nth) => {
      void end
        .until('\r\n\r\n')
        .then(() => end.socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n${nth}`));
    });
    const targets = [
      `http://${wire.targetHost}/v1/pets?limit=5`,
      `http://localhost:${wire.proxy.port}/v1/pets`,
      `http://127.0.0.1:${wire.proxy.port}?status=sold`,
    ];
    for (const target of targets) {
      const client = await wire.client();
      client.socket.write(`GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`);
      await client.until(/\r\n\r\n\d$/);
    }
    assert.deepEqual(
      wire.received().map((text) => text.split(' ')[1]),
      ['/v1/pets?limit=5', '/v1/pets', '/?status=sold'],
    );
  });

  test('no header of the connection, none that Connection names, and no Via; --keep-host leaves Host', async (t) => {
    const wire = await proxied(
      t,
      (end) =>
        void end
          .until('name')
          .then(() =>
            end.socket.write(
              'HTTP/1.1 201 Created\r\nKeep-Alive: timeout=5\r\nX-Hop: 1\r\nX-Stays: 1\r\nConnection: x-hop, keep-alive\r\nContent-Length: 2\r\n\r\n{}',
            ),
          ),
      { keepHost: true },
    );
    const client = await wire.client();
    client.socket.write(
      'POST /v1/pets HTTP/1.1\r\nHost: my.example\r\nConnection: Upgrade, HTTP2-Settings, X-Own\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nX-Own: 1\r\nTE: trailers\r\nKeep-Alive: 3\r\nProxy-Connection: keep-alive\r\nX-Stays: 1\r\nContent-Length: 14\r\n\r\n{"name":"Rex"}',
    );
    const response = await client.until('{}');
    const [passed] = await wire.over(1);
    assert.equal(
      response,
      'HTTP/1.1 201 Created\r\nX-Stays: 1\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n{}',
    );
    assert.equal(passed?.body.bytes.toString(), '{"name":"Rex"}');
    const [request = ''] = wire.received();
    assert.equal(
      request,
      'POST /v1/pets HTTP/1.1\r\nHost: my.example\r\nX-Stays: 1\r\nContent-Length: 14\r\nConnection: keep-alive\r\n\r\n{"name":"Rex"}',
    );
  });

  test('chunks and trailers both ways, and a POST without a body as it is', async (t) => {
    const wire = await proxied(t, (end) => {
      void end
        .until('X-Sum: 7\r\n\r\n')
        .then(() =>
          end.socket.write(
            'HTTP/1.1 200 OK\r\ntransfer-ENCODING: chunked\r\nTrailer: X-End\r\n\r\n3\r\nabc\r\n0\r\nX-End: 9\r\n\r\n',
          ),
        )
        .then(() => end.until('POST /v1/bare'))
        .then(() => end.socket.write(OK));
    });
    const client = await wire.client();
    client.socket.write(
      'POST /v1/pets HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\nX-Sum: 7\r\n\r\n',
    );
    const response = await client.until('X-End: 9\r\n\r\n');
    assert.match(response, /^HTTP\/1.1 200 OK\r\ntransfer-ENCODING: chunked\r\nTrailer: X-End\r\n/);
    assert.match(response, /\r\n3\r\nabc\r\n0\r\nX-End: 9\r\n\r\n$/);
    client.socket.write('POST /v1/bare HTTP/1.1\r\nHost: h\r\nX-One: 1\r\n\r\n');
    await client.until('ok');
    const [both = ''] = wire.received();
    assert.match(both, /Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n/);
    assert.match(both, /he\r\n(3\r\n)?llo\r\n0\r\nX-Sum: 7\r\n\r\n/);
    assert.ok(
      both.endsWith(
        `POST /v1/bare HTTP/1.1\r\nHost: ${wire.targetHost}\r\nX-One: 1\r\nConnection: keep-alive\r\n\r\n`,
      ),
      both,
    );
    assert.equal(wire.connections(), 1, 'one connection of the client is one to the target');
  });

  test('compressed bodies untouched, HEAD with its length, 204 and 304', async (t) => {
    const packed = gzipSync('[{"id":1}]');
    const wire = await proxied(t, (end) => {
      void end
        .until('GET')
        .then(() => {
          end.socket.write(
            `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`,
          );
          end.socket.write(packed);
          return end.until('HEAD');
        })
        .then(() => end.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 77\r\n\r\n'))
        .then(() => end.until('/none'))
        .then(() => end.socket.write('HTTP/1.1 204 No Content\r\n\r\n'))
        .then(() => end.until('/same'))
        .then(() => end.socket.write('HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 5\r\n\r\n'));
    });
    const client = await wire.client();
    client.socket.write('GET /v1/pets HTTP/1.1\r\nHost: h\r\n\r\n');
    await client.until(packed.toString('latin1'));
    client.socket.write('HEAD /v1/pets HTTP/1.1\r\nHost: h\r\n\r\n');
    await client.until('Content-Length: 77\r\nConnection: keep-alive\r\n\r\n');
    client.socket.write('GET /none HTTP/1.1\r\nHost: h\r\n\r\n');
    await client.until('204 No Content\r\nConnection: keep-alive\r\n\r\n');
    client.socket.write('GET /same HTTP/1.1\r\nHost: h\r\n\r\n');
    await client.until(
      '304 Not Modified\r\nETag: "a"\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\n',
    );
    const [first] = await wire.over(4);
    assert.ok(first?.answer.kind === 'response');
    assert.deepEqual(recordedBody(first.answer.body, 'gzip', 1000), { kind: 'whole', text: '[{"id":1}]' });
    assert.deepEqual(recordedBytes('"é"', 'latin1'), { kind: 'whole', text: '"\uFFFD"', notUtf8: true });
    assert.deepEqual(recordedBytes('\uFEFF[]', 'utf8'), { kind: 'whole', text: '[]', marked: true });
  });

  test('100 Continue from the target, before the body is sent', async (t) => {
    const wire = await proxied(t, (end) => {
      void end
        .until('\r\n\r\n')
        .then((text) => {
          assert.ok(!text.includes('body'));
          assert.match(text, /Expect: 100-continue/);
          end.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
          return end.until('body');
        })
        .then(() => end.socket.write(OK));
    });
    const client = await wire.client();
    client.socket.write(
      'POST /v1/pets HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n',
    );
    await client.until('HTTP/1.1 100 Continue\r\n\r\n');
    client.socket.write('body');
    await client.until('ok');
  });

  test('a response that ends before its request', async (t) => {
    const wire = await proxied(t, (end) => {
      void end
        .until('aaaa')
        .then(() =>
          end.socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig'),
        );
    });
    const client = await wire.client();
    client.socket.write('POST /v1/pets HTTP/1.1\r\nHost: h\r\nContent-Length: 3000000\r\n\r\naaaa');
    await client.until('big');
    client.socket.end('b'.repeat(2_999_996));
    await client.ended;
    const [passed] = await wire.over(1);
    assert.equal(passed?.answer.kind === 'response' && passed.answer.status, 413);
    assert.ok((passed?.writtenAt ?? 0) <= (passed?.readAt ?? 0));
  });

  test('a client that closes its side after the request, and one of HTTP/1.0', async (t) => {
    const wire = await proxied(t, (end) => {
      void end
        .until('\r\n\r\n')
        .then(() =>
          end.socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'),
        );
    });
    const half = await wire.client();
    half.socket.end('GET /v1/pets HTTP/1.1\r\nHost: h\r\n\r\n');
    assert.match(await half.ended, /2\r\nok\r\n0\r\n\r\n$/);
    const old = await wire.client();
    old.socket.write('GET /v1/pets HTTP/1.0\r\n\r\n');
    assert.match(await old.ended, /\r\n\r\nok$/);
    assert.match(old.text(), /Connection: close/);
    assert.deepEqual(
      (await wire.over(2)).map(({ mayHaveLeft }) => mayHaveLeft),
      [true, false],
    );
  });

  test('the response to a client that closed its side, also of a target that would take the end for an abort', async (t) => {
    // Slower than most servers, and quicker than the time that a response may take.
    for (const ms of [100, 2000]) {
      const wire = await proxied(t, (end) => {
        end.socket.once('end', () => end.socket.destroy());
        void end
          .until('\r\n\r\n')
          .then(() => pause(ms))
          .then(() => !end.socket.destroyed && end.socket.write(OK));
      });
      const half = await wire.client();
      half.socket.end('POST /v1/pets HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}');
      assert.match(await half.ended, /^HTTP\/1.1 200 OK[^]*ok$/, `after ${ms} ms`);
    }
  });

  test('a response that came before the connection broke, whatever became of the rest of the request', async (t) => {
    const wire = await proxied(t, (end) => {
      void end.until('aaaa').then(() => refuse(end));
    });
    const refuse = ({ socket }: End): void => {
      // The proxy reads the rest of the request before it reads the response.
      client.socket.write('b'.repeat(100_000));
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig');
      socket.resetAndDestroy();
    };
    const client = await wire.client();
    client.socket.write('POST /v1/pets HTTP/1.1\r\nHost: h\r\nContent-Length: 3000000\r\n\r\naaaa');
    await client.until(/^HTTP\/1.1 413 [^]*big$/);
  });

  test('an abort of either side', async (t) => {
    const wire = await proxied(t, (end, nth) => {
      void end
        .until('\r\n\r\n')
        .then(() => end.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'))
        .then(() => (nth === 1 ? end.socket.destroy() : end.socket));
      ended.push(end.ended.then((text) => (end.socket.destroy(), text)));
    });
    const ended: Promise<string>[] = [];
    const cut = await wire.client();
    cut.socket.write('GET /v1/pets HTTP/1.1\r\nHost: h\r\n\r\n');
    assert.match(await cut.ended, /Content-Length: 10\r\n[^]*half$/);
    const leaving = await wire.client();
    leaving.socket.write('GET /v1/pets HTTP/1.1\r\nHost: h\r\n\r\n');
    await leaving.until('half');
    leaving.socket.destroy();
    await ended[1];
    const passed = await wire.over(2);
    assert.deepEqual(
      passed.map(({ answer }) => (answer.kind === 'response' ? answer.body.ended : answer.kind)),
      [false, 'none'],
    );
  });

  test('to the record, at its end, what is under way: a request in hand, and one whose client has left', async (t) => {
    const wire = await proxied(t, () => undefined);
    const passed = await Promise.all(
      ['1', '2'].map(async (limit) => {
        const { socket } = await wire.client();
        socket.end(`GET /v1/pets?limit=${limit} HTTP/1.1\r\nHost: h\r\n\r\n`);
        await once(socket, 'finish');
        if (limit === '2') socket.destroy();
        return `/v1/pets?limit=${limit}`;
      }),
    );
    await wire.proxy[Symbol.asyncDispose]();
    const record = await wire.over(0);
    assert.deepEqual(record.map(({ target }) => target).toSorted(), passed);
    assert.deepEqual(
      record.map(({ answer }) => answer.kind),
      ['none', 'none'],
    );
  });

  test('bodies of 50 MB both ways, of which it keeps the beginning', async (t) => {
    const big = 50_000_000;
    const wire = await proxied(t, (end) => {
      let size = 0;
      end.socket.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size < big) return;
        size = Number.NEGATIVE_INFINITY;
        end.socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${big}\r\n\r\n`);
        end.socket.write(Buffer.alloc(big, 'y'));
      });
    });
    const before = process.memoryUsage().rss;
    const client = await fetch(`${wire.proxy.origin}/v1/pets`, {
      method: 'POST',
      body: Buffer.alloc(big, 'x'),
    });
    assert.equal((await client.arrayBuffer()).byteLength, big);
    const [passed] = await wire.over(1);
    assert.equal(passed?.body.bytes.length, 65_536);
    assert.equal(passed.body.size, big);
    assert.ok(process.memoryUsage().rss - before < 600_000_000);
  });

  test('requests that are sent ahead, in order, and says that they were', async (t) => {
    const wire = await proxied(t, (end) => {
      void end
        .until('/one')
        .then(() => end.socket.write(OK))
        .then(() => end.until('/two'))
        .then(() => end.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ntwo'));
    });
    const client = await wire.client();
    client.socket.write('GET /one HTTP/1.1\r\nHost: h\r\n\r\nGET /two HTTP/1.1\r\nHost: h\r\n\r\n');
    await client.until(/ok[^]*two/);
    const passed = await wire.over(2);
    assert.ok(passed.every(({ pipelined, connection }) => pipelined && connection === 'c1'));
  });

  test('many requests that are sent ahead, with no warning of Node', async (t) => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    t.after(() => process.off('warning', note));
    const many = 20;
    const wire = await proxied(t, (end) => {
      end.socket.on('data', () => end.socket.write(OK));
    });
    const client = await wire.client();
    client.socket.write('GET /v1/pets HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(many));
    await wire.over(many);
    await new Promise(setImmediate);
    assert.deepEqual(warnings, []);
  });
});
