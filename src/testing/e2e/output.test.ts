import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { MAIN, start, startProcess } from './support/command.js';
import { folder } from './support/folder.js';

/** Always full; not every system has it. */
const FULL = '/dev/full';

test('a closed output pipe does not change the exit code', async (t) => {
  const nobodyListens = ['run', '--base-url', 'http://127.0.0.1:9/v1', '--key', 'free=some-key-of-a-test'];
  const { child, ended } = start(nobodyListens, { cwd: folder(t) });
  child.stdout?.destroy();
  child.stderr?.destroy();
  assert.equal((await ended).code, 3);
});

test('a full disk gives a message without stack trace', { skip: !existsSync(FULL) }, async (t) => {
  const words = ['-c', `exec "$0" "$@" > ${FULL}`, process.execPath, MAIN, 'requirements'];
  const { code, stderr } = await startProcess('sh', words, { cwd: folder(t) }).ended;
  assert.equal(code, 2);
  assert.match(stderr, /^usage .*the disk is full\.\nwhat to do .*Free some space/m);
  assert.doesNotMatch(stderr, /^ {4}at /m);
});
