import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createNetServer } from 'node:net';
import { test, type TestContext } from 'node:test';
import { createServer, type TlsOptions } from 'node:tls';
import { Connection } from '../wire/exchange/connection.js';
import type { Fault } from '../wire/exchange/transport-error.js';
import type { Obstacle } from '../log/record.js';
import { CERTIFICATE_KEY, CERTIFICATES } from '../testing/certificates.js';
import { portOf } from '../testing/loopback.js';
import { unreachable } from './unreachable.js';

const HTTP = { timeoutMs: 5000, maxBodyBytes: 100_000 };

/** Sends a request without a key, and returns the obstacle of its fault. */
async function obstacleAt(origin: string, more: { readonly ca?: string } = {}): Promise<Obstacle | null> {
  const http = { ...HTTP, ...more };
  await using connection = new Connection(origin, http);
  const { answer } = await connection.send({ method: 'GET', path: '/v1/pets', headers: [], body: null });
  assert.equal(answer.kind, 'none');
  return await unreachable(answer, { baseUrl: `${origin}/v1`, http }, {});
}

/** Starts a TLS server that does something with each connection; returns its origin. */
async function overTls(
  t: TestContext,
  options: TlsOptions,
  then: (socket: NodeJS.WritableStream) => void = () => undefined,
): Promise<string> {
  const server = createServer({ key: CERTIFICATE_KEY, cert: CERTIFICATES.trusted, ...options }, (socket) => {
    socket.on('error', () => socket.destroy());
    then(socket);
  });
  server.on('tlsClientError', () => undefined);
  t.after(() => server.close());
  return `https://127.0.0.1:${await portOf(server)}`;
}

const OWN = { ca: CERTIFICATES.trusted };

const TLS: readonly (readonly [what: string, TlsOptions, { ca?: string }, says: RegExp, hint: RegExp])[] = [
  [
    'an own certificate',
    {},
    {},
    /\(for "127\.0\.0\.1", .*\) is not trusted: self-signed certificate\.$/,
    /as http\.ca/,
  ],
  ['another authority', { cert: CERTIFICATES.stranger }, OWN, /not trusted/, /in http\.ca do not lead to it/],
  [
    'an expired certificate',
    { cert: CERTIFICATES.expired },
    { ca: CERTIFICATES.expired },
    /it has expired\.$/,
    /Renew/,
  ],
  [
    'a certificate for another name',
    { cert: CERTIFICATES.elsewhere },
    { ca: CERTIFICATES.elsewhere },
    /for "elsewhere\.example".* is not trusted: it is for another name\.$/,
    /Write a name of the certificate/,
  ],
  [
    'HTTP/2 only',
    { ALPNProtocols: ['h2'] },
    OWN,
    /does not offer HTTP\/1\.1 over TLS, perhaps only HTTP\/2\.$/,
    /Enable/,
  ],
  [
    'an old TLS version only',
    { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    OWN,
    /offers no TLS version that this kit speaks\.$/,
    /TLS 1\.2 or 1\.3/,
  ],
];

for (const [what, options, more, says, hint] of TLS)
  test(`a server with ${what} is described by its certificate or alert`, async (t) => {
    const obstacle = await obstacleAt(await overTls(t, options), more);
    assert.equal(obstacle?.code, 'tls');
    assert.match(obstacle.message, says);
    assert.match(obstacle.hint, hint);
    assert.doesNotMatch(obstacle.message, /SSL routines|:error:|\n/);
  });

test('a server that closes after the TLS handshake is not said to expect TLS', async (t) => {
  const origin = await overTls(t, {}, (socket) => socket.end());
  const obstacle = await obstacleAt(origin, OWN);
  assert.equal(obstacle?.code, 'reset');
  assert.match(obstacle.message, /closed the connection without an HTTP response/);
  assert.match(obstacle.hint, /client certificate/);
});

test('a server that speaks another protocol over TLS is quoted', async (t) => {
  const origin = await overTls(t, {}, (socket) => void socket.write('SSH-2.0-OpenSSH_9.6\r\n\r\n'));
  const obstacle = await obstacleAt(origin, OWN);
  assert.equal(obstacle?.code, 'malformed-http');
  assert.match(
    obstacle.message,
    /is malformed: it begins with "SSH-2\.0-OpenSSH_9\.6", not with a status line/,
  );
});

test('a port without TLS is named on this machine with the http address', async (t) => {
  const server = createNetServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  t.after(() => server.close());
  const obstacle = await obstacleAt(`https://127.0.0.1:${await portOf(server)}`);
  assert.match(obstacle?.message ?? '', /does not speak TLS/);
  assert.match(obstacle?.hint ?? '', /http:\/\//);
});

const head = (...lines: readonly string[]): string => `HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n[]`;

const MALFORMED: readonly (readonly [what: string, bytes: string, says: RegExp])[] = [
  [
    'two framings',
    head('Content-Length: 2', 'Transfer-Encoding: chunked'),
    /both Content-Length and Transfer-Encoding/,
  ],
  ['a length twice', head('Content-Length: 2', 'Content-Length: 2'), /it has Content-Length twice/],
  ['a long head', head(`X-Long: ${'a'.repeat(20_000)}`), /the head is larger than 16 ?KiB/],
  [
    'a blank before a colon',
    head('Content-Length : 2'),
    /the header line "Content-Length : 2" has a blank before its colon/,
  ],
  [
    'HTTP/2.0',
    'HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\n[]',
    /its status line says HTTP\/2\.0, not HTTP\/1\.1/,
  ],
  [
    'a folded header',
    head('X-A: b', ' c', 'Content-Length: 2'),
    /the header line " c" continues the line before/,
  ],
];

for (const [what, bytes, says] of MALFORMED)
  test(`a response with ${what} is described as malformed`, async (t) => {
    // It answers whatever comes, a TLS handshake too: that shows that the port does not speak TLS.
    const server = createNetServer((socket) => socket.once('data', () => socket.write(bytes)));
    t.after(() => server.close());
    const obstacle = await obstacleAt(`http://127.0.0.1:${await portOf(server)}`);
    assert.equal(obstacle?.code, 'malformed-http');
    assert.match(obstacle.message, says);
    assert.doesNotMatch(obstacle.message, /closed the connection/);
  });

test('a closed port is refused', async () => {
  const server = createNetServer();
  const port = await portOf(server);
  server.close();
  await once(server, 'close');
  assert.match((await obstacleAt(`http://127.0.0.1:${port}`))?.message ?? '', /nothing listens at/);
});

const FAULTS: readonly (readonly [Fault, says: RegExp, hint: RegExp])[] = [
  [
    { code: 'unreachable', cause: 'EHOSTUNREACH', message: '' },
    /has no route to .*EHOSTUNREACH/,
    /network and VPN/,
  ],
  [{ code: 'unreachable', cause: 'ENETUNREACH', message: '' }, /has no route to/, /network and VPN/],
  [
    { code: 'unreachable', cause: 'EPERM', message: '' },
    /does not permit a connection/,
    /firewall, sandbox or container/,
  ],
  [{ code: 'unreachable', cause: 'EACCES', message: '' }, /does not permit a connection/, /firewall/],
  [{ code: 'exhausted', cause: 'EMFILE', message: '' }, /no file descriptor left/, /ulimit -n/],
  [{ code: 'exhausted', cause: 'EADDRNOTAVAIL', message: '' }, /no port left/, /ip_local_port_range/],
  [
    { code: 'resolver', cause: 'EAI_AGAIN', message: '' },
    /this machine got no answer from its resolver/,
    /DNS/,
  ],
  [{ code: 'unknown-host', cause: 'ENOTFOUND', message: '' }, /does not resolve/, /DNS/],
  [{ code: 'tls', cause: 'CERT_NOT_YET_VALID', message: '' }, /not valid yet/, /clocks/],
  [
    { code: 'tls', cause: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', message: '' },
    /no intermediate certificate/,
    /intermediate/,
  ],
  [
    { code: 'tls', cause: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', message: '' },
    /demands a client certif/,
    /demands no/,
  ],
  [
    { code: 'tls', cause: 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME', message: '' },
    /no certificate for the name/,
    /name/,
  ],
];

for (const [fault, says, hint] of FAULTS)
  test(`${fault.cause} is described, with a remedy`, async () => {
    const obstacle = await unreachable(fault, { baseUrl: 'https://127.0.0.1:1/v1', http: HTTP }, {});
    assert.match(obstacle?.message ?? '', says);
    assert.match(obstacle?.hint ?? '', hint);
  });

test('a proxy of the environment is named as ignored where the network failed', async () => {
  const fault: Fault = { code: 'unknown-host', cause: 'ENOTFOUND', message: '' };
  const to = { baseUrl: 'https://api.example/v1', http: HTTP };
  const behind = await unreachable(fault, to, { HTTPS_PROXY: 'http://user:secret@proxy.example' });
  assert.match(behind?.hint ?? '', /The kit connects directly and ignores HTTPS_PROXY/);
  assert.doesNotMatch(JSON.stringify(behind), /secret|proxy\.example/);
  assert.doesNotMatch((await unreachable(fault, to, {}))?.hint ?? '', /proxy/i);
});
