import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readLog } from '../../log/read.js';
import { exampleResults } from '../../report/example-run.test.support.js';
import { resultsJson } from '../../report/machine/results-json.js';
import { readHistory } from '../acceptance/read-history.js';
import { readResults } from './read-results.js';
import { RunFileError } from '../../base/kernel/errors.js';

const folder = mkdtempSync(join(tmpdir(), 'results-'));
after(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

mkdirSync(at('folder'));
spawnSync('mkfifo', [at('pipe')]);
symlinkSync('circle', at('circle'));
symlinkSync('/dev/zero', at('endless'));
writeFileSync(at('file'), '');

/** Paths that are no readable file, with their messages. */
const NO_FILES = {
  folder: /it is a folder/,
  pipe: /a pipe, a socket or a device/,
  circle: /its links form a loop/,
  endless: /a pipe, a socket or a device/,
  'file/below': /a part of its path is not a folder/,
  nowhere: /the file does not exist/,
  ['x'.repeat(300)]: /its name is too long/,
};

for (const [name, says] of Object.entries(NO_FILES))
  test(`${name.slice(0, 20)} is reported as unreadable, both as results and as log`, async () => {
    assert.throws(
      () => readResults(at(name)),
      (error) =>
        error instanceof RunFileError && error.code === 'results-unreadable' && says.test(error.message),
    );
    await assert.rejects(
      readLog(at(name)),
      (error) => error instanceof RunFileError && error.code === 'log-unreadable' && says.test(error.message),
    );
  });

test('a results file that is too large is not read', () => {
  writeFileSync(at('large'), '');
  truncateSync(at('large'), 600e6);
  assert.throws(() => readResults(at('large')), /it is too large/);
});

test('a history skips an unreadable run and lists it as damaged', async () => {
  const runs = at('runs');
  for (const name of ['pipe', 'whole']) mkdirSync(join(runs, name), { recursive: true });
  spawnSync('mkfifo', [join(runs, 'pipe', 'results.json')]);
  writeFileSync(join(runs, 'whole', 'results.json'), resultsJson(exampleResults()));
  const history = await readHistory(runs);
  assert.deepEqual([history.runs.length, history.damaged.map((run) => run.folder)], [1, ['pipe']]);
});
