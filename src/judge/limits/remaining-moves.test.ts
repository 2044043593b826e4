import assert from 'node:assert/strict';
import { test } from 'node:test';
import { miscounted } from './remaining-moves.js';
import type { Movement } from './movements.js';

/** A count of three requests in which Remaining fell by `fall`, and at most `may` came back. */
const movement = (fall: number, may: number): Movement => ({
  from: {} as Movement['from'],
  to: {} as Movement['to'],
  fall,
  back: { least: 3 - fall, most: 3 - fall },
  may,
  mayIfUnused: may,
  elapsedMs: 7,
});

const expectedOf = (move: Movement): unknown => {
  const judged = miscounted('The free plan', move);
  return judged.kind === 'violated' && judged.expected;
};

test('a miscount says how far Remaining should have fallen, as one figure where only one is right', () => {
  assert.equal(expectedOf(movement(0, 0)), 'X-RateLimit-Remaining to fall by 3 in 7 ms');
  assert.equal(expectedOf(movement(0, 2)), 'X-RateLimit-Remaining to fall by 1 to 3 in 7 ms');
});
