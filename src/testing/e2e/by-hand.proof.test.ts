import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadLedger } from '../../base/interface/ledger.js';
import { launchChromium } from '../../report/pages/browser/chromium.test.support.js';
import { folder } from './support/folder.js';
import { playwright, startPlaywright, testResults } from './support/playwright.js';
import { reference, targetFile } from './support/targets.js';
import { LONGEST_WAIT_MS } from './support/until.js';
import { packageRoot } from '../../base/kernel/package.js';

test('Playwright runs the suites and every passive requirement from a checkout, with ids as titles and tags', async (t) => {
  const all = await playwright(folder(t), undefined, {});
  assert.equal(all.code, 0, all.stdout + all.stderr);
  assert.match(all.stdout, /PETSTORE_TARGET is not set, so the run judges the embedded server/);
  assert.match(all.stdout, /suites\/endpoints-listing-bounds\.spec\.ts:\d+:\d+ › list-limit-default/);
  assert.match(all.stdout, /\d+ passed/);
  assert.doesNotMatch(all.stdout, /failed/);
  const passive = loadLedger().requirements.filter(({ judgedBy }) => judgedBy.kind === 'passive');
  for (const { id } of passive)
    assert.match(all.stdout, new RegExp(`suites/with-every-answer\\.spec\\.ts:.* › ${id}( |$)`, 'm'));

  const suites = readdirSync(join(packageRoot(), 'suites')).filter((name) => name.endsWith('.spec.ts'));
  assert.ok(suites.includes('authentication.spec.ts'));
  assert.match(all.stdout, /authentication\.spec\.ts:\d+:\d+ › auth-missing-key @part-5 @must/);
});

test('a passive requirement fails in its own Playwright test, despite worker restarts', async (t) => {
  const server = await reference(t, { flaws: ['listed-name-null', 'default-limit-twenty-five'] });
  const { file, env } = targetFile(folder(t), server.baseUrl, server.keys.business);
  const few = ['--grep', 'list-ok|list-limit-default|pet-shape'];
  const { code, stdout } = await playwright(folder(t), file, env, '--reporter', 'json', ...few);
  assert.equal(code, 1);
  const failed = testResults(stdout).filter(({ errors }) => errors.length > 0);
  const ids = failed.map(({ title }) => title);
  assert.ok(ids.includes('list-limit-default') && ids.includes('pet-shape'), ids.join(', '));
  const shape = failed.find(({ title }) => title === 'pet-shape')?.errors[0];
  assert.match(shape?.message ?? '', /expected +a string\n.*received +null/s);
  assert.ok(shape?.location?.file.endsWith('suites/with-every-answer.spec.ts'));
});

test('Playwright can run a single passive test by line, with its own requests', async (t) => {
  const server = await reference(t, { flaws: ['errors-as-problem-json'] });
  const { file, env } = targetFile(folder(t), server.baseUrl, server.keys.business);
  const suite = 'suites/with-every-answer.spec.ts';
  const lines = readFileSync(join(packageRoot(), suite), 'utf8').split('\n');
  const at = lines.findIndex((line) => line.includes("everyAnswer('json-media-type'")) + 1;
  const { code, stdout } = await playwright(folder(t), file, env, `${suite}:${at}`);
  assert.equal(code, 1, stdout);
  assert.match(stdout, /1 failed/);
  assert.match(stdout, /application\/problem\+json/);
});

test('Playwright UI mode can run a single test', async (t) => {
  const words = ['--ui-host=127.0.0.1', '--ui-port=0'];
  const running = startPlaywright(folder(t), undefined, {}, ...words);
  t.after(() => running.child.kill('SIGKILL'));
  const address = (await running.shows(/Listening on (\S+)/))[1] ?? '';
  const browser = await launchChromium();
  t.after(() => browser.close());
  const page = await browser.newPage();
  // UI mode lists all suites and starts a worker: tens of seconds next to other proofs.
  page.setDefaultTimeout(LONGEST_WAIT_MS);
  await page.goto(address);
  await page.getByLabel('Filter (e.g. text, @tag)').fill('list-limit-default');
  // The tree shows tests of closed files only where the filter holds: it runs what is shown.
  await page.getByText('list-limit-default').first().waitFor();
  await page.getByTitle(/^Run all/).click();
  await page.getByText(/1\/1.*1 passed/).waitFor();
});

test('a Playwright failure shows its line, expected, received, exchange and curl line', async (t) => {
  const server = await reference(t, { flaws: ['default-limit-twenty-five'] });
  const { file, env } = targetFile(folder(t), server.baseUrl, server.keys.business);
  const words = ['--grep', 'list-limit-default|list-ok', '--reporter', 'json'];
  const { code, stdout } = await playwright(folder(t), file, env, ...words);
  assert.equal(code, 1, stdout);
  const told = testResults(stdout);
  assert.deepEqual(
    told.map(({ title, errors }) => [title, errors.length]),
    [
      ['list-ok', 0],
      ['list-limit-default', 1],
    ],
  );
  const { errors = [], attachments = [] } = told[1] ?? {};
  const { message = '', location = { file: '', line: 0 } } = errors[0] ?? {};
  assert.match(message, /expected +at most 20 animals\n.*received +25 animals/s);
  assert.ok(location.file.endsWith('suites/endpoints-listing-bounds.spec.ts'));
  const line = readFileSync(location.file, 'utf8').split('\n')[location.line - 1];
  assert.match(line ?? '', /judge\(/);
  const [exchange, curl] = attachments.map(({ body = '' }) => Buffer.from(body, 'base64').toString());
  assert.match(exchange ?? '', /^GET \/v1\/pets HTTP\/1\.1\n[^]*Bearer \$PETSTORE_KEY[^]*HTTP\/1\.1 200/);
  assert.match(curl ?? '', /^curl .*Bearer \$CANARY_KEY/);
  for (const { body = '' } of attachments)
    assert.ok(!Buffer.from(body, 'base64').toString().includes(server.keys.business));
  assert.ok(!stdout.includes(server.keys.business));
});
