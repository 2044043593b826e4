import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wasRefused, wasServed } from '../../judge/limits/sample.js';
import { slidingLogOldest } from '../../testing/limiters/limiters.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import { PLAIN, simulate } from '../../testing/simulated/simulate.js';

/** A log whose Reset comes ten seconds before its Retry-After. */
const RESET_TOO_EARLY: Behaviour = {
  make: slidingLogOldest,
  spoil: (draft) => ({ ...draft, reset: String(Number(draft.reset) - 10) }),
};

/** Responses of which some take a third of a second longer than others. */
const UNEVEN_NETWORK = { ...PLAIN, minuteSeconds: 20, latencyMs: 20, jitterMs: 300 };

test('a request after Reset leaves as late as a log may ask that counts refusals', async () => {
  let checked = 0;
  for (let seed = 1; seed <= 20; seed += 1) {
    const { record } = await simulate(RESET_TOO_EARLY, { ...UNEVEN_NETWORK, seed });
    for (const { asked } of record.keys) {
      const whole = (asked ?? []).filter(({ question }) => question === 'whole');
      const [first, second] = whole.filter(wasServed);
      const refusal = whole.find(wasRefused);
      const after = asked?.find(({ question }) => question === 'reset');
      if (!first || !second || !refusal || !after) continue;
      checked += 1;
      const usualMs = refusal.answeredAt - refusal.sentAt;
      const leavesMs = second.sentAt - first.sentAt - usualMs;
      const due = Number(refusal.reset) * 1000 + 1000 + leavesMs;
      assert.ok(after.sentAt >= due, `seed ${seed}: ${due - after.sentAt} ms too early`);
    }
  }
  assert.ok(checked > 10, `${checked} requests after Reset`);
});
