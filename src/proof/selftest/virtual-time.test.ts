import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualTime } from './virtual-time.js';

test('time advances in order of due times, and only while all tasks wait', async () => {
  const time = virtualTime(1000);
  const { signal } = new AbortController();
  const seen: string[] = [];
  const waits = async (name: string, ...until: readonly number[]): Promise<void> => {
    for (const at of until) {
      assert.equal(await time.sleepUntil(at, signal), true);
      // Promises take no virtual time, however many there are.
      for (let step = 0; step < 50; step += 1) await Promise.resolve();
      seen.push(`${name} ${time.now()}`);
    }
  };
  await time.passing(async () => {
    await Promise.all([waits('a', 1010, 1030), waits('b', 1010, 1020, 1030), waits('c', 900)]);
  });
  assert.deepEqual(seen, ['c 1000', 'a 1010', 'b 1010', 'b 1020', 'a 1030', 'b 1030']);
});

test('a task that waits for nothing due is an error', async () => {
  const time = virtualTime(0);
  await assert.rejects(
    time.passing(() => new Promise(() => undefined)),
    /nothing is due/,
  );
});
