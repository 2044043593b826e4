import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProcess } from './support/command.js';
import { packageRoot } from '../../base/kernel/package.js';

test('the Express, Fastify and Hono examples pass their tests', async () => {
  const files = ['express', 'fastify', 'hono'].map((name) => `examples/${name}/server.test.js`);
  const ended = await startProcess(process.execPath, ['--test', ...files], { cwd: packageRoot() }).ended;
  assert.equal(ended.code, 0, ended.stdout + ended.stderr);
  for (const name of ['Express', 'Fastify', 'Hono'])
    assert.match(ended.stdout, new RegExp(`\\bok \\d.* on ${name} is the one|✔ .* on ${name} is the one`));
});
