import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causeCounts } from './causes.js';

test('causes that differ only in numbers or in quotations count as one, under the first', () => {
  const counts = causeCounts();
  for (let size = 3_000_001; size < 3_000_100; size += 1)
    counts.add(`the body has ${size.toLocaleString('en')} bytes; http.maxBodyBytes allows 1,048,576`);
  for (const text of ['HTTQ/1', 'NOPE']) counts.add(`it begins with "${text}", not with a status line`);
  counts.add('read ECONNRESET');
  counts.add('read ECONNRESET');
  const all = [
    {
      cause: 'the body has 3,000,001 bytes; http.maxBodyBytes allows 1,048,576 (and others like it)',
      count: 99,
    },
    { cause: 'it begins with "HTTQ/1", not with a status line (and others like it)', count: 2 },
    { cause: 'read ECONNRESET', count: 2 },
  ];
  assert.deepEqual(counts.all(), all);
  // Parts of a run are counted again.
  const whole = causeCounts();
  for (const { cause, count } of [...all, ...counts.all()]) whole.add(cause, count);
  assert.deepEqual(
    whole.all(),
    all.map(({ cause, count }) => ({ cause, count: 2 * count })),
  );
});

test('beyond ten kinds the rest are other causes', () => {
  const counts = causeCounts();
  for (const letter of 'abcdefghijklmn') counts.add(`cause ${letter}`);
  assert.equal(counts.all().length, 11);
  assert.deepEqual(counts.all().at(-1), { cause: 'other causes', count: 4 });
});
