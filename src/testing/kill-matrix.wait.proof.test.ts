import { test } from 'node:test';
import { expectProven } from './kill-matrix.test.support.js';

test('every limiter over real sockets, in real time, is judged as declared', async () => {
  await expectProven(({ isReal }) => isReal === true);
});
