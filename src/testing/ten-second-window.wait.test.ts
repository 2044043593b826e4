import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { petstore, SUITES_HERE } from './e2e/support/command.js';
import { folder } from './e2e/support/folder.js';
import { idsThat, isOpenBySlowness, resultsIn } from './e2e/support/results.js';
import { KEY_VARIABLE, reference, targetFile } from './e2e/support/targets.js';

/**
 * The longest window that the quick tests wait for; `real-window.wait.proof` waits for a real minute, with a
 * larger plan and Playwright.
 */
const WINDOW_SECONDS = 10;

test('a run with windows of ten seconds decides two plans', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, { minuteSeconds: WINDOW_SECONDS });
  const FREE_VARIABLE = `${KEY_VARIABLE}_FREE`;
  const settings = [`  free: \${${FREE_VARIABLE}}`, `windows: { minute: ${WINDOW_SECONDS} }`];
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.pro, settings, 'pro');
  const { code, stdout, stderr } = await petstore(['run', '--target', file, '--report-dir', 'run'], {
    cwd,
    env: { ...env, ...SUITES_HERE, [FREE_VARIABLE]: server.keys.free },
  });
  const results = resultsIn(join(cwd, 'run'));
  for (const outcome of ['failed', 'warned', 'error'] as const)
    assert.deepEqual(idsThat(results, outcome), [], stdout + stderr);
  const open = results.requirements.filter(({ outcome }) => outcome === 'inconclusive');
  // A busy machine may leave a row of limits open, and says so.
  for (const row of open) assert.ok(row.id.startsWith('rate-') && isOpenBySlowness(row), stdout + stderr);
  assert.equal(code, open.length > 0 ? 3 : 0, stdout + stderr);
  assert.ok(open.length > 0 || idsThat(results, 'passed').includes('rate-reset-truthful'));
  assert.match(stdout.replaceAll(/\s+/g, ' '), /10-second rate window/);
});
