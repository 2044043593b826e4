import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyOf } from './support/a-run.js';
import { petstoreHere } from './support/command.js';
import {
  expectCutShort,
  expectInterrupted,
  expectLoadInterrupted,
  startWaiting,
} from './support/interrupting.js';
import { killedRun } from './support/killed-run.js';
import { recordsIn } from './support/results.js';
import { atExchange, atPhase } from './support/watch.js';

/** Some moments and signals; interruption.proof.test.ts has the others. */

test('SIGINT during the suites gives a log, results and exit code 3', (t) =>
  expectInterrupted(t, 'SIGINT', atExchange(10)));

test('SIGINT at the start of load keeps exactly the findings so far', (t) =>
  expectLoadInterrupted(t, atPhase('load')));

/** Far less than these runs would wait, far more than an end takes. */
const AT_ONCE = { timeout: 120_000 };

test('SIGINT immediately ends a run that waits for a response', AT_ONCE, async (t) => {
  const { cwd, run } = await startWaiting(t);
  run.child.kill('SIGINT');
  const { code, stdout, stderr } = await run.ended;
  assert.equal(code, 3, stdout);
  assert.equal(stderr, '', 'nothing is said about the target');
  assert.match(stdout, /interrupted/);
  expectCutShort(join(cwd, 'run'));
});

test('a killed run leaves no process, and its results state the interruption', async (t) => {
  const { cwd, directory, workers } = copyOf(t, await killedRun());
  assert.ok(workers >= 2, 'Playwright and its worker have ended');
  assert.ok(recordsIn(directory).every(({ type }) => type !== 'footer'));
  expectCutShort(directory);

  const again = await petstoreHere(['report', 'run'], { cwd });
  assert.equal(again.code, 3);
  assert.match(again.stdout, /CUT SHORT/);
  for (const name of ['index.html', 'summary.md'])
    assert.match(readFileSync(join(directory, name), 'utf8'), /cut short/i, name);
});
