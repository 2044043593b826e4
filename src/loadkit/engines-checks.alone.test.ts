import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { respond, type RawRequest } from '../testing/raw-server.js';
import { RATE_HEADERS } from '../base/interface/rate-headers.js';
import { headers, engineAgainst, PAGE, answer } from './engines.test.support.js';

test('each request of a load is sent once, and a correct response violates nothing', async (t) => {
  const { server, flood } = await engineAgainst(t, ({ socket }) => respond(socket, PAGE, headers()));
  const { counts, violations } = await flood(500, 7);
  assert.equal(server.requests.length, 500);
  assert.deepEqual(
    [counts?.sent, counts?.served, counts?.errors, counts?.byStatus],
    [500, 500, 0, { 200: 500 }],
  );
  assert.deepEqual(violations, []);
});

test('one wrong response among hundreds is found', async (t) => {
  const { flood } = await engineAgainst(t, ({ socket, number }) =>
    respond(socket, number === 371 ? PAGE.replace('"sold"', '"SOLD"') : PAGE, headers()),
  );
  const { violations, counts } = await flood(400);
  assert.equal(counts?.violations, 1);
  assert.deepEqual(
    violations.map(({ requirement, count }) => [requirement, count]),
    [['pet-shape', 1]],
  );
});

test('chunked and gzip-coded bodies are checked as a whole', async (t) => {
  const coded = gzipSync(PAGE.replace('"sold"', '"SOLD"'));
  const { flood } = await engineAgainst(t, ({ socket, number }) => {
    const head = `HTTP/1.1 200 OK\r\n${headers().join('\r\n')}\r\n`;
    if (number % 10 === 0) {
      socket.write(`${head}Content-Encoding: gzip\r\nContent-Length: ${coded.length}\r\n\r\n`);
      socket.write(coded);
      return;
    }
    const body = number % 10 === 5 ? PAGE.replace('"id":1,', '') : PAGE;
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
    for (const each of [body.slice(0, 9), body.slice(9, 20), body.slice(20)])
      socket.write(`${each.length.toString(16)}\r\n${each}\r\n`);
    socket.write('0\r\n\r\n');
  });
  const { counts, violations } = await flood(100);
  assert.deepEqual([counts?.served, counts?.errors, counts?.violations], [100, 0, 20]);
  assert.deepEqual(
    violations.map(({ requirement, count }) => [requirement, count]),
    [
      ['pet-shape', 10],
      ['pet-shape', 10],
    ],
  );
});

test('headers are checked on every response', async (t) => {
  const { flood, journal } = await engineAgainst(t, ({ socket, number }) =>
    respond(socket, PAGE, headers(number % 100 === 0 ? 11 : number % 10)),
  );
  const { violations } = await flood(400);
  assert.deepEqual(
    violations.map(({ requirement, count }) => [requirement, count]),
    [['rate-headers-wellformed', 4]],
  );
  assert.equal(journal.records.filter(({ type }) => type === 'exchange').length, 1);
});

test(`a wrong ${RATE_HEADERS.limit} is found on every response except 401`, async (t) => {
  const { flood } = await engineAgainst(t, ({ socket, number }) => {
    const [limit, ...others] = [number % 20 === 0 ? '11' : '10', ...headers()];
    const said = others.map((line) => line.replace('Limit: 10', `Limit: ${limit}`));
    if (number % 20 === 7)
      respond(socket, '{"code":"x","message":"x","status":401}', said, '401 Unauthorized');
    else respond(socket, PAGE, said);
  });
  const { violations } = await flood(200);
  assert.deepEqual(
    violations
      .map(({ requirement, count }) => [requirement, count])
      .toSorted(([one = ''], [other = '']) => String(one).localeCompare(String(other))),
    [
      ['auth-valid-key', 10],
      ['rate-limit-value', 10],
    ],
  );
});

test('each created animal is compared with its own request', async (t) => {
  let id = 0;
  const { flood } = await engineAgainst(t, ({ socket, text, number }) => {
    const sent = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as object;
    id += 1;
    const pet = { ...sent, id: number === 30 ? 7 : id, ...(number === 20 && { name: 'another' }) };
    respond(socket, JSON.stringify(pet), headers(), '201 Created');
  });
  const { violations, counts } = await flood(60, 1, 'createPet');
  assert.equal(counts?.served, 60);
  assert.deepEqual(
    violations.map(({ requirement, count }) => [requirement, count]),
    [
      ['created-pet-echo', 1],
      ['pet-id-unique', 1],
    ],
  );
});

const refusing = (from: number) => (request: RawRequest) =>
  request.number <= from
    ? respond(request.socket, PAGE, headers())
    : respond(
        request.socket,
        '{"code":"x","message":"x","status":429}',
        [...headers(0), 'Retry-After: 30'],
        '429 Too Many Requests',
      );

test('429 within the allowance is an error; 429 beyond it is neither error nor violation', async (t) => {
  const inside = await (await engineAgainst(t, refusing(10), { perMinute: 100 })).flood(20);
  assert.deepEqual([inside.counts?.errors, inside.counts?.refused, inside.violations], [10, 0, []]);
  const beyond = await (await engineAgainst(t, refusing(10), { perMinute: 10 })).flood(20, 1);
  assert.deepEqual([beyond.counts?.errors, beyond.counts?.refused, beyond.violations], [0, 10, []]);
});

test('each 429 needs a Retry-After that a client can read, within the allowance and beyond it', async (t) => {
  const waits = ['Retry-After: 30', 'Retry-After: soon', 'Retry-After: Fri, 31 Dec 9999 23:59:59 GMT'];
  const { flood } = await engineAgainst(
    t,
    ({ socket, number }) => {
      const wait = waits[number % 4];
      const error = '{"code":"x","message":"x","status":429}';
      respond(socket, error, [...headers(0), ...(wait ? [wait] : [])], '429 Too Many Requests');
    },
    { perMinute: 20 },
  );
  const { counts, violations } = await flood(40, 1);
  assert.equal(counts?.violations, 30);
  assert.deepEqual(
    violations
      .map(({ message, count }) => `${message} ${count}`)
      .toSorted((one, other) => one.localeCompare(other)),
    [
      'a 429 has a Retry-After that is too far away 10',
      'a 429 has a Retry-After that no client can read 10',
      'a 429 has no Retry-After 10',
    ],
  );
});

test('a request that could not connect is one that ended, in no second still under way', async (t) => {
  const { server, shared, flood, finished } = await engineAgainst(t, () => undefined);
  await server.close();
  const { counts } = await flood(6, 2);
  assert.deepEqual([counts?.sent, counts?.errors, counts?.byStatus], [0, 6, { none: 6 }]);
  assert.deepEqual(
    finished.map(({ status, outcome }) => [status, outcome]),
    Array.from({ length: 6 }, () => [0, 'error']),
  );
  assert.ok(finished.every(({ answeredAt, intendedAt }) => answeredAt > intendedAt));
  assert.equal(new Set(finished.map(({ trace }) => trace)).has(''), false);
  const { sent, errors } = shared.seconds.take();
  assert.deepEqual([sent, errors, shared.seconds.underWay()], [0, 6, 0]);
});

test('5xx is an error; an undeclared status code or a rejected key is a violation', async (t) => {
  const error = '{"code":"x","message":"x","status":503}';
  const fault = await (await engineAgainst(t, answer('503 Service Unavailable', error))).flood(5);
  assert.deepEqual([fault.counts?.errors, fault.violations], [5, []]);
  const teapot = await (await engineAgainst(t, answer('418 Teapot', error))).flood(5);
  assert.deepEqual(
    teapot.violations.map(({ requirement, count }) => [requirement, count]),
    [['list-ok', 5]],
  );
  const refused = await (
    await engineAgainst(t, answer('401 Unauthorized', error.replace('503', '401')))
  ).flood(5);
  assert.deepEqual(
    refused.violations.map(({ requirement }) => requirement),
    ['auth-valid-key'],
  );
});
