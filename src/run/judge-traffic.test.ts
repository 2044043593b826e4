import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newestOf } from './judge-traffic.js';

test('the pieces of the newest tokens are searched for, and not of thousands', () => {
  assert.deepEqual(newestOf(['first', 'second']), ['first', 'second']);
  const tokens = Array.from({ length: 3000 }, (_, nth) => `${nth}`.padStart(300, '0'));
  const newest = newestOf(tokens);
  assert.deepEqual(newest, tokens.slice(-newest.length));
  assert.ok(newest.length > 10 && newest.join('').length <= 10_000);
  assert.deepEqual(newestOf(['first', 'x'.repeat(20_000)]), []);
});
