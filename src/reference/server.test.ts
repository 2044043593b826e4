import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { startReference } from './index.js';
import { startAltered } from '../proof/index.js';
import { ask, type Asked } from '../testing/asking.js';

const JSON_BODY = { 'content-type': 'application/json' };

const errorOf = (answer: Asked) =>
  JSON.parse(answer.text) as { code: string; message: string; status: number };

test('the three operations follow the interface', async (t) => {
  const server = await startReference();
  t.after(server.close);
  const key = server.keys.business;

  const listing = await ask(server, '/pets', { key });
  assert.equal(listing.status, 200);
  assert.equal(listing.headers['content-type'], 'application/json');
  assert.equal(JSON.parse(listing.text).length, 20);
  assert.equal(JSON.parse((await ask(server, '/pets?limit=100', { key })).text).length, 48);
  const sold = JSON.parse((await ask(server, '/pets?status=sold&limit=5', { key })).text) as {
    status: string;
  }[];
  assert.deepEqual(
    sold.map(({ status }) => status),
    Array.from({ length: 5 }, () => 'sold'),
  );

  const body = '{"name":"Žofka 🐈 \\"<&>","categoryId":9007199254740993,"status":"sold","extra":1}';
  const created = await ask(server, '/pets', { key, method: 'POST', body, headers: JSON_BODY });
  assert.equal(created.status, 201);
  assert.equal(
    created.text,
    '{"id":49,"name":"Žofka 🐈 \\"<&>","categoryId":9007199254740993,"status":"sold"}',
  );
  assert.equal((await ask(server, '/pets/49', { key })).text, created.text);
});

test('status is optional, and integers may have any notation', async (t) => {
  const server = await startReference({ animals: 0 });
  t.after(server.close);
  for (const [written, kept] of [
    ['1.0', '1'],
    ['1e0', '1'],
    ['10e-1', '1'],
    ['-0', '0'],
    ['9223372036854775807', '9223372036854775807'],
  ]) {
    const body = `{"name":"","categoryId":${written}}`;
    const created = await ask(server, '/pets', {
      key: server.keys.free,
      method: 'POST',
      body,
      headers: JSON_BODY,
    });
    assert.match(created.text, new RegExp(`"categoryId":${kept}}$`), written);
  }
});

const REFUSED_BODIES = [
  '',
  '{',
  '{} {}',
  '{}',
  '{"name":"x"}',
  '{"categoryId":1}',
  '{"name":null,"categoryId":1}',
  '{"name":5,"categoryId":1}',
  '{"name":"x","categoryId":null}',
  '{"name":"x","categoryId":"1"}',
  '{"name":"x","categoryId":true}',
  '{"name":"x","categoryId":1.5}',
  '{"name":"x","categoryId":9223372036854775808}',
  '{"name":"x","categoryId":1e400}',
  '{"name":"x","categoryId":1,"status":"lost"}',
  '{"name":"x","categoryId":1,"status":"SOLD"}',
  '{"name":"x","categoryId":1,"status":null}',
  '{"name":"x","categoryId":1,"status":1}',
  '[]',
  '["x",1,"sold"]',
  '"x"',
  'null',
  '['.repeat(200_000),
];

test('a rejected creation returns 400 with an Error and creates nothing', async (t) => {
  const server = await startReference({ animals: 1 });
  t.after(server.close);
  const key = server.keys.enterprise;
  for (const body of REFUSED_BODIES) {
    const answer = await ask(server, '/pets', { key, method: 'POST', body, headers: JSON_BODY });
    assert.equal(answer.status, 400, body.slice(0, 60));
    assert.equal(errorOf(answer).status, 400);
  }
  assert.equal(JSON.parse((await ask(server, '/pets', { key })).text).length, 1);
});

test('every request needs the exact key as a bearer token', async (t) => {
  const server = await startReference();
  t.after(server.close);
  const key = server.keys.pro;
  const strangers: Readonly<Record<string, string>>[] = [
    {},
    { authorization: key },
    { authorization: `Basic ${key}` },
    { authorization: `Bearer ${key.toLowerCase()}` },
    { authorization: `Bearer ${key}x` },
    { authorization: `Bearer ${key.slice(0, -1)}` },
    { 'x-api-key': key },
  ];
  for (const headers of strangers) {
    for (const [method, path, body] of [
      ['GET', `/pets?api_key=${key}`, undefined],
      ['POST', '/pets', '{'],
      ['GET', '/pets/999', undefined],
    ] as const) {
      const answer = await ask(server, path, { method, body, headers: { ...JSON_BODY, ...headers } });
      assert.equal(answer.status, 401, `${method} ${path} ${JSON.stringify(headers)}`);
      assert.equal(errorOf(answer).status, 401);
      assert.match(String(answer.headers['www-authenticate']), /^Bearer/);
      assert.equal(answer.headers['x-ratelimit-limit'], '60');
    }
  }
  const lower = await ask(server, '/pets', { headers: { authorization: `bearer ${key}` } });
  assert.equal(lower.status, 200);
});

test('all other failures return an Error with rate headers', async (t) => {
  const server = await startReference();
  t.after(server.close);
  const key = server.keys.business;
  const rows = [
    ['GET', '/pets/999', undefined, 404],
    ['GET', '/pets/9223372036854775807', undefined, 404],
    ['GET', '/pets/abc', undefined, 404],
    ['GET', '/pets/%zz', undefined, 404],
    ['GET', '/nothing', undefined, 404],
    ['DELETE', '/pets', undefined, 405],
    ['PUT', '/pets/1', '{}', 405],
    ['GET', '/pets?limit=0', undefined, 400],
    ['GET', '/pets?limit=101', undefined, 400],
    ['GET', '/pets?limit=abc', undefined, 400],
    ['GET', '/pets?status=lost', undefined, 400],
    ['POST', '/pets', 'x'.repeat(1_100_000), 413],
  ] as const;
  for (const [method, path, body, status] of rows) {
    const answer = await ask(server, path, {
      key,
      method,
      body,
      headers: body === undefined ? {} : JSON_BODY,
    });
    assert.equal(answer.status, status, path);
    assert.equal(errorOf(answer).status, status);
    assert.equal(answer.headers['x-ratelimit-limit'], '1000');
  }
  const form = { key, method: 'POST', body: 'name=x', headers: { 'content-type': 'text/plain' } } as const;
  assert.equal((await ask(server, '/pets', form)).status, 415);
});

test('each key has its minute limit, and Retry-After of a 429 is correct', async (t) => {
  let now = 1_800_000_000_500;
  const server = await startReference({ now: () => now });
  t.after(server.close);
  const key = server.keys.free;
  for (let left = 59; left >= 0; left -= 1) {
    const answer = await ask(server, '/pets?limit=1', { key });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['x-ratelimit-remaining'], String(left));
    assert.equal(answer.headers['x-ratelimit-reset'], '1800000061');
  }
  now += 1_200;
  const over = await ask(server, '/pets/1', { key });
  assert.equal(over.status, 429);
  assert.equal(errorOf(over).status, 429);
  assert.equal(over.headers['retry-after'], '59');
  assert.equal(over.headers['x-ratelimit-remaining'], '0');
  assert.equal((await ask(server, '/pets', { key: server.keys.sacrificial })).status, 200);
  now += 59_000;
  assert.equal((await ask(server, '/pets', { key })).status, 200);
});

test('the daily limit applies, and its 429 has its own headers', async (t) => {
  const plans = { free: { perMinute: 60, perDay: 3 } };
  const server = await startReference({ plans });
  t.after(server.close);
  for (let sent = 0; sent < 3; sent += 1) await ask(server, '/pets', { key: server.keys.free });
  const over = await ask(server, '/pets', { key: server.keys.free });
  assert.equal(over.status, 429);
  assert.equal(over.headers['x-ratelimit-limit'], '3');
  assert.equal(over.headers['retry-after'], '86400');
});

test('a key that continues after 429 is banned temporarily, and no other key is', async (t) => {
  let now = 1_800_000_000_000;
  const plans = { free: { perMinute: 1, perDay: 1_000 } };
  const server = await startReference({ now: () => now, plans, banAfter: 3 });
  t.after(server.close);
  const key = server.keys.sacrificial;
  const codes = [];
  for (let sent = 0; sent < 6; sent += 1) {
    const answer = await ask(server, '/pets', { key });
    codes.push(answer.status === 200 ? 'served' : errorOf(answer).code);
  }
  assert.deepEqual(codes, [
    'served',
    'rate_limited',
    'rate_limited',
    'rate_limited',
    'rate_limited',
    'key_banned',
  ]);
  now += 61_000;
  const banned = await ask(server, '/pets', { key });
  assert.equal(banned.status, 429);
  assert.equal(banned.headers['retry-after'], '59');
  assert.equal((await ask(server, '/pets', { key: server.keys.free })).status, 200);
  now += 59_000;
  assert.equal((await ask(server, '/pets', { key })).status, 200);
});

test('the ninth refusal in a row causes a ban that names its end or the window’s', async (t) => {
  for (const [variant, status, wait, reset] of [
    ['ban-after-9-by-401', 401, '120', '1800000120'],
    ['ban-after-9-by-403', 403, '60', '1800000060'],
  ] as const) {
    const now = 1_800_000_000_000;
    const plans = { free: { perMinute: 1, perDay: 1_000 } };
    const server = await startAltered({ now: () => now, plans, variants: [variant] });
    t.after(server.close);
    const key = server.keys.free;
    const statuses = [];
    for (let sent = 0; sent < 10; sent += 1) statuses.push((await ask(server, '/pets', { key })).status);
    assert.deepEqual(statuses, [200, ...Array.from({ length: 9 }, () => 429)]);
    const banned = await ask(server, '/pets', { key });
    assert.equal(banned.status, status);
    assert.equal(banned.headers['retry-after'], wait);
    assert.equal(banned.headers['x-ratelimit-reset'], reset);
    assert.equal(server.mostRefused('free'), 10);
  }
});

test('the server counts requests by key and by path, and close frees the port', async () => {
  const server = await startReference();
  await ask(server, '/pets', { key: server.keys.pro });
  await ask(server, '/pets/1', {});
  assert.equal(server.requests(), 2);
  assert.deepEqual([server.requestsByKey().pro, server.requestsByKey().anonymous], [1, 1]);
  assert.deepEqual(server.requestsByPath(), { 'GET /v1/pets': 1, 'GET /v1/pets/1': 1 });
  await server.close();
  await assert.rejects(ask(server, '/pets', {}));
});

/** Longer than the work of every flaw of the registry. */
const STALL_MS = 30;

test('a request sent during the work of another is read before that work ends, also after a stall', async (t) => {
  const server = await startAltered({ flaws: ['fetches-side-by-side-exchanged'] });
  t.after(server.close);
  const { hostname, port, pathname } = new URL(server.baseUrl);
  const fetch = (id: number): string =>
    `GET ${pathname}/pets/${id} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
    `Authorization: Bearer ${server.keys.business}\r\n\r\n`;
  const first = connect(Number(port), hostname);
  await once(first, 'connect');
  const second = connect(Number(port), hostname, () => {
    const until = performance.now() + STALL_MS;
    while (performance.now() < until);
    second.write(fetch(2));
  });
  first.write(fetch(1));
  second.resume();
  const chunks: string[] = [];
  first.on('data', (chunk) => chunks.push(String(chunk)));
  await Promise.all([once(first, 'end'), once(second, 'end')]);
  assert.match(chunks.join(''), /"id":2/);
});
