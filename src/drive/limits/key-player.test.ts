import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_CLOCK } from '../../judge/limits/clock.js';
import { machineClock } from '../load/clock.js';
import { openLab } from '../load/lab.js';
import { twoSessions } from '../load/two-sessions.test.support.js';
import { KeyPlayer } from './key-player.js';

const ONE_BY_ONE = 6;

test('paced requests keep to the connection that was used last, so that the idle ones may close', async (t) => {
  const { server, sessions, close } = await twoSessions(Infinity);
  t.after(close);
  const lab = openLab({
    time: machineClock,
    sessions,
    before: NO_CLOCK,
    signal: new AbortController().signal,
    stalls: [],
    operations: [],
    progress: () => undefined,
    waiting: () => undefined,
  });
  const player = new KeyPlayer(sessions[0], lab);
  t.after(() => player.close());
  const { sink } = player.keeping('steady', 'paced');
  const send = () => player.askPaced(sink, lab.now());
  await Promise.all([send(), send(), send()]);
  for (let sent = 0; sent < ONE_BY_ONE; sent += 1) await send();
  const used = server.requests.slice(-ONE_BY_ONE).map(({ connection }) => connection);
  assert.equal(new Set(used).size, 1, used.join());
});
