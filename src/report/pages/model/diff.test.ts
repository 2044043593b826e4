import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../../base/kernel/any-text.test.support.js';
import { diff, type DiffPiece } from './diff.js';

const marked = (pieces: readonly DiffPiece[]): string =>
  pieces.map(({ text, differs }) => (differs ? `<${text}>` : text)).join('');

const text = (side: readonly DiffPiece[]): string => side.map((piece) => piece.text).join('');

const CASES: readonly (readonly [string, string, string, string])[] = [
  ['at most 20 animals', 'at most 25 animals', 'at most <20> animals', 'at most <25> animals'],
  [
    'status is 400 for each',
    'status is 422 for each',
    'status is <400> for each',
    'status is <422> for each',
  ],
  ['the same', 'the same', 'the same', 'the same'],
  ['an array', '{"pets": []}', '<an array>', '<{"pets": []}>'],
  [
    'one two three four',
    'one three four',
    'one<two >three four'.replace('one<two >', 'one <two> '),
    'one three four',
  ],
  ['', 'something', '', '<something>'],
];

test('only differences are marked; very different texts are marked completely', () => {
  for (const [expected, actual, left, right] of CASES) {
    const pieces = diff(expected, actual);
    assert.deepEqual([marked(pieces.expected), marked(pieces.actual)], [left, right]);
  }
});

test('the pieces contain every character of both texts', () => {
  fc.assert(
    fc.property(fc.lorem(), fc.oneof(fc.lorem(), anyText()), (expected, actual) => {
      const pieces = diff(expected, actual);
      assert.deepEqual([text(pieces.expected), text(pieces.actual)], [expected, actual]);
    }),
  );
});

test('equal texts have no marks, and long texts take little time', () => {
  fc.assert(
    fc.property(fc.lorem(), (text) => assert.ok(diff(text, text).expected.every(({ differs }) => !differs))),
  );
  const long = 'word '.repeat(100_000);
  assert.ok(diff(long, `${long}!`).actual.every(({ differs }) => differs));
});
