import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerReader } from './answer-headers.js';

const SOUND = ['Content-Type', 'application/json', 'X-RateLimit-Limit', '60', 'Date', 'today'];

test('headers are read by name in any case, whatever stood where on the answer before', () => {
  const read = headerReader();
  assert.deepEqual(
    [SOUND, ['date', 'now', ...SOUND.slice(0, 4)], SOUND, SOUND.slice(2), []].map((flat) => {
      const { contentType, limit, date, remaining } = read(flat);
      return [contentType, limit, date, remaining];
    }),
    [
      ['application/json', '60', 'today', null],
      ['application/json', '60', 'now', null],
      ['application/json', '60', 'today', null],
      [null, '60', 'today', null],
      [null, null, null, null],
    ],
  );
});

test('several of one name are joined, in their order', () => {
  const read = headerReader();
  const twice = ['X-RateLimit-Limit', '60', 'Date', 'today', 'x-ratelimit-limit', '1000', 'X-RATELIMIT-LIMIT', '5'];
  assert.equal(read(twice).limit, '60, 1000, 5');
  assert.equal(read(SOUND).limit, '60');
});

test('a name that objects have by themselves is no header', () => {
  assert.equal(headerReader()(['constructor', 'x', '__proto__', 'y']).limit, null);
});
