import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capital, duration } from './format.js';

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

test('a sentence begins with a capital letter, and an address is left as it is', () => {
  assert.equal(capital('the server stopped responding'), 'The server stopped responding');
  assert.equal(capital('redis://127.0.0.1:6379 is out of memory'), 'redis://127.0.0.1:6379 is out of memory');
});
