import assert from 'node:assert/strict';
import { test } from 'node:test';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { reference } from './support/targets.js';

test('compare states if two environments agree, also by its exit code', async (t) => {
  const cwd = folder(t);
  const judge = async (name: string, baseUrl: string, key: string) =>
    petstoreHere(
      ['run', '--base-url', baseUrl, '--key', `business=${key}`, '--requirement', 'list-ok', '--report-dir', name],
      { cwd },
    );
  const [one, other, broken] = [
    await reference(t),
    await reference(t),
    await reference(t, { flaws: ['plain-listing-fails'] }),
  ];
  assert.equal((await judge('one', one.baseUrl, one.keys.business)).code, 0);
  assert.equal((await judge('other', other.baseUrl, other.keys.business)).code, 0);
  assert.equal((await judge('broken', broken.baseUrl, broken.keys.business)).code, 1);
  assert.equal((await judge('absent', 'http://127.0.0.1:9/v1', 'some-key-of-a-test')).code, 3);

  for (const [before, after, code, says] of [
    ['one', 'other', 0, /^environments-agree +passed/m],
    ['one', 'broken', 1, /^environments-agree +failed: 1 requirement /m],
    ['broken', 'one', 1, /^environments-agree +failed: 1 requirement /m],
    ['one', 'absent', 3, /^environments-agree +could not be determined: no requirement was judged in both runs/m],
  ] as const) {
    const ended = await petstoreHere(['compare', before, after], { cwd });
    assert.match(ended.stdout, says);
    assert.equal(ended.code, code, `${before} and ${after}`);
  }
});
