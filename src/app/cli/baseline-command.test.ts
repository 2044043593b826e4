import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { judged, listing } from '../../outcome/results/run-cause.test.support.js';
import { resultsJson } from '../../report/machine/results-json.js';
import { command } from './baseline-command.js';

test('a run whose server stopped before anything failed has nothing to accept', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-baseline-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const run = join(folder, 'results.json');
  const out = join(folder, 'baseline.yaml');
  const silent = [2, 3, 4, 5].map((at) => listing(at, false));
  writeFileSync(run, resultsJson(judged([listing(1), ...silent])));
  const io = { in: process.stdin, out: process.stdout, err: process.stderr, env: {} };
  assert.throws(() => command({ create: 'create', run, out, expires: undefined, verbose: false }, io), {
    code: 'report-dir',
    message: /^That run shows no deviation of the target: the server stopped responding at .*\.$/,
    hint: /Nothing was written\.$/,
  });
  assert.equal(existsSync(out), false);
});
