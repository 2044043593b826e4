import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Results } from '../../outcome/results/results.js';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { resultsIn } from './support/results.js';
import { reference, targetFile } from './support/targets.js';
import { packageRoot } from '../../base/kernel/package.js';

/** A user's own suites: outside the package, in TypeScript, without a package.json. */

const FEW = ['--only', 'suites', '--requirement', 'list-ok', '--requirement', 'own-*'];

const ownOf = ({ own }: Results): NonNullable<Results['own']> =>
  own ?? assert.fail('no own suites in the results');

const outcomes = (results: Results): Readonly<Record<string, string>> =>
  Object.fromEntries(ownOf(results).requirements.map(({ id, outcome }) => [id, outcome]));

const ledger = (...ids: readonly string[]): string =>
  `requirements:\n${ids.map((id) => `  - { id: ${id}, level: must, part: 4, statement: What ${id} says. }\n`).join('')}`;

test('own suites are separate in every report and decide nothing without --own-decide', async (t) => {
  const cwd = folder(t);
  cpSync(join(packageRoot(), 'examples/own-suites'), join(cwd, 'own'), { recursive: true });
  const server = await reference(t);
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  const run = ['run', '--target', file, '--suite', 'own', ...FEW];

  const dry = await petstoreHere([...run, '--dry-run'], { cwd, env });
  assert.match(
    dry.stdout,
    /own suites +after everything else, 3 requirements in 2 files: at most 250 more requests/,
  );
  assert.equal(server.requests(), 0);

  const sound = await petstoreHere([...run, '--report-dir', 'sound'], { cwd, env });
  assert.equal(sound.code, 0, sound.stdout + sound.stderr);
  assert.match(sound.stdout, /Own suites +3 of 3/);
  const results = resultsIn(join(cwd, 'sound'));
  assert.deepEqual(outcomes(results), {
    'own-list-fast': 'passed',
    'own-names-shown': 'passed',
    'own-errors-in-english': 'passed',
  });
  assert.equal(ownOf(results).requests, 3);
  assert.ok(!results.requirements.some(({ id }) => id.startsWith('own-')), 'apart from the interface');

  // Expects more than the server gives.
  writeFileSync(
    join(cwd, 'own/more.spec.ts'),
    `import { checks, requirement, test } from 'petstore-conformance';
test(...requirement('own-teapot', async ({ ask, judge, facts }) => {
  const page: { readonly status: number } & Parameters<typeof checks.status>[0] = await ask({
    path: '/pets',
    query: { mine: '${server.keys.business}' },
    headers: { 'X-Mine': '${server.keys.business}' },
  });
  judge(checks.status(page, 418), checks.observed(page, facts.plan));
}));
`,
  );
  writeFileSync(join(cwd, 'own.yaml'), ledger('own-teapot'));
  const more = ['run', '--target', file, '--suite', 'own/more.spec.ts', '--ledger', 'own.yaml', ...FEW];
  const beside = await petstoreHere([...more, '--report-dir', 'beside'], { cwd, env });
  assert.equal(beside.code, 0, beside.stdout + beside.stderr);
  assert.match(
    beside.stdout,
    /✗ own-teapot[\s\S]*expected +418[\s\S]*received +200[\s\S]*they\s+do\s+not\s+affect\s+the\s+verdict/,
  );
  const read = (name: string) => readFileSync(join(cwd, 'beside', name), 'utf8');
  assert.match(read('index.html'), /<section id="own">[\s\S]*id="own-teapot"/);
  assert.match(read('junit.xml'), /<testsuite name="Own suites"[^>]*failures="1"/);
  assert.match(read('ctrf.json'), /"suite": \[\s*"Own suites"/);
  assert.match(read('summary.md'), /### Own suites[\s\S]*own\S*-teapot/);
  assert.match(read('badge.json'), /conformant 1\.0\.0, selection · /);
  assert.match(read('exchanges.har'), /\(run [0-9a-f]{8}; o1\)/);
  // A key in a test's own request is redacted too.
  assert.match(read('log.ndjson'), /\["X-Mine","\[key\]"\]/);
  for (const text of [
    beside.stdout,
    ...readdirSync(join(cwd, 'beside'))
      .filter((name) => name.includes('.'))
      .map(read),
  ])
    assert.ok(!text.includes(server.keys.business));

  // The log is enough for a report: another decision changes the verdict.
  rmSync(join(cwd, 'own'), { recursive: true });
  rmSync(join(cwd, 'own.yaml'));
  const log = read('log.ndjson');
  mkdirSync(join(cwd, 'decided'));
  writeFileSync(join(cwd, 'decided/log.ndjson'), log.replace('"decide":false', '"decide":true'));
  const decided = await petstoreHere(['report', 'decided'], { cwd });
  assert.equal(decided.code, 1);
  assert.match(
    decided.stdout.replaceAll(/\s+/g, ' '),
    /is not accepted by own suites: 1 of 1 required behaviour fails; by the interface only, \S+ conforms to/,
  );
  assert.match(readFileSync(join(cwd, 'decided/badge.json'), 'utf8'), /own suites: non-conformant/);
  assert.equal(resultsIn(join(cwd, 'decided')).own?.withoutThem, 'conformant');
  const compared = await petstoreHere(['compare', 'sound', 'beside'], { cwd });
  assert.equal(compared.code, 0);
  assert.match(compared.stdout, /Own suites \(4\)[\s\S]*own-teapot/);
});

test('failed assertions of own suites are findings, and errors have file and line', async (t) => {
  const cwd = folder(t);
  const server = await reference(t);
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  mkdirSync(join(cwd, 'own'));
  writeFileSync(
    join(cwd, 'own/requirements.yaml'),
    ledger(
      'own-kept',
      'own-expect',
      'own-soft',
      'own-assert',
      'own-throws',
      'own-hangs',
      'own-silent',
      'own-missing',
      'own-skipped',
      'own-skips',
      'own-writes',
    ),
  );
  writeFileSync(
    join(cwd, 'own/common.spec.ts'),
    `import { strict as assert } from 'node:assert';
import { checks, requirement, test } from 'petstore-conformance';
import { expect } from '@playwright/test';

test(...requirement('own-expect', async ({ ask }) => expect((await ask({ path: '/pets' })).status).toBe(204)));
test(...requirement('own-soft', async ({ ask, judge }) => {
  const page = await ask({ path: '/pets' });
  expect.soft(page.status).toBe(205);
  judge(checks.kept(page));
}));
test(...requirement('own-assert', async ({ ask }) => assert.equal((await ask({ path: '/pets' })).status, 206)));
test(...requirement('own-throws', async ({ ask }) => {
  const { json } = await ask({ path: '/pets' });
  (json as { nothing: { there: () => void } }).nothing.there();
}));
test(...requirement('own-hangs', async () => {
  test.setTimeout(1000);
  await new Promise(() => undefined);
}));
test(...requirement('own-silent', () => undefined));
test.skip(...requirement('own-skipped', () => undefined));
test(...requirement('own-skips', () => test.skip(true, 'no animals today')));
test(...requirement('own-writes', async ({ ask, judge }) => judge(checks.kept(await ask({ method: 'POST', path: '/pets' })))));
test(...requirement('own-keptt', () => undefined));
`,
  );
  writeFileSync(
    join(cwd, 'own/module.spec.mts'),
    `import { checks, requirement, test } from 'petstore-conformance';
test(...requirement('own-kept', async ({ ask, judge }) => judge(checks.status(await ask({ path: '/pets' }), 200))));
`,
  );
  const run = await petstoreHere(
    ['run', '--target', file, '--suite', 'own', '--read-only', ...FEW, '--report-dir', 'run'],
    { cwd, env },
  );
  assert.equal(run.code, 2, run.stdout + run.stderr);
  const results = resultsIn(join(cwd, 'run'));
  assert.equal(results.verdict, 'conformant', 'of the interface');
  assert.deepEqual(outcomes(results), {
    'own-kept': 'passed',
    'own-expect': 'failed',
    'own-soft': 'failed',
    'own-assert': 'failed',
    'own-throws': 'inconclusive',
    'own-hangs': 'inconclusive',
    'own-silent': 'inconclusive',
    'own-missing': 'inconclusive',
    'own-skipped': 'inconclusive',
    'own-skips': 'inconclusive',
    'own-writes': 'not-applicable',
  });
  const { requirements, problems } = ownOf(results);
  const expected = ['204', '205', '206'];
  for (const [at, id] of ['own-expect', 'own-soft', 'own-assert'].entries()) {
    const finding = requirements.find((row) => row.id === id)?.findings[0];
    assert.equal(finding?.expected, expected[at], id);
    assert.equal(finding?.actual, '200', id);
    assert.equal(finding?.exchanges.length, 1, id);
  }
  const places = problems.map(
    ({ file: path = '', line, message }) => `${path.split('/').at(-1)}:${line} ${message}`,
  );
  assert.equal(places.length, 3, places.join('\n'));
  assert.match(places.join('\n'), /common\.spec\.ts:14 TypeError: Cannot read properties/);
  assert.match(places.join('\n'), /common\.spec\.ts:1\d its test did not end/);
  assert.match(
    places.join('\n'),
    /common\.spec\.ts:24 the test "own-keptt" has no requirement .*did you mean own-kept/,
  );
  assert.match(run.stdout, /common\.spec\.ts:14: TypeError/);
  const skips = requirements.find((row) => row.id === 'own-skips');
  assert.equal(skips?.reason?.text, 'its test skipped itself: no animals today');

  writeFileSync(join(cwd, 'own/common.spec.ts'), 'const one = 1;\nconst two = ;\n');
  const broken = await petstoreHere(
    ['run', '--target', file, '--suite', 'own', ...FEW, '--report-dir', 'broken'],
    {
      cwd,
      env,
    },
  );
  assert.equal(broken.code, 2);
  assert.match(broken.stdout.replaceAll(/\s+/g, ' '), /common\.spec\.ts:2: SyntaxError: Unexpected token/);
  assert.equal(
    resultsIn(join(cwd, 'broken')).requirements.find(({ id }) => id === 'list-ok')?.outcome,
    'passed',
  );
});

test('an invalid ledger or pattern is rejected before any request', async (t) => {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'a.spec.ts'), '');
  writeFileSync(join(cwd, 'clash.yaml'), ledger('list-ok'));
  const refused = async (words: readonly string[]) => {
    const { code, stderr } = await petstoreHere(['run', ...words], { cwd });
    assert.equal(code, 2);
    return stderr;
  };
  assert.match(
    await refused(['--suite', 'a.spec.ts', '--ledger', 'clash.yaml']),
    /clash\.yaml:2: The id "list-ok" belongs to the kit/,
  );
  assert.match(await refused(['--suite', 'a.spec.ts']), /their folder has no requirements\.yaml/);
  assert.match(await refused(['--suite', 'gone/*.ts']), /No file matches --suite/);
  assert.match(await refused(['--own-decide']), /--own-decide needs --suite/);
});
