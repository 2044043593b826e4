import { test } from 'node:test';
import { expectProven } from './kill-matrix.test.support.js';

/** Trials in real time, most: a busy machine may hide a mistake. */
const ATTEMPTS = 3;

test('every limiter over real sockets, in real time, is judged as declared', async (t) => {
  await expectProven(t, ({ isReal }) => isReal === true, ATTEMPTS);
});
