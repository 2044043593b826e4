import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handedIn } from './named-files.js';

const blame = (cause: Error): Error => new Error('the file is to blame', { cause });

const stumble = (): number => (null as unknown as { length: number }).length;

test('a TypeError while handling a file is reported as an error of the file', async () => {
  await assert.rejects(handedIn(stumble, blame), /the file is to blame/);
  await assert.rejects(
    handedIn(async () => stumble(), blame),
    /the file is to blame/,
  );
});

test('other errors and return values pass unchanged', async () => {
  await assert.rejects(
    handedIn(() => Promise.reject(new Error('another')), blame),
    /another/,
  );
  assert.equal(await handedIn(() => 7, blame), 7);
});
