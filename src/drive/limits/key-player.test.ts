import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { NO_CLOCK } from '../../judge/limits/clock.js';
import { machineClock } from '../load/clock.js';
import { openLab } from '../load/lab.js';
import { twoSessions } from '../load/two-sessions.test.support.js';
import { KeyPlayer } from './key-player.js';

const ONE_BY_ONE = 6;
/** A wait that is worth reporting, ms. */
const WAIT_MS = 500;

/** Starts a server, and returns the player of one of its keys, with the reasons of its waits. */
async function playing(t: TestContext) {
  const { server, sessions, close } = await twoSessions(Infinity);
  t.after(close);
  const reasons: string[] = [];
  const lab = openLab({
    time: machineClock,
    sessions,
    before: NO_CLOCK,
    signal: new AbortController().signal,
    stalls: [],
    operations: [],
    progress: () => undefined,
    waiting: (what) => void reasons.push(what),
  });
  const player = new KeyPlayer(sessions[0], lab);
  t.after(() => player.close());
  return { server, lab, player, reasons };
}

test('paced requests keep to the connection that was used last, so that the idle ones may close', async (t) => {
  const { server, lab, player } = await playing(t);
  const { sink } = player.keeping('steady', 'paced');
  const send = () => player.askPaced(sink, lab.now());
  await Promise.all([send(), send(), send()]);
  for (let sent = 0; sent < ONE_BY_ONE; sent += 1) await send();
  const used = server.requests.slice(-ONE_BY_ONE).map(({ connection }) => connection);
  assert.equal(new Set(used).size, 1, used.join());
});

test('after a request without a response it waits for one, and names no Retry-After', async (t) => {
  const { server, lab, player, reasons } = await playing(t);
  await player.pauseAfter(await player.ask('back', 'return'), lab.now() + WAIT_MS);
  await server.close();
  await player.pauseAfter(await player.ask('back', 'return'), lab.now() + WAIT_MS);
  assert.deepEqual(reasons, ['Retry-After on the free plan', 'a response of the server on the free plan']);
});

test('a server that does not respond is asked again in seconds, however long its window is', async (t) => {
  const { server, player } = await playing(t);
  await server.close();
  const lost = await player.ask('back', 'return');
  assert.equal(lost.status, 0);
  const waitMs = player.allowedAt(lost) - lost.answeredAt;
  assert.ok(waitMs > 0 && waitMs <= 10_000 && waitMs < player.windowMs, `${waitMs} of ${player.windowMs} ms`);
});
