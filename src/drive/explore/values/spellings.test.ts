import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../../base/kernel/any-text.test.support.js';
import { jsonText, nameShowing, spelled, SPELLINGS, statusShowing, type Members } from './spellings.js';

const membersOf = (name: string, category: number, status: string): Members => [
  ['name', jsonText(name)],
  ['categoryId', String(category)],
  ['status', jsonText(status)],
];

test('each spelling of a creation means the same to a reader of JSON', () => {
  const text = fc.oneof(anyText(), fc.constantFrom('a 😀 𝒳', 'Jẞß "x" \\ /', 'a\nb\tc\u2028', ''));
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 1_000_000 }), (name, category) => {
      for (const spelling of SPELLINGS)
        assert.deepEqual(
          JSON.parse(spelled(membersOf(name, category, 'sold'), spelling)),
          { name, categoryId: category, status: 'sold' },
          spelling,
        );
    }),
    { numRuns: 60 },
  );
});

test('the name and status of each spelling are written differently in it', () => {
  const bodies = SPELLINGS.map((spelling) => {
    const members = membersOf(nameShowing(spelling).value, 1, statusShowing(spelling) ?? 'available');
    return { spelling, body: spelled(members, spelling), plain: spelled(members, 'plain') };
  });
  assert.deepEqual(
    bodies.filter(({ body, plain }) => body === plain).map(({ spelling }) => spelling),
    ['plain'],
  );
});
