import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MAIN, start, startProcess, SUITES_HERE } from './support/command.js';
import { folder } from './support/folder.js';
import { OWN_KEY, reference, targetFile } from './support/targets.js';

/** Always full; not every system has it. */
const FULL = '/dev/full';

test('a closed output pipe does not change the exit code', async (t) => {
  const nobodyListens = ['run', '--base-url', 'http://127.0.0.1:9/v1', '--key', `free=${OWN_KEY}`];
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

test('a run whose output is on a full disk goes on', { skip: !existsSync(FULL) }, async (t) => {
  const cwd = folder(t);
  const server = await reference(t);
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  const words = ['run', '--target', file, '--requirement', 'list-ok', '--report-dir', 'out'];
  const { code, stderr } = await startProcess(
    'sh',
    ['-c', `exec "$0" "$@" > ${FULL}`, process.execPath, MAIN, ...words],
    { cwd, env: { ...env, ...SUITES_HERE } },
  ).ended;
  assert.equal(code, 0);
  assert.equal(stderr, 'The output cannot be written: its disk is full.\n');
  assert.ok(existsSync(join(cwd, 'out/index.html')));
});

test('a run on a full disk ends, keeps no half report, and says how to get the rest', async (t) => {
  const cwd = folder(t);
  const server = await reference(t);
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  // Blocks of 512 bytes in sh of Debian: the log needs more than 50, and the page more than the log.
  const run = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    startProcess(
      'sh',
      ['-c', 'ulimit -f 100; exec "$0" "$@"', process.execPath, MAIN, 'run', '--target', file, ...words],
      { cwd, env: { ...env, ...more } },
    ).ended;
  let requests = 0;
  const count = (): void => void (requests += 1);
  subscribe('http.server.request.start', count);
  t.after(() => unsubscribe('http.server.request.start', count));
  const cut = await run(['--only', 'suites', '--report-dir', 'cut']);
  // About 35 fill the log. A worker for each further test would send as many again.
  assert.ok(requests < 50, `${requests} requests`);
  assert.equal(cut.code, 2, cut.stdout + cut.stderr);
  assert.match(cut.stderr, /^usage .*a file would become too large\.\nwhat to do .*Free some space/m);
  const whole = await run(['--requirement', 'list-ok', '--report-dir', 'whole'], SUITES_HERE);
  assert.equal(whole.code, 0, whole.stdout + whole.stderr);
  assert.match(whole.stderr, /^warning +whole\/index\.html.* could not be written \(/m);
  assert.match(whole.stderr, / report whole writes them again/);
  assert.ok(!existsSync(join(cwd, 'whole/index.html')));
});
