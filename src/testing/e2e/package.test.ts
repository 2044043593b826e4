import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../contract/package-root.js';
import { EXIT_CODES } from '../../verdict/verdict.js';
import { startProcess } from './support/command.js';
import { filesIn, folder } from './support/folder.js';
import { resultsIn } from './support/results.js';
import { reference, targetFile } from './support/targets.js';

/** What is installed, never what a registry may have under the name. */
const npx = (...words: readonly string[]) => ['--no-install', 'petstore-conformance', ...words];

/** The package as others get it: packed, installed in an empty folder elsewhere, run there. */

test('the packed package installs elsewhere, judges there and writes its reports there', async (t) => {
  const cwd = folder(t);
  // What `prepare` would build is what these tests run on: it stands already, and must not change under them.
  const packed = await startProcess('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', cwd], {
    cwd: packageRoot(),
  }).ended;
  assert.equal(packed.code, 0, packed.stderr);
  const [tarball] = readdirSync(cwd);
  assert.match(tarball ?? '', /^petstore-conformance-\d+\.\d+\.\d+\.tgz$/);
  const { files } = (JSON.parse(packed.stdout) as { files: { path: string }[] }[])[0] ?? { files: [] };
  const paths = files.map(({ path }) => path);
  assert.ok(paths.includes('LICENSE') && paths.includes('README.md') && paths.includes('CHANGELOG.md'));
  assert.ok(paths.some((path) => path.startsWith('config/')) && paths.some((path) => path.startsWith('dist/suites/')));
  assert.deepEqual(
    paths.filter((path) => /\.test\.|src\/testing|simulated|^suites|^src|^reports|^\.|\.map$/.test(path)),
    [],
    'nothing of the tests, the sources and the runs',
  );

  writeFileSync(join(cwd, 'package.json'), '{ "private": true }');
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`];
  const installed = await startProcess('npm', install, { cwd }).ended;
  assert.equal(installed.code, 0, installed.stderr);
  assert.ok(statSync(join(cwd, 'node_modules/.bin/petstore-conformance')).mode & 0o100, 'it can be executed');

  const before = filesIn(join(cwd, 'node_modules/petstore-conformance')).map(({ name }) => name);
  const embedded = await startProcess('npx', npx('run', '--only', 'suites'), { cwd }).ended;
  assert.equal(embedded.code, 0, embedded.stdout + embedded.stderr);
  const [run] = readdirSync(join(cwd, 'reports')).filter((name) => name.endsWith('-embedded'));
  assert.ok(run !== undefined && existsSync(join(cwd, 'reports', run, 'index.html')));
  assert.ok(existsSync(join(cwd, 'reports', run, 'playwright/html/index.html')));
  const after = filesIn(join(cwd, 'node_modules/petstore-conformance')).map(({ name }) => name);
  assert.deepEqual(after, before, 'nothing is written into the package');

  // Whoever stays on one machine installs nothing for several.
  assert.ok(!existsSync(join(cwd, 'node_modules/ioredis')) && !existsSync(join(cwd, 'node_modules/bullmq')));
  const agent = await startProcess('npx', npx('agent', '--redis', 'redis://127.0.0.1:6379'), { cwd }).ended;
  assert.equal(agent.code, EXIT_CODES.error);
  assert.match(agent.stderr, /needs the packages bullmq and ioredis[\s\S]*npm install bullmq ioredis/);

  const server = await reference(t, { flaws: ['default-limit-twenty-five'] });
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  const judged = await startProcess('npx', npx('run', '--target', file, '--only', 'suites', '--report-dir', 'here'), {
    cwd,
    env,
  }).ended;
  const results = resultsIn(join(cwd, 'here'));
  assert.equal(results.verdict, 'non-conformant');
  assert.equal(judged.code, EXIT_CODES[results.verdict], judged.stderr);
});
