import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { petstore, petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { resultsIn } from './support/results.js';
import { reference, targetFile } from './support/targets.js';

const few = ['--requirement', 'list-ok', '--report-dir', 'run'];

test('every report shows the build label, and the reproduce command omits it', async (t) => {
  const cwd = folder(t);
  const server = await reference(t);
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  const { code, stdout } = await petstoreHere(['run', '--target', file, ...few, '--label', ' 2.4.1 '], { cwd, env });
  assert.equal(code, 0, stdout);
  assert.match(stdout.replaceAll(/\s+/g, ' '), /under-test \(build 2\.4\.1\) conforms to the selected part/);
  const results = resultsIn(join(cwd, 'run'));
  assert.equal(results.label, '2.4.1');
  assert.equal(
    results.requirements.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0),
    results.durationMs,
  );
  const read = (name: string) => readFileSync(join(cwd, 'run', name), 'utf8');
  assert.match(read('index.html'), /<dt>Build<\/dt><dd>.{0,40}2\.4\.1/);
  assert.match(read('junit.xml'), /name="label" value="2\.4\.1"/);
  assert.match(read('summary.md'), /\| Build \| 2\S*4\.1 \|/);
  assert.match(read('ctrf.json'), /"label": "2\.4\.1"/);
  // A later reproduction may run against another build.
  assert.doesNotMatch(
    read('log.ndjson')
      .split('\n')[0]
      ?.replace(/.*"command"/, '') ?? '',
    /--label/,
  );
});

test('a key in the label is never written', async (t) => {
  const cwd = folder(t);
  const server = await reference(t);
  const key = server.keys.business;
  const { file, env } = targetFile(cwd, server.baseUrl, key);
  const { stdout, stderr } = await petstore(['run', '--target', file, ...few, '--label', `build ${key}`], { cwd, env });
  assert.ok(!`${stdout}${stderr}`.includes(key));
  for (const name of readdirSync(join(cwd, 'run'), { recursive: true, encoding: 'utf8' }))
    if (/\.\w+$/.test(name)) assert.ok(!readFileSync(join(cwd, 'run', name), 'utf8').includes(key), name);
});
