import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duration } from './format.js';

test('a time just below a unit is that unit, and never a thousand of the smaller one', () => {
  for (const [ms, text] of [
    [999.4, '999 ms'],
    [999.999, '1 s'],
    [1000, '1 s'],
    [59_949, '59.9 s'],
    [59_999, '1 min'],
    [-999.9, '-1 s'],
  ] as const)
    assert.equal(duration(ms), text, String(ms));
});
