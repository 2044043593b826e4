import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectProven } from './kill-matrix.test.support.js';

/** Share of known mistakes that must be named; the others look alike in their evidence. */
const LEAST_NAMED = 0.8;

/** A suite of a flaw whose limit is a real one can be too slow beside other work to see it. */
const ATTEMPTS = 3;

test('every flaw is detected, every variant passes, and config/proof.json is current', async () => {
  const named = await expectProven(({ isReal }) => isReal !== true, ATTEMPTS);
  assert.ok(named >= LEAST_NAMED, `${named} of the mistakes are named`);
});
