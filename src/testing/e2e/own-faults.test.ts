import assert from 'node:assert/strict';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { petstore, petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { reference, targetFile } from './support/targets.js';

test('a job summary that cannot be written is a warning after the verdict', async (t) => {
  const cwd = folder(t);
  const server = await reference(t);
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  const run = ['run', '--target', file, '--requirement', 'list-ok', '--report-dir', 'run'];
  // The runner's path, handed into a container that does not have it.
  const summary = { GITHUB_STEP_SUMMARY: '/home/runner/work/_temp/_runner_file_commands/step_summary_1' };
  const { code, stdout, stderr } = await petstoreHere(run, { cwd, env: { ...env, ...summary } });
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /CONFORMANT/);
  assert.match(stderr, /^warning +The job summary in GITHUB_STEP_SUMMARY could not be written \(.*\)\.$/m);
});

test('a folder for temporary files that is missing or read-only is named, with what to do', async (t) => {
  const cwd = folder(t);
  const server = await reference(t);
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  const readOnly = join(cwd, 'read-only');
  mkdirSync(readOnly);
  chmodSync(readOnly, 0o500);
  // A superuser may write anywhere, except into what the system itself holds.
  for (const place of [join(cwd, 'missing'), process.getuid?.() === 0 ? '/proc' : readOnly]) {
    const run = ['run', '--target', file, '--requirement', 'list-ok'];
    const { code, stdout, stderr } = await petstore(run, { cwd, env: { ...env, TMPDIR: place } });
    assert.equal(code, 2, stdout + stderr);
    assert.match(stderr, /^usage +No file can be written into .*, the folder for temporary files \(.+\)\.$/m);
    assert.match(stderr, /^what to do +Set TMPDIR to a folder that exists and is writable\.$/m);
    assert.doesNotMatch(stderr, /kit fault/);
  }
});

test('under Plug’n’Play the suites are refused before anything is sent, with what to do', async (t) => {
  const cwd = folder(t);
  const server = await reference(t);
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  const claim = "data:text/javascript,Object.defineProperty(process.versions,'pnp',{value:'3'})";
  const before = server.requests();
  const { code, stderr } = await petstore(['run', '--target', file, '--requirement', 'list-ok'], {
    cwd,
    env: { ...env, NODE_OPTIONS: `--import=${claim}` },
  });
  assert.equal(code, 2, stderr);
  assert.match(stderr, /^usage +The suites cannot run under Yarn’s Plug’n’Play/m);
  assert.match(stderr, /^code +plug-and-play$/m);
  assert.equal(server.requests(), before);
});
