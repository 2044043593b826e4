import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ClientScenario } from '../../base/interface/names.js';
import type { ClientExchange } from '../../wire/exchange/client-exchange.js';
import { play } from './play.js';
import { now } from '../../wire/exchange/connection.js';
import type { Clock } from './recorded-server.js';
import { scenarioOf } from './scenarios.js';

const KEY = 'pk51d0f3a9c2e84b7766';

async function stageOf(t: TestContext, name: ClientScenario, clock: Clock = now) {
  const exchanges: ClientExchange[] = [];
  const stage = await play(scenarioOf(name), {
    key: KEY,
    clock,
    nextId: () => `t${exchanges.length + 1}`,
    onExchange: (exchange) => void exchanges.push(exchange),
  });
  t.after(() => stage[Symbol.asyncDispose]());
  const send = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(stage.baseUrl + path, {
      redirect: 'manual',
      headers: { Authorization: `Bearer ${KEY}`, ...headers },
    });
  return { ...stage, exchanges, send };
}

/** Sends bytes over a new connection and returns the first line of the response. */
async function firstLine(baseUrl: string, request: string): Promise<string> {
  const { port } = new URL(baseUrl);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(request);
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return bytes.toString('latin1').split('\r\n', 1)[0] ?? '';
}

const petOf = (name: string): string => JSON.stringify({ name, categoryId: 1 });
const waitIn = async (response: Promise<Response>) => (await response).headers.get('Retry-After');

describe('a scenario', () => {
  test('keeps the beginning of a body that is too large, and reads a compressed one', async (t) => {
    const { baseUrl, exchanges } = await stageOf(t, 'calm');
    const create = (body: BodyInit, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
      fetch(`${baseUrl}/pets`, {
        method: 'POST',
        body,
        headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json', ...headers },
      });
    assert.equal((await create(petOf('x'.repeat(2 ** 21)))).status, 413);
    await create(gzipSync(petOf('Rex')), { 'Content-Encoding': 'gzip' });
    assert.deepEqual(
      exchanges.map(({ request: { body } }) => [body.kind, 'text' in body && body.text.slice(0, 8)]),
      [
        ['cut', '{"name":'],
        ['whole', '{"name":'],
      ],
    );
  });
  test('bans only a request that comes after the refusal was written', async (t) => {
    const { send } = await stageOf(t, 'banned');
    const together = [1, 2, 3].map((limit) => waitIn(send(`/pets?limit=${limit}`)));
    assert.deepEqual(await Promise.all(together), ['1', '1', '1']);
    assert.deepEqual([await waitIn(send('/pets')), await waitIn(send('/pets'))], ['3', null]);
  });
  test('refuses by its steps, then serves, and records each request without its key', async (t) => {
    const { send, exchanges } = await stageOf(t, 'limited');
    const seen = [];
    for (const path of ['/pets?limit=1', '/pets?limit=2', '/pets?limit=3']) {
      const response = await send(path);
      seen.push([response.status, response.headers.get('Retry-After')]);
      await response.text();
    }
    assert.deepEqual(seen, [
      [429, '2'],
      [429, '1'],
      [200, null],
    ]);
    assert.deepEqual(
      exchanges.map(({ request }) => request.target),
      ['/v1/pets?limit=1', '/v1/pets?limit=2', '/v1/pets?limit=3'],
    );
    assert.ok(exchanges.every(({ credential: { key, bearer } }) => key.kind === 'plan' && bearer));
    assert.ok(!JSON.stringify(exchanges).includes(KEY.slice(0, 8)));
    for (const { times } of exchanges) assert.ok(times.kind === 'server' && times.writtenAt >= times.readAt);
  });

  test('refuses what arrives together, and serves what is alone', async (t) => {
    const { send } = await stageOf(t, 'limited-in-parallel');
    assert.equal((await send('/pets?limit=1')).status, 200);
    const together = await Promise.all([1, 2, 3, 4].map((limit) => send(`/pets?limit=${limit}`)));
    assert.deepEqual(
      together.map(({ status }) => status),
      [429, 429, 429, 429],
    );
    assert.equal((await send('/pets?limit=1')).status, 200);
  });

  test('writes a date late in its second, by the clock that it is given', async (t) => {
    const shift = 86_400_000;
    const { send } = await stageOf(t, 'limited-by-date', () => now() + shift);
    const response = await send('/pets');
    const rest = Date.parse(response.headers.get('Retry-After') ?? '') - (Date.now() + shift);
    assert.ok(rest > 0 && rest <= 2500, `${rest} ms`);
    assert.ok(Math.abs(Date.parse(response.headers.get('Date') ?? '') - Date.now() - shift) < 5000);
  });

  test('records at its end what was under way: a request whose client left, and one that broke off', async (t) => {
    const { baseUrl, exchanges, end } = await stageOf(t, 'limited');
    const leave = async (head: string, rest: string): Promise<void> => {
      const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
      socket.end(`${head} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\n${rest}`);
      await once(socket, 'finish');
      socket.destroy();
    };
    await leave('GET /v1/pets?limit=0', '\r\n');
    await leave('POST /v1/pets', 'Content-Length: 9\r\n\r\n{');
    await end(true);
    assert.deepEqual(
      exchanges.map(({ request: { target }, answer }) => [target, answer.kind]),
      [
        ['/v1/pets?limit=0', 'none'],
        ['/v1/pets', 'none'],
      ],
    );
  });

  test('redirects to another origin, and records what comes there', async (t) => {
    const { send, exchanges, baseUrl } = await stageOf(t, 'redirected');
    const { status, headers } = await send(`/pets?api_key=${KEY}`);
    const location = headers.get('Location') ?? '';
    assert.equal(status, 307);
    assert.doesNotMatch(
      location,
      new RegExp(KEY),
      'a client that follows would send on what the server gave away',
    );
    assert.notEqual(new URL(location).origin, new URL(baseUrl).origin);
    await (await fetch(location, { headers: { Authorization: `Bearer ${KEY}` } })).text();
    assert.equal(exchanges[1]?.origin, new URL(location).origin);
    assert.equal(exchanges[1]?.credential.key.kind, 'plan');
  });

  test('sends ids and categories that no double holds', async (t) => {
    const { send } = await stageOf(t, 'large-ids');
    const text = await (await send('/pets')).text();
    const numbers = [...text.matchAll(/"(?:id|categoryId)":(\d+)/g)].map(([, digits = '']) => digits);
    assert.ok(numbers.length > 10);
    for (const digits of numbers) assert.notEqual(String(BigInt(Number(digits))), digits);
  });

  test('lets a page of another origin in, and does not record its browser’s question', async (t) => {
    const { baseUrl, send, exchanges } = await stageOf(t, 'calm');
    const headers = { 'Access-Control-Request-Method': 'GET', Origin: 'http://app.test' };
    assert.equal((await fetch(`${baseUrl}/pets`, { method: 'OPTIONS', headers })).status, 204);
    const response = await send('/pets', { Origin: 'http://app.test' });
    assert.equal(response.headers.get('Access-Control-Allow-Origin'), 'http://app.test');
    assert.match(response.headers.get('Access-Control-Expose-Headers') ?? '', /Retry-After/);
    await response.text();
    assert.equal(exchanges.length, 1);
  });

  test('serves requests that offer an upgrade, or expect 100-continue', async (t) => {
    const { baseUrl } = await stageOf(t, 'calm');
    const head = `GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\n`;
    const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n';
    assert.equal(await firstLine(baseUrl, head + upgrade), 'HTTP/1.1 200 OK');
    const post =
      head.replace('GET', 'POST') +
      'Content-Type: application/json\r\nContent-Length: 27\r\nExpect: 100-continue\r\n\r\n';
    assert.equal(await firstLine(baseUrl, post), 'HTTP/1.1 100 Continue');
  });
});
