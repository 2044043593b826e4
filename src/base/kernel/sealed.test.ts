import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { KEY_BYTES, sealed, unsealed } from './sealed.js';

const key = randomBytes(KEY_BYTES);

test('a sealed text opens with its key at its place', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.string(),
      (text, place) => unsealed(sealed(text, key, place), key, place) === text,
    ),
  );
});

test('a sealed text opens with no other key and at no other place', () => {
  const line = sealed('text', key, 'here');
  assert.equal(unsealed(line, randomBytes(KEY_BYTES), 'here'), null);
  assert.equal(unsealed(line, key, 'there'), null);
});

test('a cut or changed text does not open', () => {
  const bytes = Buffer.from(sealed('text', key, 'here'), 'base64');
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ change;
      const texts = [bytes.subarray(0, at), changed].map((each) => each.toString('base64'));
      assert.deepEqual(
        texts.map((each) => unsealed(each, key, 'here')),
        [null, null],
      );
    }),
  );
});
