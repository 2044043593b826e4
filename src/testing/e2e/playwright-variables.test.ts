import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { petstore } from './support/command.js';
import { folder } from './support/folder.js';
import { reference, targetFile } from './support/targets.js';

test('variables for the user’s own Playwright change neither the run nor the user’s folder', async (t) => {
  const cwd = folder(t);
  const server = await reference(t);
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  const own = join(cwd, 'own-report');
  mkdirSync(own);
  writeFileSync(join(own, 'precious.txt'), 'kept');
  const { code, stdout, stderr } = await petstore(
    ['run', '--target', file, '--requirement', 'list-ok', '--report-dir', 'run'],
    {
      cwd,
      env: {
        ...env,
        PLAYWRIGHT_HTML_OUTPUT_DIR: own,
        PLAYWRIGHT_HTML_REPORT: own,
        PW_TEST_REPORTER: join(cwd, 'no-reporter.js'),
        PWDEBUG: '1',
      },
    },
  );
  assert.equal(code, 0, stdout + stderr);
  assert.equal(readFileSync(join(own, 'precious.txt'), 'utf8'), 'kept');
  assert.ok(existsSync(join(cwd, 'run/playwright/html/index.html')), 'the link of the report leads there');
});
