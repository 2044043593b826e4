import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handedIn } from './named-files.js';

const read = <Result>(work: () => Result | Promise<Result>): Promise<Result> =>
  handedIn('log-damaged', 'the file is to blame', work);

const stumble = (): number => (null as unknown as { length: number }).length;

test('a TypeError while handling a file is reported as an error of the file', async () => {
  await assert.rejects(read(stumble), /the file is to blame/);
  await assert.rejects(
    read(async () => stumble()),
    /the file is to blame/,
  );
});

test('other errors and return values pass unchanged', async () => {
  await assert.rejects(
    read(() => Promise.reject(new Error('another'))),
    /another/,
  );
  assert.equal(await read(() => 7), 7);
});
