import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, closed, has, integer, mixed, nothing, oneOf, optional, someText } from './shape.js';
import { growing, tolerant } from './tolerant.js';

const SHAPE = closed({
  name: someText,
  kind: growing(oneOf(['old'])),
  level: oneOf(['must']),
  parts: array(closed({ size: mixed(integer(1), nothing) }), { minItems: 1 }),
  note: optional(someText),
});
const fits = has(SHAPE);
const isReadable = has(tolerant(SHAPE));
const file = { name: 'a', kind: 'old', level: 'must', parts: [{ size: 1 }] };

test('files of other versions are read with further members, new words and other bounds', () => {
  assert.ok(fits(file) && isReadable(file));
  for (const change of [
    { more: 1 },
    { kind: 'new' },
    { name: '' },
    { parts: [] },
    { parts: [{ size: 0, more: 1 }] },
  ])
    assert.deepEqual([fits({ ...file, ...change }), isReadable({ ...file, ...change })], [false, true]);
});

test('files without a member or with another type are not read, nor with a word that has to be known', () => {
  for (const change of [
    { name: undefined },
    { note: 1 },
    { kind: 1 },
    { level: 'may' },
    { parts: [{}] },
    { parts: [1] },
  ])
    assert.ok(!isReadable(JSON.parse(JSON.stringify({ ...file, ...change }))), JSON.stringify(change));
});
