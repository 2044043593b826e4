import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerRecord } from './records.test.support.js';
import { footerOf, headerOf, type HeaderRequest } from './header.js';

const request = {
  ...headerRecord.scope,
  run: '0a1b2c3d',
  target: { ...headerRecord.target, keys: {}, plans: {}, suiteKey: 'free' },
  command: 'run',
} as unknown as HeaderRequest;

test('a clock that is set during a run changes no duration, and no end comes before its start', (t) => {
  // The clock is wrong at the start, by decades either way, and right at the end.
  for (const now of [0, Date.UTC(2100, 0)]) {
    t.mock.timers.enable({ apis: ['Date'], now });
    const { startedAt } = headerOf(request);
    t.mock.timers.reset();
    const { finishedAt } = footerOf({ reason: null }, request.run);
    const ms = Date.parse(finishedAt) - Date.parse(startedAt);
    assert.ok(ms >= 0 && ms < 60_000, `${ms} ms`);
  }
});
