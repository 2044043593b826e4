import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passingRun } from './support/passing-run.js';
import { idsThat, resultsIn } from './support/results.js';

test('all processes of a run use the address that the parent’s switches choose, resolved once', async () => {
  const { code, directory, stdout, stderr, lookups, strayBytes } = await passingRun();
  assert.equal(code, 0, stdout + stderr);
  assert.ok(idsThat(resultsIn(directory), 'passed').includes('list-ok'));
  assert.equal(lookups, 1);
  assert.equal(strayBytes, 0);
});
