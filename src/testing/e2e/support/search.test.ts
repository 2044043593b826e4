import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { searchFor } from './search.js';

const SHORTEST = 8;
const word = (most: number) =>
  fc.string({
    unit: fc.constantFrom('a', 'b', 'A', 'B', '0', '%', '&', '#', '='),
    minLength: SHORTEST,
    maxLength: most,
  });

test('searchFor finds a text exactly where a simple search does', () => {
  fc.assert(
    fc.property(
      fc.array(word(20), { minLength: 1, maxLength: 6 }),
      fc.array(fc.oneof(word(30), fc.string({ unit: 'grapheme' })), { maxLength: 8 }),
      (texts, pieces) => {
        // Insert some of the texts between the pieces.
        const where = pieces.map((piece, nth) => (nth % 2 ? piece : piece + (texts[nth] ?? ''))).join('');
        const found = searchFor(texts, SHORTEST)(where);
        const lower = where.toLowerCase();
        assert.equal(
          found !== null,
          texts.some((text) => lower.includes(text.toLowerCase())),
        );
        if (found) assert.ok(lower.startsWith(found.text, found.at));
      },
    ),
    { numRuns: 2000 },
  );
});

test('a too short text is an error', () => {
  assert.throws(() => searchFor(['1234567'], SHORTEST), /too short/);
});
