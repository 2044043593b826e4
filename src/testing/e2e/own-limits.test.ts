import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { httpFront } from '../http-front.js';
import { MAIN, startProcess } from './support/command.js';
import { folder } from './support/folder.js';
import { resultsIn } from './support/results.js';
import { closedPort } from './support/servers.js';
import { reference, targetFile } from './support/targets.js';

/** The package's command: its first file. */
const START = join(dirname(MAIN), 'start.cjs');

/** Runs the command in a process that may open only so many files. */
const withFiles = (
  files: number,
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
) =>
  startProcess('sh', ['-c', `ulimit -n ${files}; exec "$0" "$@"`, process.execPath, START, ...words], {
    cwd,
    env,
  }).ended;

test('used-up file descriptors are the generator’s limit, and no error of the server', async (t) => {
  const cwd = folder(t);
  const server = await reference(t);
  const front = await httpFront(server.baseUrl, { delayMs: 300 });
  t.after(() => front.close());
  const { file, env } = targetFile(cwd, front.baseUrl, server.keys.business);
  const phases = 'phases: [{ name: flood, duration: 5s, connections: 300 }]';
  const operations = 'operations: [{ operation: listPets, weight: 1 }]';
  writeFileSync(
    join(cwd, 's.yaml'),
    `name: many\n${phases}\n${operations}\nkeys: [business]\nthresholds: [errors < 1%]\n`,
  );
  const words = ['load', '--target', file, '--scenario', 's.yaml', '--report-dir', 'out'];
  const { code, stdout, stderr } = await withFiles(130, words, cwd, env);
  assert.equal(code, 3, stdout + stderr);
  const text = stdout.replaceAll(/\s+/g, ' ');
  assert.match(text, /requests not sent, because this machine has no file descriptor left for a connection/);
  assert.match(text, /Raise `ulimit -n`/);
  const { capacity } = resultsIn(join(cwd, 'out'));
  assert.deepEqual(new Set(capacity?.thresholds.map(({ outcome }) => outcome)), new Set(['inconclusive']));
  const [flood] = capacity?.phases ?? [];
  assert.deepEqual([flood?.errors, flood?.exhausted?.map(({ cause }) => cause)], [0, ['EMFILE']]);
  assert.equal(flood?.sent, front.requests() - 1, 'only what was sent is counted');
});

for (const files of [24, 40, 70])
  test(`a process that may open ${files} files ends with a sentence, never with 1`, async (t) => {
    const words = ['run', '--base-url', await closedPort(), '--key', 'free=${KEY_OF_TEST}'];
    const { code, stdout, stderr } = await withFiles(files, words, folder(t), {
      KEY_OF_TEST: 'some-key-of-a-test',
    });
    assert.ok(code === 2 || code === 3, `${code}: ${stdout}${stderr}`);
    assert.doesNotMatch(stdout + stderr, /^\s+at |kit fault/m);
    if (code === 2) assert.match(stderr, /Raise `ulimit -n`/);
  });
