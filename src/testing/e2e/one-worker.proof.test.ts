import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { petstore } from './support/command.js';
import { folder } from './support/folder.js';
import { unpacked } from './support/playwright-report.js';
import { idsThat, resultsIn } from './support/results.js';
import { answering } from './support/servers.js';
import { targetFile } from './support/targets.js';

/** Returns the workers of a run from Playwright's report; each costs half a second and the run's memory. */
const workersIn = (directory: string): ReadonlySet<string> => {
  const pages = unpacked(readFileSync(join(directory, 'playwright/html/index.html'), 'utf8'));
  return new Set(
    pages.flatMap((page) => [...page.matchAll(/"workerIndex":(\d+)/g)].map(([, index]) => index ?? '')),
  );
};

test('a run with many failures needs only one Playwright worker', async (t) => {
  const cwd = folder(t);
  const baseUrl = await answering(t, (_request, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"oops":true}'),
  );
  const { file, env } = targetFile(cwd, baseUrl, 'pk-some-key-of-a-test');
  const { code, stderr } = await petstore(
    ['run', '--target', file, '--only', 'suites', '--report-dir', 'run'],
    {
      cwd,
      env,
    },
  );
  assert.equal(code, 1, stderr);
  const results = resultsIn(join(cwd, 'run'));
  assert.ok(idsThat(results, 'failed').length > idsThat(results, 'passed').length, 'most of it fails');
  assert.deepEqual(idsThat(results, 'error'), []);
  assert.deepEqual([...workersIn(join(cwd, 'run'))], ['0']);
});
