import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../wire/exchange/connection.js';
import { measureStalls } from './health.js';

function block(ms: number): void {
  for (const until = now() + ms; now() < until;);
}

test('a stall counts in full, before and after the delayed tick', async (t) => {
  const stalls = measureStalls();
  t.after(() => stalls.close());
  await sleep(30);
  const before = stalls.heldUpUntil(now());
  block(60);
  assert.ok(stalls.heldUpUntil(now()) - before >= 60);
  await sleep(30);
  const after = stalls.heldUpUntil(now());
  assert.ok(after - before >= 60);
  block(3);
  assert.ok(stalls.heldUpUntil(now()) >= after);
});
