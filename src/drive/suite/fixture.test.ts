import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryJournal } from '../../log/journal.js';
import { rawServer, respond } from '../../testing/raw-server.js';
import { bearer } from '../probes/credentials.js';
import { declared, listing } from '../probes/specs.js';
import { nothingKnown } from '../../wire/exchange/kept-connection.js';
import { openFixture, type FixtureOrder } from './fixture.js';

const KEY = 'pk-fixture-test-0123456789';

const order = (baseUrl: string, address: string): FixtureOrder => ({
  run: '0a1b2c3d',
  writes: false,
  removal: 'before',
  asOf: '2026-11-20',
  baseUrl,
  plan: 'free',
  exclusive: true,
  figures: {
    plan: { name: 'free', perMinute: 60, perDay: 1000 },
    windows: { minute: 60, day: 86_400 },
    banSeconds: 60,
  },
  limits: { timeoutMs: 10_000, maxBodyBytes: 10_000, address },
});

for (const [what, address, count] of [
  ['another address', '127.0.0.2', 1],
  ['the same address', '127.0.0.1', 0],
] as const)
  test(`the suites report that the name of the host got ${what}: ${count} times`, async (t) => {
    const server = await rawServer(({ socket }) => respond(socket, '[]'));
    t.after(() => server.close());
    const journal = memoryJournal();
    const { sender } = openFixture(order(`${server.origin.replace('127.0.0.1', 'localhost')}/v1`, address), {
      journal,
      keys: [KEY],
    });
    for (let nth = 0; nth < 2; nth += 1)
      await sender.send(listing({ limit: 1 }, bearer('free'), declared(200)), KEY);
    await sender.close();
    const remarks = journal.records.flatMap((record) => (record.type === 'remark' ? [record.text] : []));
    assert.equal(remarks.length, count);
    for (const remark of remarks)
      assert.equal(remark, 'localhost got another address: 127.0.0.1 in place of 127.0.0.2');
  });

for (const [failures, count] of [
  [3, 1],
  [2, 0],
] as const)
  test(`the suites report ${failures} connections without response among others: ${count} times`, async () => {
    const journal = memoryJournal();
    const afterwards = nothingKnown();
    const { signal } = new AbortController();
    afterwards.parallel.begin({}, signal)(true);
    for (let nth = 0; nth < failures; nth += 1) afterwards.parallel.begin({}, signal)(false);
    const target = order('http://127.0.0.1:9/v1', '127.0.0.1');
    const { sender } = openFixture(target, { journal, keys: [KEY], afterwards });
    await sender.close();
    const remarks = journal.records.flatMap((record) => (record.type === 'remark' ? [record.text] : []));
    assert.deepEqual(
      remarks,
      ['the server serves one connection at a time, so the run takes longer'].slice(0, count),
    );
  });
