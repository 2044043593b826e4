import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';

/** What a run with a key file writes is judged in canary.test.ts. */

test('a key file that others can read is named, until it is protected', async (t) => {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'business'), 'some-key-of-a-test\n');
  chmodSync(join(cwd, 'business'), 0o644);
  const words = [
    'run',
    '--base-url',
    'http://127.0.0.1:9/v1',
    '--key',
    'business=file:business',
    '--dry-run',
  ];
  const open = await petstoreHere(words, { cwd });
  assert.equal(open.code, 0, open.stderr);
  assert.match(
    open.stderr,
    /^warning +the file of --key business is readable by every user of this machine/m,
  );
  chmodSync(join(cwd, 'business'), 0o600);
  const again = await petstoreHere(words, { cwd });
  assert.equal(again.stderr, '', 'nothing is doubtful any more');
});

test('a pipe as key file ends the command immediately', async (t) => {
  const cwd = folder(t);
  spawnSync('mkfifo', [join(cwd, 'pipe')]);
  const words = ['run', '--base-url', 'http://127.0.0.1:9/v1', '--key', 'free=file:pipe'];
  const { code, stderr } = await petstoreHere(words, { cwd });
  assert.equal(code, 2);
  assert.match(stderr, /^configuration +The file of --key free is a pipe/);
});
