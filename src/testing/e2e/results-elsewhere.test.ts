import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { validateStrict } from 'ctrf';
import { parse } from 'junit2json';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { reference, targetFile } from './support/targets.js';

const SHA = '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12';

test('a run writes its results for test management, dashboards and a terminal, and report writes them again', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, { flaws: ['default-limit-twenty-five'] });
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  writeFileSync(join(cwd, 'map.yaml'), 'list-limit-default: { test_key: PET-12 }\n');
  const built = { GITLAB_CI: 'true', CI_COMMIT_SHA: SHA, CI_COMMIT_REF_NAME: 'main', CI_PIPELINE_ID: '900' };
  const words = [
    'run',
    '--target',
    file,
    '--only',
    'suites',
    '--requirement',
    'list-limit-default',
    '--verbose',
  ];
  const ran = await petstoreHere([...words, '--properties', 'map.yaml', '--report-dir', 'run'], {
    cwd,
    env: { ...env, ...built },
  });
  assert.equal(ran.code, 1, ran.stderr);
  assert.match(ran.stdout, /^to do +run\/todo\.md$/m);
  const read = (name: string): string => readFileSync(join(cwd, 'run', name), 'utf8');
  const todo = read('todo.md');
  assert.match(todo, /^## 1\. list-limit-default$/m);
  const [, again = ''] = /^- run only this again: `petstore-conformance (.*)`$/m.exec(todo) ?? [];
  assert.equal(again, `run --target ${file} --requirement list-limit-default`);

  const ctrf: unknown = JSON.parse(read('ctrf.json'));
  validateStrict(ctrf);
  const { environment } = ctrf.results;
  assert.deepEqual(
    [environment?.commit, environment?.branchName, environment?.buildId],
    [SHA, 'main', '900'],
  );

  const caseIn = async (): Promise<string> => {
    const suites = await parse(read('junit.xml'));
    assert.ok(suites && 'testsuite' in suites);
    const cases = (suites.testsuite ?? []).flatMap(({ testcase = [] }) => testcase);
    return JSON.stringify(cases.find(({ name }) => name === 'list-limit-default'));
  };
  assert.match(await caseIn(), /\{"name":"test_key","value":"PET-12"\}/);
  // The log has the CI system's build, so another machine's is not taken.
  const report = await petstoreHere(['report', 'run'], {
    cwd,
    env: { ...built, CI_COMMIT_SHA: 'f'.repeat(40) },
  });
  assert.equal(report.code, 1, report.stderr);
  assert.doesNotMatch(await caseIn(), /test_key/);
  assert.equal((JSON.parse(read('ctrf.json')) as typeof ctrf).results.environment?.commit, SHA);
  await petstoreHere(['report', 'run', '--properties', 'map.yaml'], { cwd });
  assert.match(await caseIn(), /test_key/);
  await petstoreHere(['report', 'run', '--properties', 'none'], { cwd });
  assert.doesNotMatch(await caseIn(), /properties/);
});

test('a wrong map of properties ends a run before it sends anything', async (t) => {
  const cwd = folder(t);
  const server = await reference(t);
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  writeFileSync(join(cwd, 'map.yaml'), 'list-limit-defualt: { test_key: PET-12 }\n');
  const words = ['run', '--target', file, '--properties', 'map.yaml', '--report-dir', 'run'];
  const { code, stderr } = await petstoreHere(words, { cwd, env });
  assert.equal(code, 2);
  assert.match(stderr, /map\.yaml:1[\s\S]*list-limit-default[\s\S]*^code +unknown-requirement$/m);
  assert.ok(!existsSync(join(cwd, 'run')));
});
