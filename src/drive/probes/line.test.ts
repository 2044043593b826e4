import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { rawServer, respond, type RawRequest } from '../../testing/raw-server.js';
import { createSender } from '../../wire/exchange/sender.js';
import { nobody } from './credentials.js';
import { MOST_SILENCE, openLine } from './line.js';
import { declared, listing } from './specs.js';

const SPEC = listing({ limit: 1 }, nobody, declared(200));
const MOST_BODY_BYTES = 1000;

/** Starts a server that answers with `answer`, and a line of three requests to it. */
async function lineTo(t: TestContext, answer: (request: RawRequest) => void) {
  const server = await rawServer(answer);
  const sender = createSender({
    baseUrl: `${server.origin}/v1`,
    run: '0a1b2c3d',
    limits: { timeoutMs: 60_000, maxBodyBytes: MOST_BODY_BYTES },
  });
  t.after(async () => {
    await sender.close();
    await server.close();
  });
  const fresh: boolean[] = [];
  const line = openLine({
    most: MOST_SILENCE,
    counts: () => true,
    costOf: ({ attempts }) => attempts,
    send(spec, isFresh) {
      fresh.push(isFresh);
      return sender.send(spec, null, isFresh);
    },
    windowMs: 1000,
  });
  return { line, fresh };
}

test('a request counts before it leaves, and the last ones use new connections', async (t) => {
  const { line, fresh } = await lineTo(t, ({ socket }) => respond(socket, '[]'));
  const sent = line.sendOnce(SPEC);
  assert.deepEqual([line.affords(2), line.affords(3)], [true, false]);
  await sent;
  await line.sendOnce(SPEC);
  await line.sendOnce(SPEC);
  assert.deepEqual([line.affords(1), fresh], [false, [false, false, true]]);
});

test('a target that sends unreadable responses is not silent, one that only closes is', async (t) => {
  const large = await lineTo(t, ({ socket }) => respond(socket, 'x'.repeat(MOST_BODY_BYTES + 1)));
  const closing = await lineTo(t, ({ socket }) => socket.destroy());
  for (let sent = 0; sent < MOST_SILENCE; sent += 1) {
    assert.equal(closing.line.isUnanswered(), false);
    await large.line.sendOnce(SPEC);
    await closing.line.sendOnce(SPEC);
  }
  assert.deepEqual([large.line.isUnanswered(), closing.line.isUnanswered()], [false, true]);
});
