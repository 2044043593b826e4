import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../contract/package-root.js';
import { folder } from './support/folder.js';
import { playwright } from './support/playwright.js';
import { reference, targetFile } from './support/targets.js';

test('the suites run from a checkout as ordinary Playwright tests, titled by their ids and tagged by part and level', async (t) => {
  const server = await reference(t);
  const { file, env } = targetFile(folder(t), server.baseUrl, server.keys.business);
  const all = await playwright(folder(t), file, env);
  assert.equal(all.code, 0, all.stdout + all.stderr);
  assert.match(all.stdout, /suites\/endpoints-listing\.spec\.ts:\d+:\d+ › list-limit-default/);
  assert.match(all.stdout, /\d+ passed/);
  assert.doesNotMatch(all.stdout, /failed/);

  const listed = await playwright(folder(t), file, env, '--list', '--grep', '@part-5');
  const suites = readdirSync(join(packageRoot(), 'suites')).filter((name) => name.endsWith('.spec.ts'));
  assert.ok(suites.includes('authentication.spec.ts'));
  assert.match(listed.stdout, /authentication\.spec\.ts:\d+:\d+ › auth-missing-key/);
  assert.doesNotMatch(listed.stdout, /list-limit-default/);
});

test('a violated requirement is a failing test there, with the statement, what was expected and what came', async (t) => {
  const server = await reference(t, { flaws: ['default-limit-twenty-five'] });
  const { file, env } = targetFile(folder(t), server.baseUrl, server.keys.business);
  const { code, stdout } = await playwright(folder(t), file, env, '--grep', 'list-limit-default|list-ok');
  assert.equal(code, 1, stdout);
  assert.match(stdout, /1 failed/);
  assert.match(stdout, /1 passed/);
  assert.match(stdout, /received +25 animals/);
  assert.ok(!stdout.includes(server.keys.business));
});

test('what every answer has to keep fails the suites there as well, though no test states it', async (t) => {
  const server = await reference(t, { flaws: ['listed-name-null'] });
  const { file, env } = targetFile(folder(t), server.baseUrl, server.keys.business);
  const { code, stdout } = await playwright(folder(t), file, env, '--grep', 'list-ok');
  assert.equal(code, 1, stdout);
  assert.match(stdout, /pet-shape: /);
});
