import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import {
  evenGroups,
  isChosen,
  longestFirst,
  SECONDS,
  secondsOf,
  secondsOfAll,
  UNIT_SECONDS,
} from './test-files.js';
import { testOptions } from './test-options.js';

test('proofs are chosen only with --proofs, --every or a word of their path', () => {
  const files = ['a.test.js', 'a.wait.test.js', 'a.long.proof.test.js', 'a.test.support.js'];
  const chosen = (...words: readonly string[]) => files.filter((file) => isChosen(file, testOptions(words)));
  assert.deepEqual(chosen(), files.slice(0, 2));
  assert.deepEqual(chosen('--unit'), files.slice(0, 1));
  assert.deepEqual(chosen('--every'), files.slice(0, 3));
  assert.deepEqual(chosen('a.long'), files.slice(2, 3));
});

test('the files with known times exist, and the longest start first', () => {
  const all = readdirSync(join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' });
  const names = all.map((file) => basename(file));
  for (const name of Object.keys(SECONDS)) assert.ok(names.includes(`${name}.test.js`), name);
  for (const place of Object.keys(UNIT_SECONDS))
    assert.ok(all.includes(join(`${place}.test.js`)), `${place}, a unit`);
  const [first = '', second = ''] = Object.keys(SECONDS);
  const files = ['a/other.test.js', `testing/${second}.test.js`, `testing/${first}.test.js`];
  assert.deepEqual(longestFirst(files), [files[2], files[1], files[0]]);
});

test('a unit has its own time, not that of another file of its name', () => {
  assert.equal(secondsOf('/kit/dist/src/wire/proxy/serve.test.js'), UNIT_SECONDS['wire/proxy/serve']);
  assert.equal(secondsOf('/kit/dist/src/testing/e2e/serve.test.js'), SECONDS['serve']);
  const unlisted = secondsOf('/kit/dist/src/loadkit/other.test.js');
  assert.equal(secondsOf('/kit/dist/src/judge/limits/judge.test.js'), unlisted);
  assert.ok(unlisted < Math.min(...Object.values(UNIT_SECONDS)));
});

test('files that share processes are divided by their time', () => {
  const [long = '', ...others] = Object.keys(SECONDS).map((name) => `testing/${name}.test.js`);
  const few = ['a/one.test.js', 'a/two.test.js', 'a/three.test.js'];
  assert.deepEqual(evenGroups([...few, long], 2), [[long], few]);
  assert.deepEqual(evenGroups(few.slice(0, 1), 2), [few.slice(0, 1)]);
  const groups = evenGroups(others, 4);
  assert.deepEqual(groups.flat().toSorted(), others.toSorted());
  const seconds = groups.map(secondsOfAll);
  assert.ok(
    Math.max(...seconds) - Math.min(...seconds) <= Math.min(...Object.values(SECONDS)),
    seconds.join(),
  );
});
