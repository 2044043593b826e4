import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectProven } from './kill-matrix.test.support.js';

/** Share of known mistakes that must be named; the others look alike in their evidence. */
const LEAST_NAMED = 0.8;

test('every flaw is detected, every variant passes, and config/proof.json is current', async () => {
  const named = await expectProven(({ isReal }) => isReal !== true);
  assert.ok(named >= LEAST_NAMED, `${named} of the mistakes are named`);
});
