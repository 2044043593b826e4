import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  CANARY,
  expectClean,
  expectNothingLeft,
  OTHERS,
  others,
  settings,
  TRACES,
} from './support/canary.js';
import { copyOf } from './support/a-run.js';
import { petstore, petstoreHere } from './support/command.js';
import { filesIn, folder, openToOthers } from './support/folder.js';
import { killedRun } from './support/killed-run.js';
import { openly, PASSING, passingRun } from './support/passing-run.js';
import { unpacked } from './support/playwright-report.js';
import { reference, targetFile } from './support/targets.js';

test('the search finds every form of the key', () => {
  for (const text of [
    CANARY,
    CANARY.slice(3, 20),
    Buffer.from(`${CANARY}:`).toString('base64'),
    CANARY.toUpperCase(),
  ])
    assert.throws(() => expectClean('here', `x ${text} y`), /here holds a part/);
  for (const each of TRACES)
    for (const before of ['', '-', '--', '---', '----'])
      assert.throws(() => expectClean('here', `${before}${each}`), /here holds a part/, each);
  assert.doesNotThrow(() => expectClean('here', 'Authorization: Bearer $PETSTORE_KEY'));
});

const here = (words: readonly string[], cwd: string) => petstoreHere(words, { cwd });

test('a passing run, its label, report, comparison and history leak no key, and their files are protected', async (t) => {
  const { cwd, directory, ...ended } = copyOf(t, await passingRun());
  assert.equal(ended.code, 0, ended.stdout);
  expectNothingLeft(cwd, ended);
  const page = readFileSync(join(directory, 'playwright/html/index.html'), 'utf8');
  assert.ok(
    unpacked(page).some((text) => text.includes('auth-missing-key')),
    'Playwright’s page is looked into',
  );
  assert.deepEqual(openToOthers(join(cwd, 'here')), []);
  const said = [];
  // Every command sets its umask at the same place, so one is started with one that opens its files.
  for (const [command, ...words] of [
    [openly, 'report', PASSING, '--verbose'],
    [here, 'compare', PASSING, PASSING, '--out', 'here/compared'],
    [here, 'history', 'here/it'],
  ] as const) {
    const { code, stdout, stderr } = await command(words, cwd);
    assert.equal(code, 0, words.join(' '));
    said.push(stdout, stderr);
  }
  assert.ok(filesIn(join(cwd, 'here')).length > 12, 'reports, comparison and history');
  expectNothingLeft(cwd, { ...ended, stdout: said.join('\n') });
  assert.deepEqual(openToOthers(join(cwd, 'here')), []);
});

test('a run with --certify leaks no key', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, { keys: { business: CANARY, ...OTHERS } });
  const { file, env } = targetFile(cwd, server.baseUrl, CANARY, settings);
  const words = ['run', '--target', file, '--requirement', 'list-ok', '--certify', '--label', CANARY];
  const ended = await petstoreHere(words, { cwd, env: { ...env, ...others } });
  assert.equal(ended.code, 3, ended.stdout);
  assert.match(ended.stderr, /^no certificate +Only a selection/m);
  expectNothingLeft(cwd, ended);
});

test('wrong command lines leak no key', async (t) => {
  const cwd = folder(t);
  const wrong = [
    ['--base-url', `http://user:${CANARY}@127.0.0.1/v1`, '--key', 'free=abc'],
    ['--base-url', 'http://127.0.0.1:9/v1', '--key', `free=${CANARY} `],
    ['--base-url', `http://127.0.0.1:9/v1?api_key=${CANARY}`, '--key', 'free=abc'],
    ['--base-url', 'http://127.0.0.1:9/v1', '--key', CANARY],
    ['--base-url', 'http://127.0.0.1:9/v1', '--key', `fre=${CANARY}`],
    ['--base-url', 'http://127.0.0.1:9/v1', '--key', `free=${CANARY}`, '--key', `pro=${CANARY}`],
  ];
  for (const [at, words] of wrong.entries()) {
    // Two as a process, of which all output is seen: one for each option.
    const command = at < 2 ? petstore : petstoreHere;
    const ended = await command(['run', ...words, '--verbose'], { cwd });
    assert.equal(ended.code, 2, ended.stdout);
    expectNothingLeft(cwd, ended);
  }
});

test('a killed run leaks no key', async () => {
  const { cwd, signal, ...ended } = await killedRun();
  assert.equal(signal, 'SIGKILL');
  expectNothingLeft(cwd, { ...ended, signal });
});
