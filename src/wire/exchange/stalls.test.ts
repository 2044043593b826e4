import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { now } from './connection.js';
import { watchStalls } from './stalls.js';

/** Keeps this process from its timers. */
function holdUp(ms: number): void {
  for (const until = now() + ms; now() < until;);
}

test('a stall counts in full, while it lasts and after it', async () => {
  const lengths: number[] = [];
  const seen = new Promise<void>((resolve) => {
    const watch = watchStalls({
      beatMs: 10,
      leastMs: 50,
      onStall: ({ from, to }) => {
        lengths.push(to - from);
        watch.stop();
        resolve();
      },
    });
    holdUp(80);
    assert.ok(watch.lastingAt(now()) >= 80);
  });
  // The watch itself keeps no process alive.
  await Promise.race([seen, sleep(5000)]);
  assert.equal(lengths.length, 1);
  assert.ok((lengths[0] ?? 0) >= 80, `${lengths[0]}`);
});
