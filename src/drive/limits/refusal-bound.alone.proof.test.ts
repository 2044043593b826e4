import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_REFUSED } from '../../judge/limits/asked.js';
import { startAltered } from '../../proof/index.js';
import { idsOf, MINUTE_S, ran, targetAt, wasBusy } from '../../testing/load-at.js';

test('a server that bans after 9 refusals in a row bans no key of a run', async (t) => {
  const variants = ['ban-after-9-by-403', 'load-slow-and-jittery'];
  const server = await startAltered({ minuteSeconds: MINUTE_S, variants });
  t.after(() => server.close());
  const { free, pro, business } = server.keys;
  const { findings } = await ran(targetAt(server.baseUrl, { free, pro, business }));
  for (const key of ['free', 'pro', 'business'] as const) {
    const most = server.mostRefused(key);
    assert.ok(most <= MOST_REFUSED, `${key}: ${most}`);
  }
  // A slow machine may not use up a larger plan within the short window, but mostly the smallest.
  assert.ok(server.mostRefused('free') >= 1 || wasBusy(findings));
  assert.deepEqual(idsOf(findings, 'violated'), []);
});
