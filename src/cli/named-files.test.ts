import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handedIn } from './named-files.js';

const blame = (cause: Error): Error => new Error('the file is to blame', { cause });

const stumble = (): number => (null as unknown as { length: number }).length;

test('what a file makes the work stumble over is the file’s affair', async () => {
  await assert.rejects(handedIn(stumble, blame), /the file is to blame/);
  await assert.rejects(
    handedIn(async () => stumble(), blame),
    /the file is to blame/,
  );
});

test('every other error is left as it is, and what comes of the work is given back', async () => {
  await assert.rejects(
    handedIn(() => Promise.reject(new Error('another')), blame),
    /another/,
  );
  assert.equal(await handedIn(() => 7, blame), 7);
});
