import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { petstore } from './support/command.js';
import { folder } from './support/folder.js';
import { idsThat, isOpenBySlowness, resultsIn } from './support/results.js';

test('run without a target tests the embedded server and writes to reports/', async (t) => {
  const cwd = folder(t);
  const { code, stdout, stderr } = await petstore(['run'], { cwd });
  const [run, ...others] = readdirSync(join(cwd, 'reports')).filter((name) => name !== 'latest.json');
  assert.deepEqual(others, []);
  assert.match(run ?? '', /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-embedded$/);
  const results = resultsIn(join(cwd, 'reports', run ?? ''));
  assert.equal(results.target.name, 'embedded');
  assert.equal(results.complete, true);
  for (const outcome of ['failed', 'warned', 'error'] as const)
    assert.deepEqual(idsThat(results, outcome), [], stdout + stderr);
  // At any speed no row is red. A machine that was too slow for the short windows is named as the reason.
  const isBusy = results.requirements.some(isOpenBySlowness);
  if (!isBusy) assert.deepEqual(idsThat(results, 'inconclusive'), [], stdout);
  assert.equal(results.verdict, isBusy ? 'inconclusive' : 'conformant', stderr);
  assert.equal(code, isBusy ? 3 : 0);
  assert.equal(JSON.parse(readFileSync(join(cwd, 'reports/latest.json'), 'utf8')).run, run);
});
