import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { UsageError } from '../../base/kernel/errors.js';
import { checkNotAlteredByGit } from './altered-by-git.js';

const LOG = '{"type":"header"}\n{"type":"footer"}\n';

test('the advice on changed line ends restores the log, and keeps what else was changed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'checked-out-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
      cwd: folder,
      encoding: 'utf8',
    });
  const log = join(folder, 'log.ndjson');
  const notes = join(folder, 'notes.md');
  git('init', '--quiet');
  writeFileSync(log, LOG);
  writeFileSync(notes, 'old');
  git('add', '.');
  git('commit', '--quiet', '--message', 'a');
  git('config', 'core.autocrlf', 'true');
  rmSync(log);
  git('checkout', '--', log);
  writeFileSync(notes, 'new');
  const checked = checkNotAlteredByGit(log, [createHash('sha256').update(LOG).digest('hex')]);
  const error = await checked.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof UsageError);
  const [, line = '', command = ''] = /the line "(.+)" to .*then: git (.+)$/.exec(error.hint ?? '') ?? [];
  writeFileSync(join(folder, '.gitattributes'), `${line}\n`);
  rmSync(log);
  git(...command.split(' '));
  assert.equal(readFileSync(log, 'utf8'), LOG);
  assert.equal(readFileSync(notes, 'utf8'), 'new');
});
