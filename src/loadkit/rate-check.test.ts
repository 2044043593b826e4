import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHeaders } from './rate-check.js';
import { RATE_FIELDS, RATE_HEADERS } from '../base/interface/rate-headers.js';

const SOUND = ['Content-Type', 'application/json', RATE_HEADERS.limit, '60', 'Date', 'today'];

test('header names are case-insensitive, in any order', () => {
  assert.deepEqual(
    [SOUND, ['date', 'now', ...SOUND.slice(0, 4)], SOUND, SOUND.slice(2), []].map((flat) => {
      const { contentType, limit, date, remaining } = readHeaders(flat);
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
  const twice = [
    RATE_HEADERS.limit,
    '60',
    'Date',
    'today',
    RATE_FIELDS.limit,
    '1000',
    RATE_HEADERS.limit.toUpperCase(),
    '5',
  ];
  assert.equal(readHeaders(twice).limit, '60, 1000, 5');
  assert.equal(readHeaders(SOUND).limit, '60');
});

test('names of object members such as "constructor" are not headers', () => {
  assert.equal(readHeaders(['constructor', 'x', '__proto__', 'y']).limit, null);
});
