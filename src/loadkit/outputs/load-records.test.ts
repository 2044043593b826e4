import assert from 'node:assert/strict';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { samplesFile } from './load-records.js';

/** Every write to it fails as on a full disk. */
const FULL = '/dev/full';

test('a disk that is full once a part is taken over ends only the file', { skip: !existsSync(FULL) }, (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'records-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const descriptor = openSync(join(directory, 'run.csv'), 'wx');
  const file = samplesFile('run.csv', () => descriptor);
  file.join(join(directory, 'of-a-lost-part.csv'));
  closeSync(descriptor);
  assert.equal(openSync(FULL, 'w'), descriptor, 'the lowest number that is free');
  const part = join(directory, 'requests.csv');
  writeFileSync(part, 'row\n'.repeat(1000));
  file.join(part);
  assert.deepEqual(file.close(false), [
    'run.csv is incomplete: writing failed (the disk is full). The run went on without it.',
  ]);
  assert.ok(!existsSync(part));
});
