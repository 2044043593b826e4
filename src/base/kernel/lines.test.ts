import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from './any-text.test.support.js';
import { linesOf } from './lines.js';

/** Returns the lines of bytes that come in pieces of some size. */
async function linesIn(bytes: Buffer, size: number): Promise<readonly string[]> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  return Readable.from(linesOf(Readable.from(pieces))).toArray();
}

test('only a line feed ends a line, whatever the pieces', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(anyText(), fc.constantFrom('\u2028', '\u2029', 'a\u2028b', '\u0085\v\f', '\r', ''))),
      fc.integer({ min: 2, max: 9 }),
      async (given, size) => {
        // The first line has no NUL or mark, by which a file's encoding is known.
        const lines = ['first', ...given.map((line) => line.replaceAll(/[\n\r]|\p{Surrogate}/gu, '.'))];
        const read = await linesIn(Buffer.from(lines.map((line) => `${line}\n`).join('')), size);
        assert.deepEqual(read, lines);
      },
    ),
  ));

test('a carriage return before a line feed belongs to the end, and the last line needs none', async () => {
  assert.deepEqual(await linesIn(Buffer.from('one\r\n\r\ntwo\rthree'), 5), ['one', '', 'two\rthree']);
});

for (const [name, bytes] of [
  ['UTF-8 with a byte order mark', Buffer.from('\uFEFFä\nb\n')],
  ['UTF-16', Buffer.from('\uFEFFä\nb\n', 'utf16le')],
  ['UTF-16 of the other byte order', Buffer.from('\uFEFFä\nb\n', 'utf16le').swap16()],
  ['UTF-16 without a mark', Buffer.from('ä\nb\n', 'utf16le')],
] as const)
  test(`${name} is read`, async () => {
    assert.deepEqual(await linesIn(bytes, 3), ['ä', 'b']);
  });

test('a line that is too long is an error', async () => {
  const lines = linesOf(Readable.from([Buffer.from('12345'), Buffer.from('6789')]), {
    characters: 8,
    error: () => new Error('long'),
  });
  await assert.rejects(Readable.from(lines).toArray(), /long/);
});
