import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FILES } from '../log/files.js';
import { makeReportDir } from './report-dir.js';
import { UsageError } from '../contract/errors.js';

const NOW = new Date(0);

test('a folder with symbolic links or a Playwright folder is rejected', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-dir-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const precious = join(folder, 'precious');
  writeFileSync(precious, 'mine');
  for (const [at, name] of Object.values(FILES).entries()) {
    const directory = join(folder, String(at));
    mkdirSync(directory);
    symlinkSync(precious, join(directory, name));
    assert.throws(
      () => makeReportDir(directory, 'any', NOW),
      (error) => error instanceof UsageError && error.code === 'report-dir' && error.message.includes(directory),
      name,
    );
  }
  mkdirSync(join(folder, 'own', FILES.playwright), { recursive: true });
  assert.throws(() => makeReportDir(join(folder, 'own'), 'any', NOW), /would empty it/);
  assert.equal(readFileSync(precious, 'utf8'), 'mine');
});

test('a folder with other files is accepted', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-dir-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  writeFileSync(join(folder, FILES.results), '{}');
  symlinkSync(join(folder, 'notes.txt'), join(folder, 'link'));
  assert.equal(makeReportDir(folder, 'any', NOW), folder);
});
