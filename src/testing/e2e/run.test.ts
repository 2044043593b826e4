import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { aRun, copyOf, LISTS_25 } from './support/a-run.js';
import { petstore, petstoreHere, startProcess } from './support/command.js';
import { folder } from './support/folder.js';
import { PASSING, passingRun } from './support/passing-run.js';
import { idsThat, resultsIn } from './support/results.js';
import { answering } from './support/servers.js';
import { KEY_VARIABLE, OWN_KEY, reference, targetFile } from './support/targets.js';

/** Files of every run; other programs know their names. */
const FILES = [
  'badge.json',
  'ctrf.json',
  'exchanges.har',
  'index.html',
  'junit.xml',
  'log.ndjson',
  'results.json',
  'summary.md',
  'todo.md',
];

test('a run without a target tests the embedded server and writes to reports/', async (t) => {
  // All of it, with limits, is shown by the packed package.
  const cwd = folder(t);
  const { code, stdout, stderr } = await petstoreHere(['run', '--only', 'suites'], { cwd });
  assert.equal(code, 0, stdout + stderr);
  const [run = '', ...others] = readdirSync(join(cwd, 'reports')).filter((name) => name !== 'latest.json');
  assert.deepEqual(others, []);
  assert.match(run, /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-embedded$/);
  const results = resultsIn(join(cwd, 'reports', run));
  assert.deepEqual(
    [results.target.name, results.complete, results.verdict],
    ['embedded', true, 'conformant'],
  );
  assert.deepEqual(idsThat(results, 'failed'), []);
  const latest = JSON.parse(readFileSync(join(cwd, 'reports/latest.json'), 'utf8')) as { run: string };
  assert.equal(latest.run, run);
});

test('suites pass on a correct server and write only to the given folder; report recreates it all, also from an incomplete log', async (t) => {
  const { cwd, directory, code, stdout, stderr, requests, byBusiness } = copyOf(t, await passingRun());
  assert.equal(code, 0, stdout + stderr);
  assert.equal(stderr, '');
  assert.match(stdout, /CONFORMANT/);
  assert.match(stdout, /here\/it\/is\/index\.html/);
  assert.deepEqual(readdirSync(directory).sort(), [...FILES, 'playwright'].sort());
  assert.ok(
    existsSync(join(directory, 'playwright/html/index.html')),
    'Playwright’s own report stays reachable',
  );
  assert.deepEqual(readdirSync(cwd).sort(), ['here', 'own-report', 'target.yaml']);

  const results = resultsIn(directory);
  assert.equal(results.verdict, 'conformant');
  assert.equal(results.complete, true);
  assert.deepEqual(idsThat(results, 'failed'), []);
  assert.equal(results.requests.total, requests, 'every request is counted');
  assert.equal(results.requests.byKey['business'], byBusiness);

  const latest = JSON.parse(readFileSync(join(cwd, 'here/it/latest.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  assert.equal(latest['run'], 'is');
  assert.equal(latest['verdict'], 'conformant');

  const before = new Map(FILES.map((name) => [name, readFileSync(join(directory, name), 'utf8')]));
  for (const name of FILES) if (name !== 'log.ndjson') rmSync(join(directory, name));

  const again = await petstoreHere(['report', PASSING, '--verbose'], { cwd });
  assert.equal(again.code, 0, again.stderr);
  // The next command is written as each program was started.
  assert.equal(again.stdout, stdout.replace(/^(next +).*?( run --target)/m, '$1petstore-conformance$2'));
  for (const name of FILES)
    if (name !== 'index.html')
      assert.equal(readFileSync(join(directory, name), 'utf8'), before.get(name), name);
  assert.ok(existsSync(join(directory, 'index.html')));

  const log = before.get('log.ndjson')?.trimEnd().split('\n') ?? [];
  writeFileSync(join(directory, 'log.ndjson'), `${log.slice(0, -1).join('\n')}\n`);
  const cut = await petstoreHere(['report', join(directory, 'log.ndjson')], { cwd });
  assert.equal(cut.code, 3, cut.stdout);
  assert.match(cut.stdout, /CUT SHORT/);
  assert.doesNotMatch(cut.stdout, /^CONFORMANT/m);
  assert.equal(resultsIn(directory).complete, false);
  assert.equal(resultsIn(directory).verdict, 'inconclusive');
});

test('a violated "must" requirement exits with 1 and shows expected and received', async (t) => {
  const { cwd, directory, key, code, stdout, stderr } = copyOf(t, await aRun(LISTS_25));
  assert.equal(code, 1, stdout);
  assert.equal(stderr, '');
  assert.match(stdout, /NOT CONFORMANT/);
  assert.match(stdout, /list-limit-default/);
  assert.match(stdout, /expected\s+.*20/);
  assert.match(stdout, /received\s+25 animals/);
  assert.deepEqual(idsThat(resultsIn(directory), 'failed'), ['list-limit-default']);
  // Run the printed line in the same environment.
  const [curl = ''] = /curl .*/.exec(stdout) ?? [];
  assert.match(curl, /\$CANARY_KEY/);
  writeFileSync(join(cwd, 'curl'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
  const pasted = await startProcess('sh', ['-c', curl], {
    cwd,
    env: { [KEY_VARIABLE]: key, PATH: `${cwd}:${process.env['PATH']}` },
  }).ended;
  assert.match(pasted.stdout, new RegExp(`^Authorization: Bearer ${key}$`, 'm'));
});

test('two runs started simultaneously get separate folders', async (t) => {
  const cwd = folder(t);
  const run = (key: string) =>
    petstore(['run', '--base-url', 'http://127.0.0.1:9/v1', '--key', `free=${key}`, '--only', 'load'], {
      cwd,
    });
  const codes = (await Promise.all([run(`one-${OWN_KEY}`), run(`another-${OWN_KEY}`)])).map(
    ({ code }) => code,
  );
  assert.deepEqual(codes, [3, 3]);
  assert.equal(readdirSync(join(cwd, 'reports')).filter((name) => name !== 'latest.json').length, 2);
});

test('--dry-run prints the plan and sends nothing', async (t) => {
  const cwd = folder(t);
  const server = await reference(t);
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  const { code, stdout } = await petstoreHere(['run', '--target', file, '--dry-run'], { cwd, env });
  assert.equal(code, 0);
  assert.match(stdout, /about \d+ requests/);
  assert.match(stdout, /nothing was sent/);
  assert.equal(server.requests(), 0);
  assert.deepEqual(readdirSync(cwd), ['target.yaml']);
});

test('a redirect to another origin is not followed', async (t) => {
  const cwd = folder(t);
  const other = await reference(t);
  const baseUrl = await answering(t, (request, response) => {
    response.writeHead(307, { Location: `${other.baseUrl}${request.url?.replace('/v1', '')}` }).end();
  });
  const { file, env } = targetFile(cwd, baseUrl, other.keys.business);
  const { code } = await petstoreHere(
    ['run', '--target', file, '--requirement', 'list-ok', '--report-dir', 'run'],
    {
      cwd,
      env,
    },
  );
  assert.equal(code, 3);
  assert.equal(other.requests(), 0);
  assert.equal(resultsIn(join(cwd, 'run')).obstacle?.code, 'redirect');
});

test('what an open request would show is inconclusive where its control failed, and no observation', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, { flaws: ['creation-fails', 'fetch-fails'] });
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  const ids = ['create-unknown-member', 'get-malformed-id'] as const;
  const words = ids.flatMap((id) => ['--requirement', id]);
  await petstoreHere(['run', '--target', file, ...words, '--report-dir', 'run'], { cwd, env });
  const { requirements } = resultsIn(join(cwd, 'run'));
  for (const id of ids)
    assert.equal(requirements.find((row) => row.id === id)?.reason?.code, 'prerequisite', id);
});
