import { test } from 'node:test';
import { expectCauses, expectProven } from './kill-matrix.test.support.js';

/** A suite of a flaw whose limit is a real one can be too slow next to other work to see it. */
const ATTEMPTS = 3;

test('every flaw is detected, every variant passes, and config/proof.json is current', async (t) => {
  await expectProven(t, ({ isReal }) => isReal !== true, ATTEMPTS);
});

test('reports name the causes of limiters that are judged in real time', expectCauses);
