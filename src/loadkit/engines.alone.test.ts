import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { loadContract } from '../base/interface/contract.js';
import { createResponseValidator } from '../base/interface/response-validator.js';
import { now } from '../wire/exchange/connection.js';
import { memoryJournal } from '../log/journal.js';
import { rawServer, respond, type RawRequest } from '../testing/raw-server.js';
import { secret } from '../wire/targets/secret.js';
import { closedLoop } from './closed-loop.js';
import type { EngineContext } from './engine-context.js';
import { AnswerJudge, type JudgedKey } from './judge-answers.js';
import { watchKey } from './key-watch.js';
import { watchThroughput } from './throughput.js';
import { Meter } from './meter.js';
import { Seconds } from './seconds.js';
import { connectionPool, openLoop } from './open-loop.js';
import { requestSource } from './requests.js';
import { turnsOf } from '../wire/scenario/schedule.js';
import { newReuse } from '../wire/exchange/reuse.js';
import { measureStalls } from './health.js';
import { RATE_HEADERS } from '../base/interface/rate-headers.js';

const contract = loadContract();
const judging = { contract, validator: createResponseValidator(contract) };
const windows = { minute: 60, day: 86_400 };

/** Returns the rate-limit headers of a correct server. */
const headers = (remaining = 5): readonly string[] => [
  'Content-Type: application/json',
  `${RATE_HEADERS.limit}: 10`,
  `${RATE_HEADERS.remaining}: ${remaining}`,
  `${RATE_HEADERS.reset}: ${Math.ceil(Date.now() / 1000) + 30}`,
  `Date: ${new Date().toUTCString()}`,
];

/** A timeout that no response of these servers exceeds, however slow the machine, ms. */
const LONG_MS = 60_000;

/** Runs an engine against a server that answers with raw bytes. */
async function engineAgainst(
  t: TestContext,
  answer: (request: RawRequest) => void,
  { perMinute = 1_000_000, timeoutMs = LONG_MS } = {},
) {
  const server = await rawServer(answer);
  t.after(() => server.close());
  const journal = memoryJournal();
  // The headers show the day's limit, so that a test can set the minute's.
  const figures = { perMinute, perDay: 10, minuteSeconds: 60, daySeconds: 86_400 };
  const key: JudgedKey = {
    figures,
    watch: watchKey({ perMinute, perDay: 1e9 }, windows),
    context: { basePath: '/v1', userAgent: 'test', run: '0123abcd', secret: secret('pk-some-key-of-a-test') },
  };
  const judge = new AnswerJudge(judging, journal, new Map([['free', key]]), null);
  const aborting = new AbortController();
  const source = requestSource('0123abcd', null, judge.newKnown, 0, contract);
  const shared: EngineContext = {
    origin: server.origin,
    limits: { timeoutMs, maxBodyBytes: 10_000, signal: aborting.signal },
    keys: new Map([['free', key]]),
    source,
    turns: turnsOf([{ operation: 'listPets', weight: 1, limits: [], statuses: [] }]),
    judge,
    seconds: new Seconds(),
    stalls: measureStalls(),
    throughput: watchThroughput(),
    sharedKeys: null,
    reuse: newReuse(),
    signal: aborting.signal,
  };
  const meter = new Meter();
  /** Sends `amount` requests in closed loop. */
  const flood = async (amount: number, connections = 4, operation: 'listPets' | 'createPet' = 'listPets') => {
    let left = amount;
    const { answered } = closedLoop(shared, meter, {
      connections,
      until: now() + 5 * LONG_MS,
      next: () => (left-- > 0 ? source.prepare({ operation }, 'free', left) : null),
      again: () => true,
    });
    const remarks = await answered;
    return { remarks, counts: meter.totals().operations[0], violations: judge.ofPhase() };
  };
  return { server, shared, meter, flood, journal, judge, aborting };
}

const PAGE = '[{"id":1,"name":"a","categoryId":1,"status":"sold"}]';

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

test('a server that closes connections loses no requests', async (t) => {
  const { server, flood } = await engineAgainst(t, ({ socket, number }) => {
    respond(socket, PAGE, number % 10 === 0 ? [...headers(), 'Connection: close'] : headers());
    if (number % 10 === 0) socket.end();
  });
  const { counts } = await flood(200);
  assert.equal(counts?.served, 200);
  assert.equal(counts?.errors, 0);
  assert.ok(server.connections() >= 20);
});

/** Returns the names in creations, as the server reads them. */
const namesIn = (requests: readonly RawRequest[]): readonly string[] =>
  requests.flatMap(({ text }) => /"name":"([^"]*)"/.exec(text)?.[1] ?? []);

/** Responds only to the first request of each connection. */
const resettingTheSecond = () => {
  const seen = new Set<number>();
  return ({ socket, connection, text, number }: RawRequest): void => {
    if (seen.has(connection)) return void socket.resetAndDestroy();
    seen.add(connection);
    const name = /"name":"([^"]*)"/.exec(text)?.[1];
    if (name === undefined) respond(socket, PAGE, headers());
    else
      respond(
        socket,
        `{"id":${number},"name":"${name}","categoryId":1,"status":"available"}`,
        headers(),
        '201 Created',
      );
  };
};

for (const [operation, most] of [
  ['listPets', 2],
  ['createPet', 1],
] as const)
  test(`a server that resets used connections receives each ${operation} once, and the count matches`, async (t) => {
    const { server, flood } = await engineAgainst(t, resettingTheSecond());
    const { counts, remarks } = await flood(120, 5, operation);
    assert.equal(counts?.sent, server.requests.length);
    assert.equal(new Set(namesIn(server.requests)).size, namesIn(server.requests).length);
    assert.equal(counts?.served, 120 - (counts?.errors ?? 0));
    assert.ok((counts?.errors ?? 0) >= 1 && (counts?.errors ?? 0) <= most, `${counts?.errors} errors`);
    assert.equal(
      /used a new connection/.test(remarks.join()),
      counts?.errors === 2,
      'two such ends are a habit',
    );
  });

for (const operation of ['listPets', 'createPet'] as const)
  test(`a server that closes connections without notice answers each ${operation}, sent only once`, async (t) => {
    const { server, flood } = await engineAgainst(t, ({ socket, text, number }) => {
      const name = /"name":"([^"]*)"/.exec(text)?.[1];
      const pet = `{"id":${number},"name":"${name}","categoryId":1,"status":"available"}`;
      if (name === undefined) respond(socket, PAGE, headers());
      else respond(socket, pet, headers(), '201 Created');
      setTimeout(() => socket.end(), 2);
    });
    const { counts, remarks, violations } = await flood(119, 5, operation);
    assert.deepEqual([counts?.sent, counts?.served, counts?.errors], [119, 119, 0]);
    assert.deepEqual([server.requests.length, violations], [119, []]);
    if (operation === 'listPets') assert.match(remarks.join(), /closes connections without notice/);
  });

test('a listing on a closed connection is sent again and counted twice', async (t) => {
  const { server, flood } = await engineAgainst(t, ({ socket, number }) => {
    if (number % 150 === 0) socket.end();
    else respond(socket, PAGE, headers());
  });
  const { counts } = await flood(400);
  assert.deepEqual([counts?.served, counts?.errors], [400, 0]);
  assert.equal(counts?.sent, server.requests.length);
  assert.equal(server.requests.length, 402);
});

test('a body that ends with its connection is complete', async (t) => {
  const { flood } = await engineAgainst(t, ({ socket }) => {
    socket.end(`HTTP/1.1 200 OK\r\n${headers().join('\r\n')}\r\nConnection: close\r\n\r\n${PAGE}`);
  });
  const { counts, violations } = await flood(30);
  assert.deepEqual([counts?.served, counts?.errors, violations], [30, 0, []]);
});

test('a closed port ends the load early, without thousands of attempts', async (t) => {
  const { server, flood } = await engineAgainst(t, () => undefined);
  await server.close();
  const { counts, remarks } = await flood(100_000);
  assert.ok((counts?.errors ?? 0) < 200, String(counts?.errors));
  assert.equal(counts?.sent, 0);
  assert.match(remarks.join(), /no connection got a response/);
});

/** Leaves three requests without a response. */
const silentFirst = ({ socket, number }: RawRequest): void => {
  if (number > 3) respond(socket, PAGE, headers());
};

test('a request without response fails after its timeout', async (t) => {
  const { flood } = await engineAgainst(t, silentFirst, { timeoutMs: 3000 });
  const { counts } = await flood(40, 3);
  assert.equal(counts?.errors, 3);
  assert.equal(counts?.served, 37);
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

const answer = (status: string, body: string) => (request: RawRequest) =>
  respond(request.socket, body, headers(), status);

test('429 within the allowance is an error; 429 beyond it is neither error nor violation', async (t) => {
  const inside = await (await engineAgainst(t, refusing(10), { perMinute: 100 })).flood(20);
  assert.deepEqual([inside.counts?.errors, inside.counts?.refused, inside.violations], [10, 0, []]);
  const beyond = await (await engineAgainst(t, refusing(10), { perMinute: 10 })).flood(20, 1);
  assert.deepEqual([beyond.counts?.errors, beyond.counts?.refused, beyond.violations], [0, 10, []]);
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

test('an open loop keeps its schedule with slow responses and measures from intended times', async (t) => {
  const { server, shared, meter } = await engineAgainst(
    t,
    ({ socket }) => void setTimeout(() => respond(socket, PAGE, headers()), 300),
  );
  const pool = connectionPool(shared);
  t.after(() => pool.close());
  const from = now() + 50;
  const { answered } = openLoop(shared, pool, meter, {
    count: 60,
    at: (place) => from + place * 10,
    request: (place) => shared.source.prepare({ operation: 'listPets' }, 'free', place),
    isToWait: () => false,
    over: new AbortController().signal,
  });
  await answered;
  const { operations, droppedFull, droppedLate } = meter.totals();
  assert.equal(server.requests.length + droppedLate, 60);
  assert.equal(droppedFull, 0);
  assert.equal(operations[0]?.served, server.requests.length);
  assert.ok(server.connections() >= 20, 'requests waited for each other');
});

test('an interrupted request counts neither as error nor as response', async (t) => {
  const { shared, meter, aborting } = await engineAgainst(t, () => undefined);
  const pool = connectionPool(shared);
  const { answered } = openLoop(shared, pool, meter, {
    count: 5,
    at: now,
    request: (place) => shared.source.prepare({ operation: 'listPets' }, 'free', place),
    isToWait: () => false,
    over: new AbortController().signal,
  });
  setTimeout(() => aborting.abort(), 200);
  await answered;
  await pool.close();
  const { operations } = meter.totals();
  assert.deepEqual([operations[0]?.sent, operations[0]?.errors, operations[0]?.byStatus], [5, 0, {}]);
});

test('a request without a connection is an error, and counts as not sent', async (t) => {
  const { server, shared, meter } = await engineAgainst(t, () => undefined);
  await server.close();
  const pool = connectionPool(shared);
  t.after(() => pool.close());
  const { answered } = openLoop(shared, pool, meter, {
    count: 5,
    at: now,
    request: (place) => shared.source.prepare({ operation: 'listPets' }, 'free', place),
    isToWait: () => false,
    over: new AbortController().signal,
  });
  await answered;
  const { operations, byKey } = meter.totals();
  assert.deepEqual(
    [operations[0]?.sent, operations[0]?.errors, operations[0]?.byStatus],
    [0, 5, { none: 5 }],
  );
  assert.deepEqual(byKey, { free: 0 });
  assert.deepEqual([shared.seconds.take().sent, shared.seconds.underWay()], [0, 0]);
});

test('an open loop prefers connections that the server keeps to those that it refused', async (t) => {
  const { server, shared, meter } = await engineAgainst(t, ({ socket, connection }) => {
    if (connection <= 2) respond(socket, PAGE, headers());
    else setTimeout(() => socket.destroy(), 50);
  });
  const pool = connectionPool(shared);
  t.after(() => pool.close());
  const errorsOf = async (parallel: number) => {
    const { answered } = openLoop(shared, pool, meter, {
      count: parallel,
      at: now,
      request: (place) => shared.source.prepare({ operation: 'listPets' }, 'free', place),
      isToWait: () => false,
      over: new AbortController().signal,
    });
    await answered;
    return meter.totals().operations[0]?.errors ?? 0;
  };
  const refused = await errorsOf(6);
  assert.ok(refused > 0, 'six parallel requests need more than two connections');
  for (let request = 0; request < 5; request += 1) await errorsOf(1);
  assert.deepEqual([meter.totals().operations[0]?.errors, server.connections()], [refused, 6]);
});

/** Holds up this process for more than a second. */
function standStill(): void {
  for (const until = now() + 1100; now() < until;);
}

test('requests that are lost while this machine stands still are no errors of the server', async (t) => {
  const { meter, flood, shared } = await engineAgainst(t, ({ socket, number, text }) => {
    if (number % 4 !== 0) {
      const { name } = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as { readonly name: string };
      const pet = { id: number, name, categoryId: 1, status: 'available' };
      return respond(socket, JSON.stringify(pet), headers(), '201 Created');
    }
    standStill();
    socket.resetAndDestroy();
  });
  const { counts, remarks } = await flood(12, 1, 'createPet');
  const { droppedLate } = meter.totals();
  assert.deepEqual([counts?.sent, counts?.errors, droppedLate], [12, 0, 3]);
  assert.deepEqual(remarks, []);
  assert.equal(shared.seconds.underWay(), 0);
  assert.equal(shared.reuse.isSingle, false);
});
