import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { passingRun } from './support/passing-run.js';

test('variables for the user’s own Playwright change neither the run nor the user’s folder', async () => {
  const { cwd, directory, code, stdout, stderr } = await passingRun();
  assert.equal(code, 0, stdout + stderr);
  assert.deepEqual(readdirSync(join(cwd, 'own-report')), ['precious.txt']);
  assert.equal(readFileSync(join(cwd, 'own-report/precious.txt'), 'utf8'), 'kept');
  assert.ok(existsSync(join(directory, 'playwright/html/index.html')), 'the link of the report leads there');
});
