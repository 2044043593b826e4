import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerReader } from './rate-check.js';

const SOUND = ['Content-Type', 'application/json', 'X-RateLimit-Limit', '60', 'Date', 'today'];

test('header names are case-insensitive, and earlier responses do not affect later ones', () => {
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

test('repeated headers are joined in order', () => {
  const read = headerReader();
  const twice = ['X-RateLimit-Limit', '60', 'Date', 'today', 'x-ratelimit-limit', '1000', 'X-RATELIMIT-LIMIT', '5'];
  assert.equal(read(twice).limit, '60, 1000, 5');
  assert.equal(read(SOUND).limit, '60');
});

test('names of object members such as "constructor" are not headers', () => {
  assert.equal(headerReader()(['constructor', 'x', '__proto__', 'y']).limit, null);
});
