import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { secret } from '../wire/targets/secret.js';
import { lockKeys } from './key-lock.js';
import { UsageError } from '../base/kernel/errors.js';

const TARGET = { baseUrl: 'http://127.0.0.1:1/v1', keys: { free: secret('pk-some-key-of-a-test') } };

describe('the lock of a key', () => {
  let folder: string;
  const usual = process.env['TMPDIR'];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'petstore-lock-'));
    process.env['TMPDIR'] = folder;
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
  });

  const lockFile = (): string => join(folder, readdirSync(folder)[0] ?? '');

  test('a held lock names its process and file', () => {
    const held = lockKeys(TARGET);
    assert.throws(
      () => lockKeys(TARGET),
      (error) =>
        error instanceof UsageError &&
        error.message.includes(`process ${process.pid}`) &&
        error.hint.includes(lockFile()),
    );
    held[Symbol.dispose]();
    assert.deepEqual(readdirSync(folder), []);
  });

  test('a lock left by an ended process or with invalid content is replaced', () => {
    lockKeys(TARGET);
    const file = lockFile();
    // Only Linux shows when a process started.
    const recycled = readFileSync(file, 'utf8').includes(' ') ? [`${process.pid} another-boot/12345`] : [];
    for (const left of [...recycled, '999999999', '999999999 boot/1', '', 'nonsense', '-1', '\0'.repeat(100)]) {
      writeFileSync(file, left);
      lockKeys(TARGET)[Symbol.dispose]();
      assert.deepEqual(readdirSync(folder), [], left);
      writeFileSync(file, '');
    }
  });
});
