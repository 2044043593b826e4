import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { familyOf } from '../base/interface/families.js';
import { petstore } from './e2e/support/command.js';
import { folder } from './e2e/support/folder.js';
import { isOpenBySlowness, resultsIn } from './e2e/support/results.js';
import { reference } from './e2e/support/targets.js';

/** A real minute, because requests before the burst are a large share of this small limit. */
test('one request above the limit is detected with only a Free key', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, { minuteSeconds: 60, flaws: ['limit-one-over'] });
  const key = ['--key', 'free=${MINUTE_FREE_KEY}'];
  const words = ['run', '--base-url', server.baseUrl, ...key, '--only', 'load', '--report-dir', 'run'];
  const { code, stdout, stderr } = await petstore(words, { cwd, env: { MINUTE_FREE_KEY: server.keys.free } });
  const results = resultsIn(join(cwd, 'run'));
  // On a busy machine the burst may take too long to decide: then the row is open, and never passed.
  const row = results.requirements.find(({ id }) => id === 'rate-429');
  if (row !== undefined && isOpenBySlowness(row)) return assert.equal(code, 3, stdout + stderr);
  const red = results.requirements.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  assert.ok(red.includes('rate-429'), stdout + stderr);
  assert.deepEqual([...new Set(red.map(familyOf))], [familyOf('rate-429')], stdout + stderr);
  assert.equal(code, 1, stdout + stderr);
});
