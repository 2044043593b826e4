import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PassThrough } from 'node:stream';
import { printLabelled } from './io.js';

const TEXT = `at most       ${'a word '.repeat(20)}`.trim();

const printed = (isTTY: boolean): readonly string[] => {
  const stream = Object.assign(new PassThrough(), { isTTY });
  printLabelled(stream, ['nothing was sent', TEXT], 14);
  return String(stream.read()).trimEnd().split('\n');
};

test('a long text goes on next to its label on a terminal, and is whole in a file', () => {
  assert.deepEqual(printed(false), ['nothing was sent', TEXT]);
  const [first, ...lines] = printed(true);
  assert.equal(first, 'nothing was sent');
  assert.ok(lines.length > 1);
  for (const [at, line] of lines.entries())
    assert.match(line, at === 0 ? /^at most {7}a .{1,64}$/ : /^ {14}\S.{1,65}$/);
});
