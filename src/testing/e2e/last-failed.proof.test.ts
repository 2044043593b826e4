import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { reference, targetFile } from './support/targets.js';

/** Returns a function that judges servers with flaws one after the other under one target name. */
function underOneName(t: TestContext) {
  const cwd = folder(t);
  return async (flaws: readonly string[], ...words: readonly string[]) => {
    const server = await reference(t, { flaws: [...flaws] });
    const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
    const { code, stdout, stderr } = await petstoreHere(['run', '--target', file, ...words], { cwd, env });
    // The last lines name each failure at the left margin.
    const failed = [...stdout.matchAll(/^✗ ([a-z][a-z0-9-]+) /gm)].map(([, id = '']) => id);
    return { code, stdout: stdout + stderr, failed };
  };
}

const AGAIN = ['--only', 'suites', '--last-failed'] as const;

test('--last-failed repeats remaining failures every time, and no fixed ones', async (t) => {
  const run = underOneName(t);
  const two = ['refused-creation-without-body', 'no-rate-headers-on-401'];
  const first = await run([...two, 'default-limit-twenty-five'], '--only', 'suites');
  assert.deepEqual(first.failed, ['error-shape', 'list-limit-default', 'rate-headers-present'], first.stdout);
  for (const left of [
    ['error-shape', 'rate-headers-present'],
    ['error-shape', 'rate-headers-present'],
  ]) {
    const again = await run(two, ...AGAIN);
    assert.deepEqual([again.code, again.failed], [1, left], again.stdout);
  }
  const narrow = await run(two, '--last-failed', '--requirement', 'error-shape');
  assert.deepEqual([narrow.code, narrow.failed], [1, ['error-shape']], narrow.stdout);
  const rest = await run(['no-rate-headers-on-401'], ...AGAIN);
  assert.deepEqual([rest.code, rest.failed], [1, ['rate-headers-present']], rest.stdout);
  const sound = await run([], ...AGAIN);
  assert.equal(sound.code, 0, sound.stdout);
  assert.match(sound.stdout, /CONFORMANT +1 of 1 /);
  assert.match((await run([], ...AGAIN)).stdout, /left nothing open, so everything runs/);
});

test('--last-failed sends only the requests that show a failure', async (t) => {
  const run = underOneName(t);
  const fault = ['default-limit-twenty-five'];
  assert.deepEqual((await run(fault, '--only', 'suites')).failed, ['list-limit-default']);
  const again = await run(fault, ...AGAIN, '--verbose');
  assert.deepEqual(again.failed, ['list-limit-default']);
  // The whole suites send more than a hundred requests, half of them without a key.
  const [, sent = ''] = /(\d+) exchanges of the suites/.exec(again.stdout) ?? [];
  assert.ok(Number(sent) > 0 && Number(sent) < 25, again.stdout);
  assert.doesNotMatch(again.stdout, / no key /);
});

test('--last-failed takes nothing for mended that fails after the requests before it', async (t) => {
  const run = underOneName(t);
  // The row finds this by animals that earlier tests create.
  const flaws = ['filter-misses-one'];
  assert.deepEqual((await run(flaws, '--only', 'suites')).failed, ['get-replacement']);
  const again = await run(flaws, ...AGAIN);
  assert.match(again.stdout, /── no longer failing: get-replacement/);
  assert.deepEqual([again.code, again.failed], [1, ['get-replacement']], again.stdout);
});

test('a failure that cannot be repeated stays unmet', async (t) => {
  const run = underOneName(t);
  const flaws = ['refused-creation-without-body'];
  const first = await run(flaws, '--only', 'suites');
  assert.deepEqual(first.failed, ['error-shape']);
  const unable = await run(flaws, ...AGAIN, '--read-only');
  assert.equal(unable.code, 3, unable.stdout);
  assert.match(
    unable.stdout.replaceAll(/\s+/g, ' '),
    /not retried: it failed on \S+, and this run did not repeat “POST/,
  );
  assert.deepEqual((await run(flaws, ...AGAIN)).failed, ['error-shape']);
  assert.equal((await run([], ...AGAIN)).code, 0);
});

test('--last-failed replays the story of a failure', async (t) => {
  const run = underOneName(t);
  const flaws = ['category-array-taken'];
  const first = await run(flaws, '--profile', 'explore', '--explore', '400', '--seed', '7');
  assert.deepEqual(first.failed, ['create-invalid-value'], first.stdout);
  assert.deepEqual((await run(flaws, ...AGAIN)).failed, ['create-invalid-value']);
  const sound = await run([], ...AGAIN);
  assert.equal(sound.code, 0, sound.stdout);
});
