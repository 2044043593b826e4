import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  bare,
  basic,
  bearer,
  cutShort,
  inHeader,
  inQuery,
  lengthened,
  nobody,
  otherCase,
  type Identity,
} from '../../drive/probes/credentials.js';
import { declared, listing, request } from '../../drive/probes/specs.js';
import { oneByOne, rawServer, respond } from '../../testing/raw-server.js';
import { redactor } from './redact.js';
import { createSender, type Sender } from './sender.js';

const KEY = 'pk_Kq7/Vw2+Zt9Xb4';
const RUN = '0a1b2c3d';

async function senderTo(t: TestContext, firstNumber?: number) {
  const server = await rawServer(({ socket }) => respond(socket, '[]'));
  const sender: Sender = createSender(
    {
      baseUrl: `${server.origin}/pets-service/v1/`,
      run: RUN,
      limits: { timeoutMs: 5000, maxBodyBytes: 1000 },
    },
    firstNumber,
  );
  t.after(async () => {
    await sender.close();
    await server.close();
  });
  return { server, sender };
}

const IDENTITIES: Readonly<Record<string, readonly [identity: Identity, sent: RegExp]>> = {
  bearer: [bearer('free'), /\r\nAuthorization: Bearer pk_Kq7\/Vw2\+Zt9Xb4\r\n/],
  'lower-case bearer': [bearer('free', 'bearer'), /\r\nAuthorization: bearer pk_Kq7\/Vw2\+Zt9Xb4\r\n/],
  basic: [basic, new RegExp(`\r\nAuthorization: Basic ${Buffer.from(`${KEY}:`).toString('base64')}\r\n`)],
  'bare value': [bare, /\r\nAuthorization: pk_Kq7\/Vw2\+Zt9Xb4\r\n/],
  'cut key': [cutShort, /\r\nAuthorization: Bearer pk_Kq7\/Vw2\+Zt9Xb\r\n/],
  'lengthened key': [lengthened, /\r\nAuthorization: Bearer pk_Kq7\/Vw2\+Zt9Xb4x\r\n/],
  'key in the other case': [otherCase, /\r\nAuthorization: Bearer PK_kQ7\/vW2\+zT9xB4\r\n/],
  'query parameter': [inQuery('token'), /^GET \S+\?limit=1&token=pk_Kq7%2FVw2%2BZt9Xb4 HTTP/],
  'X-API-Key header': [inHeader('X-API-Key'), /\r\nX-API-Key: pk_Kq7\/Vw2\+Zt9Xb4\r\n/],
};

for (const [what, [identity, sent]] of Object.entries(IDENTITIES))
  test(`a key sent as ${what} appears in the record only as a placeholder`, async (t) => {
    const { server, sender } = await senderTo(t);
    const exchange = await sender.send(listing({ limit: 1 }, identity, declared(200)), KEY);
    assert.match(server.requests[0]?.text ?? '', sent);
    const record = JSON.stringify(exchange);
    assert.equal(redactor([KEY])(record), record, 'no form of the key is in the record');
    assert.ok(record.includes('PETSTORE_KEY'));
  });

test('a request without a key has no Authorization header', async (t) => {
  const { server, sender } = await senderTo(t);
  const exchange = await sender.send(listing({}, nobody, declared(200)), null);
  assert.doesNotMatch(server.requests[0]?.text ?? '', /authorization/i);
  assert.deepEqual(exchange.credential, { kind: 'none' });
});

test('every request names kit and run and has a unique trace id', async (t) => {
  const { server, sender } = await senderTo(t, 7);
  const first = await sender.send(listing({}, nobody, declared(200)), null);
  const second = await sender.send(listing({}, nobody, declared(200)), null);
  assert.deepEqual([first.id, second.id], ['x7', 'x8']);
  const traces = server.requests.map(({ text }) => {
    assert.match(text, /^GET \/pets-service\/v1\/pets HTTP\/1\.1\r\n/);
    assert.match(text, /\r\nUser-Agent: petstore-conformance\/\d+\.\d+\.\d+ \(run 0a1b2c3d; x[78]\)\r\n/);
    assert.match(text, /\r\nAccept: application\/json\r\n/);
    assert.match(text, /\r\nAccept-Encoding: gzip, deflate, br\r\n/);
    // W3C Trace Context: version, 16 bytes of trace id, 8 of parent id, flags.
    return /\r\ntraceparent: (00-0a1b2c3d[0-9a-f]{24}-[0-9a-f]{16}-01)\r\n/.exec(text)?.[1];
  });
  assert.ok(traces[0] && traces[1]);
  assert.notEqual(traces[0], traces[1]);
});

test('the record equals the sent request, with a placeholder for the key', async (t) => {
  const { server, sender } = await senderTo(t);
  const exchange = await sender.send(
    request({
      probe: 'POST /pets, a valid animal',
      operation: 'createPet',
      method: 'POST',
      path: '/pets',
      identity: bearer('pro'),
      intent: declared(201),
      body: '{"name":"a"}',
      contentType: 'application/json',
    }),
    KEY,
  );
  const { text } = server.requests[0] ?? { text: '' };
  for (const [name, value] of exchange.request.headers)
    assert.ok(text.includes(`\r\n${name}: ${value.replace('$PETSTORE_KEY', KEY)}\r\n`), name);
  assert.equal(exchange.request.path, '/pets-service/v1/pets');
  assert.equal(exchange.request.body, '{"name":"a"}');
  assert.ok(text.endsWith('\r\n\r\n{"name":"a"}'));
  assert.deepEqual(exchange.answer.kind === 'response' && [exchange.answer.status, exchange.answer.text], [
    200,
    '[]',
  ]);
});

test('a fresh request is answered by a server that serves one connection at a time', async (t) => {
  const server = await rawServer(oneByOne(({ socket }) => respond(socket, '[]')));
  const limits = { timeoutMs: 30_000, maxBodyBytes: 1000 };
  const sender = createSender({ baseUrl: `${server.origin}/v1`, run: RUN, limits });
  t.after(async () => {
    await sender.close();
    await server.close();
  });
  await sender.send(listing({ limit: 1 }, bearer('free'), declared(200)), KEY);
  await sender.settled();
  const { answer, latencyMs } = await sender.send(
    listing({ limit: 1 }, bearer('free'), declared(200)),
    KEY,
    true,
  );
  assert.equal(answer.kind, 'response');
  assert.ok(latencyMs < 3_900, `${latencyMs} ms: the client's own limit of an idle connection is 4 s`);
});

test('a fresh request uses a new connection and keeps the old one', async (t) => {
  const { server, sender } = await senderTo(t);
  const spec = listing({}, nobody, declared(200));
  await sender.send(spec, null);
  // From now on the sender knows that nothing follows such a response, and keeps the connection.
  await sender.settled();
  await sender.send(spec, null);
  await sender.send(spec, null, true);
  await sender.send(spec, null);
  assert.deepEqual(
    server.requests.map(({ connection }) => connection),
    [1, 1, 2, 1],
  );
});

test('a listing that was lost while this machine stood still is sent again, a creation is not', async (t) => {
  const server = await rawServer(({ socket, number }) => {
    if (number === 2) return respond(socket, '[]');
    for (const until = performance.now() + 1200; performance.now() < until;);
    socket.resetAndDestroy();
  });
  const limits = { timeoutMs: 60_000, maxBodyBytes: 1000 };
  const sender = createSender({ baseUrl: `${server.origin}/v1`, run: RUN, limits });
  t.after(async () => {
    await sender.close();
    await server.close();
  });
  const listed = await sender.send(listing({ limit: 1 }, bearer('free'), declared(200)), KEY);
  assert.deepEqual([listed.answer.kind, listed.attempts, server.requests.length], ['response', 2, 2]);
  const creation = request({
    probe: 'POST /pets, a creation',
    operation: 'createPet',
    method: 'POST',
    path: '/pets',
    identity: bearer('free'),
    intent: declared(201),
    body: '{}',
  });
  const created = await sender.send(creation, KEY, true);
  assert.deepEqual([created.answer.kind, server.requests.length], ['none', 3]);
});
