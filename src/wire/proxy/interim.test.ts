import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OK, proxied } from './serve.test.support.js';

const GET = 'GET /v1/pets HTTP/1.1\r\nHost: h\r\n\r\n';
const hints = (...headers: readonly string[]): string =>
  `HTTP/1.1 103 Early Hints\r\n${headers.map((each) => `${each}\r\n`).join('')}\r\n`;

test('interim responses pass in their order, and a link that Node refuses costs only its hint', async (t) => {
  const interim = [
    'HTTP/1.1 102 Processing\r\n\r\n',
    hints('Link: </a>; rel=preload, </b>; rel=preload', 'Link: </c>; rel=preload'),
    hints('Link: no link'),
    hints('X-Other: 1'),
    'HTTP/1.1 199 Unknown\r\n\r\n',
  ];
  const wire = await proxied(t, (end) => {
    void end
      .until('\r\n\r\n')
      .then(() => end.socket.write(interim.join('') + OK))
      .then(() => end.until(/(?:GET[^]*){2}/))
      .then(() => end.socket.write(OK));
  });
  const client = await wire.client();
  client.socket.write(GET);
  const text = await client.until('ok');
  assert.match(
    text,
    /^HTTP\/1.1 102 Processing\r\n\r\nHTTP\/1.1 103 Early Hints\r\nLink: <\/a>; rel=preload, <\/b>; rel=preload, <\/c>; rel=preload\r\n\r\n/,
  );
  assert.doesNotMatch(text, /no link/);
  client.socket.write(GET);
  await client.until(/ok[^]*ok/);
  assert.deepEqual(
    (await wire.over(2)).map(({ answer }) => answer.kind === 'response' && answer.status),
    [200, 200],
  );
});

test('a client of HTTP/1.0 gets no interim response', async (t) => {
  const wire = await proxied(t, (end) => {
    void end.until('\r\n\r\n').then(() => end.socket.write(`HTTP/1.1 100 Continue\r\n\r\n${hints()}${OK}`));
  });
  const client = await wire.client();
  client.socket.write('GET /v1/pets HTTP/1.0\r\nHost: h\r\n\r\n');
  assert.match(await client.until('ok'), /^HTTP\/1.1 200 OK/);
});
