import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { now, type WireRequest } from '../../wire/exchange/connection.js';
import { collector } from './key-session.js';
import { placed } from './placed.js';
import { Places } from './places.js';
import { LONGEST_TURN_MS } from './turns.js';
import { twoSessions } from './two-sessions.test.support.js';

const isLost = ({ status }: { readonly status: number }): boolean => status === 0;

/** Returns the next of so many listings; null after them. */
const listings = (count: number) => {
  let sent = 0;
  return () => ((sent += 1) > count ? null : ('listPets' as const));
};

for (const most of [1, 2, 4, 6, 20])
  test(`a server that allows an address ${most} connections answers every request of a burst`, async (t) => {
    const { server, sessions, close } = await twoSessions(most);
    t.after(close);
    const sink = collector('burst');
    for (const session of sessions) await session.ask('listPets', sink);
    const parallel = { connections: 6, next: listings(40), stopsAt: () => false, byCount: () => 60 };
    await sessions[0].inParallel(parallel, sink);
    for (const session of sessions) await session.ask('createPet', sink);
    const answered = sink.samples.filter(({ status }) => status !== 0);
    assert.equal(answered.length, 44);
    // A refused connection is no lost server, and what it may have received is kept.
    assert.ok(sink.samples.length - answered.length <= server.refused());
    // A connection that a request renews may open before the server has noticed the end of its old one.
    if (most >= 6) assert.ok(server.refused() <= 6, `${server.refused()} refused`);
  });

for (const most of [1, 2, 4, 6])
  test(`connections of ${most} allowed ones are shared by requests that each open their own`, async (t) => {
    const { server, sessions, close } = await twoSessions(most);
    t.after(close);
    const sink = collector('concurrent');
    for (const session of sessions) await session.ask('listPets', sink);
    const ways = Array.from({ length: 6 }, () => sessions[0].fork());
    for (let round = 0; round < 3; round += 1) {
      const samples = await Promise.all(ways.map((way) => way.ask('listPets', sink)));
      assert.deepEqual(new Set(samples.map(({ status }) => status)), new Set([200]));
    }
    await Promise.all(ways.map((way) => way.close()));
    assert.ok(server.refused() <= 12, `${server.refused()} refused`);
  });

for (const [most, latencyMs] of [
  [6, 5],
  [4, 5],
  // One round takes longer than the further attempts of a refused connection.
  [6, 600],
] as const)
  test(`two bursts side by side share ${most} connections of a server that responds in ${latencyMs} ms`, async (t) => {
    const { server, sessions, close } = await twoSessions(most, latencyMs);
    t.after(close);
    const sink = collector('burst');
    for (const connections of [6, 1])
      await Promise.all(
        sessions.map((session) =>
          session.inParallel(
            { connections, next: listings(7), stopsAt: () => false, byCount: () => 60 },
            sink,
          ),
        ),
      );
    const answered = sink.samples.filter(({ status }) => status !== 0);
    assert.equal(answered.length, 28);
    assert.ok(sink.samples.length - answered.length <= server.refused());
  });

test('a server that is gone ends two bursts side by side', async (t) => {
  const { server, sessions, close } = await twoSessions(6);
  t.after(close);
  const sink = collector('burst');
  await server.close();
  await Promise.all(
    sessions.map((session) =>
      session.inParallel({ connections: 6, next: listings(40), stopsAt: isLost }, sink),
    ),
  );
  assert.ok(sink.samples.length < 40, `${sink.samples.length} requests`);
});

test('a server that is gone ends a burst', async (t) => {
  const { server, sessions, close } = await twoSessions(6);
  t.after(close);
  const sink = collector('burst');
  await sessions[0].ask('listPets', sink);
  await server.close();
  await sessions[0].inParallel({ connections: 6, next: listings(40), stopsAt: isLost }, sink);
  const lost = sink.samples.filter(isLost);
  assert.ok(lost.length > 0 && lost.length < 40, `${lost.length} of 40 without a response`);
});

test('parallel requests of two keys take turns once the server has refused a connection, however long ago', async () => {
  const places = new Places(0);
  assert.deepEqual([await places.takeMany(6), await places.takeMany(6)], [6, 6]);
  places.refuse();
  places.giveBack(11);
  assert.equal(await places.takeMany(6), 6);
  let taken = 0;
  const second = places.takeMany(6).then((count) => (taken = count));
  for (let given = 0; given < 6; given += 1) {
    await sleep(1);
    assert.equal(taken, 0);
    places.giveBack(1);
  }
  assert.equal(await second, 6);
});

test('parallel requests wait a second at most for those of another key, also where none of them ends', async () => {
  const places = new Places(0);
  assert.equal(await places.takeMany(6), 6);
  places.refuse();
  const before = now();
  assert.equal(await places.takeMany(6), 6);
  assert.ok(now() - before >= LONGEST_TURN_MS);
});

const GET: WireRequest = { method: 'GET', path: '/v1/pets', headers: [], body: null };

/**
 * Opens connections to a server that allows an address `most` at a time, and notices the end of the nth after
 * so many ms.
 */
function openingTo(most: number, noticesMs: (nth: number) => number) {
  let held = 0;
  let ended = 0;
  return () => {
    let isOpen = false;
    const answered = { attempts: 1, sentAt: 0, latencyMs: 1 };
    return {
      async send() {
        if (!isOpen) {
          await sleep(1);
          if (held >= most)
            return { ...answered, answer: { kind: 'none', code: 'reset', message: '' } } as const;
          held += 1;
          isOpen = true;
        }
        await sleep(5);
        const head = { kind: 'response', status: 200, statusText: 'OK', headers: [] } as const;
        return { ...answered, answer: { ...head, text: '[]', encoding: 'utf-8' } } as const;
      },
      async close() {
        if (isOpen) setTimeout(() => (held -= 1), noticesMs((ended += 1)));
        isOpen = false;
      },
    };
  };
}

// Each mostly waits, by timers of this process alone, which keep their order on a busy machine too.
describe('connections whose end a server notices late', { concurrency: true }, () => {
  for (const most of [1, 2, 4])
    for (const noticesMs of [0, 40, 100, 200])
      test(`a server that allows ${most} and notices their end ${noticesMs} ms later answers every request`, async () => {
        const places = new Places();
        const open = openingTo(most, () => noticesMs);
        const ways = Array.from({ length: 6 }, () => placed(places, open));
        for (let round = 0; round < 3; round += 1) {
          const sent = await Promise.all(ways.map((way) => way.send(GET)));
          assert.deepEqual(new Set(sent.map(({ answer }) => answer.kind)), new Set(['response']));
        }
        await Promise.all(ways.map((way) => way.close()));
      });

  test('a server that allows one, and once notices its end late, answers every request', async () => {
    const places = new Places();
    const open = openingTo(1, (nth) => (nth === 2 ? 60 : 0));
    const ways = [placed(places, open), placed(places, open)];
    const kinds: string[] = [];
    for (let round = 0; round < 3; round += 1)
      for (const way of ways) kinds.push((await way.send(GET)).answer.kind);
    assert.deepEqual(new Set(kinds), new Set(['response']));
    await Promise.all(ways.map((way) => way.close()));
  });
});
