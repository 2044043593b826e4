import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../wire/exchange/connection.js';
import { STANDSTILL_MS } from '../wire/exchange/stalls.js';
import { measureStalls } from './health.js';

function block(ms: number): void {
  for (const until = now() + ms; now() < until;);
}

const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Waits for three beats that were in time. */
async function quiet(stalls: ReturnType<typeof measureStalls>): Promise<void> {
  for (let before = -1; before !== stalls.heldUpUntil(now()); await sleep(30))
    before = stalls.heldUpUntil(now());
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

test('stalls after a past time do not count until it', async (t) => {
  const stalls = measureStalls();
  t.after(() => stalls.close());
  await sleep(30);
  block(60);
  await sleep(30);
  const end = now();
  const until = stalls.heldUpUntil(end);
  for (const ms of [80, 60]) {
    block(ms);
    await sleep(30);
  }
  // A stall that begins within a beat before that time counts from the beat.
  assert.ok(stalls.heldUpUntil(end) - until <= 15);
  assert.ok(stalls.heldUpUntil(now()) - until >= 140);
  const [from, within] = [now(), now() + 40];
  block(90);
  await sleep(30);
  const part = stalls.heldUpUntil(within) - stalls.heldUpUntil(from);
  assert.ok(part >= 40 && part < 41, 'a stall that goes on after it counts in part');
});

test('what a stall hid is read right after it, so only a standstill shortens a silence that goes on', async (t) => {
  const stalls = measureStalls();
  t.after(() => stalls.close());
  await sleep(30);
  const from = now();
  block(120);
  const blocked = stalls.unreadIn(from, now());
  assert.ok(blocked >= 120 && blocked <= now() - from, 'a response that is read now may have waited for it');
  await quiet(stalls);
  const after = stalls.unreadIn(from, now());
  // What lasted longer was a standstill of the machine that runs this.
  assert.ok(after < 120 || after >= STANDSTILL_MS, 'it would have been read before');
  standStill(STANDSTILL_MS + 50);
  await quiet(stalls);
  const stood = stalls.unreadIn(from, now());
  assert.ok(stood >= STANDSTILL_MS && stood < now() - from - 120);
});
