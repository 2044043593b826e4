import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { folder } from './support/folder.js';
import { playwright, testResults } from './support/playwright.js';
import { reference, targetFile } from './support/targets.js';

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
