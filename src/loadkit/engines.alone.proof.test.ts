import assert from 'node:assert/strict';
import { test } from 'node:test';
import { now } from '../wire/exchange/connection.js';
import { oneByOne, respond, type RawRequest } from '../testing/raw-server.js';
import { connectionPool, openLoop } from './open-loop.js';
import { headers, engineAgainst, PAGE } from './engines.test.support.js';

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
    const { server, flood, shared } = await engineAgainst(t, resettingTheSecond());
    const { counts } = await flood(120, 5, operation);
    assert.equal(counts?.sent, server.requests.length);
    assert.equal(new Set(namesIn(server.requests)).size, namesIn(server.requests).length);
    assert.equal(counts?.served, 120 - (counts?.errors ?? 0));
    assert.ok((counts?.errors ?? 0) >= 1 && (counts?.errors ?? 0) <= most, `${counts?.errors} errors`);
    assert.equal(shared.reuse.isSingle, counts?.errors === 2, 'two such ends are a habit');
  });

for (const operation of ['listPets', 'createPet'] as const)
  test(`a server that closes connections without notice answers each ${operation}, sent only once`, async (t) => {
    const { server, flood, shared } = await engineAgainst(t, ({ socket, text, number }) => {
      const name = /"name":"([^"]*)"/.exec(text)?.[1];
      const pet = `{"id":${number},"name":"${name}","categoryId":1,"status":"available"}`;
      if (name === undefined) respond(socket, PAGE, headers());
      else respond(socket, pet, headers(), '201 Created');
      setTimeout(() => socket.end(), 2);
    });
    const { counts, violations } = await flood(119, 5, operation);
    assert.deepEqual([counts?.sent, counts?.served, counts?.errors], [119, 119, 0]);
    assert.deepEqual([server.requests.length, violations], [119, []]);
    if (operation === 'listPets') assert.ok(shared.reuse.isSingle);
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

/** Responds after some time. */
const slowly = ({ socket }: RawRequest): void => void setTimeout(() => respond(socket, PAGE, headers()), 60);

test('a closed loop says how many connections the server let wait to the end', async (t) => {
  const { flood } = await engineAgainst(t, oneByOne(slowly));
  const { remarks, counts } = await flood(25, 3);
  assert.equal(counts?.served, 25);
  assert.match(
    remarks.join(),
    /^2 of 3 connections got no response before the end: the server lets them wait/,
  );
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
  // Thirty are under way at a time. A machine that stands still drops some.
  assert.ok(server.connections() >= server.requests.length / 4, 'requests waited for each other');
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
  const opened = server.connections();
  for (let request = 0; request < 5; request += 1) await errorsOf(1);
  assert.deepEqual([meter.totals().operations[0]?.errors, server.connections()], [refused, opened]);
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
