import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MAIN, petstoreHere, startProcess } from './support/command.js';
import { filesIn, folder, openToOthers } from './support/folder.js';
import { reference } from './support/targets.js';

const CANARY = 'cnry_Q7xWv2LzP9kR4mT8bN3sD6fG1hJ5yU0eA';

/** Starts the command with a umask that lets everybody read and write new files. */
const openly = (cwd: string, ...words: readonly string[]) =>
  startProcess('sh', ['-c', 'umask 000; exec "$0" "$@"', process.execPath, MAIN, ...words], { cwd }).ended;

test('a run with a key file writes no key and protects its reports', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, { keys: { business: CANARY } });
  const keys = folder(t);
  writeFileSync(join(keys, 'business'), `${CANARY}\n`);
  writeFileSync(
    join(cwd, 'target.yaml'),
    `name: t\nbaseUrl: ${server.baseUrl}\nkeys:\n  business: file:${join(keys, 'business')}\n`,
  );
  const run = ['run', '--target', 'target.yaml', '--only', 'suites', '--requirement', 'list-*'];
  const ended = await openly(cwd, ...run);
  assert.equal(ended.code, 0, ended.stdout + ended.stderr);
  assert.match(
    ended.stderr,
    /^warning +the file of "keys\.business" is readable by every user of this machine/m,
  );
  const [log] = filesIn(join(cwd, 'reports')).filter(({ name }) => name.endsWith('log.ndjson'));
  const directory = `reports/${log?.name.split('/')[0]}`;
  for (const words of [
    ['report', directory],
    ['compare', directory, directory, '--out', 'reports/changes'],
    ['history', 'reports'],
  ])
    assert.equal((await openly(cwd, ...words)).code, 0, words.join(' '));
  assert.ok(filesIn(join(cwd, 'reports')).length > 12, 'reports, comparison and history');
  assert.deepEqual(openToOthers(join(cwd, 'reports')), []);
  for (const { name, bytes } of filesIn(join(cwd, 'reports')))
    assert.ok(!bytes.includes(CANARY.slice(4, 12)), name);

  chmodSync(join(keys, 'business'), 0o600);
  const again = await petstoreHere([...run, '--dry-run'], { cwd });
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
