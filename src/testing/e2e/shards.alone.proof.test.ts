import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { ReferenceOptions } from '../../reference/index.js';
import { rehearse } from '../../run/cost.js';
import { rowsOfShard } from '../../run/select.js';
import { loadLedger } from '../../contract/ledger.js';
import { targetFromOptions } from '../../targets/target-options.js';
import { petstore, petstoreHere } from './support/command.js';
import { folder, openToOthers } from './support/folder.js';
import { idsThat, resultsIn } from './support/results.js';
import { reference } from './support/targets.js';

/** Rows of the suites and one of load, which the last part runs. */
const ROWS = [
  '--requirement',
  'list-*',
  '--requirement',
  'create-*',
  '--requirement',
  'auth-*',
  '--requirement',
  'rate-429',
];

/** Runs two parts in parallel, each with its own key, and merges them. */
async function twoParts(t: TestContext, options: Partial<ReferenceOptions>) {
  const cwd = folder(t);
  const server = await reference(t, { minuteSeconds: 2, ...options });
  const env = { ONE: server.keys.business, OTHER: server.keys.free };
  for (const [name, plan, variable] of [
    ['1', 'business', 'ONE'],
    ['2', 'free', 'OTHER'],
  ])
    writeFileSync(
      join(cwd, `${name}.yaml`),
      `name: t\nbaseUrl: ${server.baseUrl}\nkeys: { ${plan}: "\${${variable}}" }\nwindows: { minute: 2, day: 86400 }\n`,
    );
  const parts = await Promise.all(
    ['1', '2'].map((index) =>
      petstore(
        ['run', '--target', `${index}.yaml`, '--shard', `${index}/2`, '--report-dir', `parts/${index}`, ...ROWS],
        {
          cwd,
          env,
        },
      ),
    ),
  );
  const whole = await petstoreHere(['merge', 'parts', '--report-dir', 'whole', '--certify'], { cwd });
  return { cwd, parts, whole };
}

test('two simultaneous parts are inconclusive singly and conformant when merged', async (t) => {
  const { cwd, parts, whole } = await twoParts(t, {});
  for (const [at, { code, stdout, stderr }] of parts.entries()) {
    assert.equal(code, 3, stdout + stderr);
    assert.match(stdout, new RegExp(`Part ${at + 1} of 2 found no violation of`));
    assert.match(stdout.replaceAll(/\s+/g, ' '), /petstore-conformance merge judges all parts together/);
    const { verdict, complete, scope } = resultsIn(join(cwd, `parts/${at + 1}`));
    assert.deepEqual([verdict, complete, scope.selection?.part], ['inconclusive', true, `${at + 1}/2`]);
    assert.match(readFileSync(join(cwd, `parts/${at + 1}/index.html`), 'utf8'), new RegExp(`Part ${at + 1} of 2`));
  }
  assert.equal(whole.code, 3, 'a selection earns no certificate');
  assert.match(whole.stderr, /no certificate/);
  assert.ok(!existsSync(join(cwd, 'whole/certificate.json')));
  const results = resultsIn(join(cwd, 'whole'));
  assert.equal(results.verdict, 'conformant', whole.stdout);
  assert.deepEqual(idsThat(results, 'warned'), []);
  const sum = [1, 2].map((index) => resultsIn(join(cwd, `parts/${index}`)).requests.total);
  assert.equal(results.requests.total, (sum[0] ?? 0) + (sum[1] ?? 0));
  assert.deepEqual(openToOthers(join(cwd, 'whole')), []);
  // Other commands can read the merged log.
  const again = await petstoreHere(['report', 'whole'], { cwd });
  assert.equal(again.code, 0, again.stderr);

  for (const [dirs, problem] of [
    [['parts/1'], /part 2 of 2 is missing/],
    [['parts/1', 'parts/2', 'parts/1'], /part 1 exists twice/],
    [['parts', 'whole'], /whole is not a part of a sharded run/],
  ] as const) {
    const { code, stderr } = await petstoreHere(['merge', ...dirs, '--report-dir', 'none'], { cwd });
    assert.equal(code, 2, stderr);
    assert.match(stderr, problem);
    assert.match(stderr, /code {12}not-one-run/);
  }
  assert.ok(!existsSync(join(cwd, 'none')));
});

test('a violation in one part fails the part and the whole', async (t) => {
  const { cwd, parts, whole } = await twoParts(t, {
    flaws: ['default-limit-twenty-five', 'any-key-accepted-for-listings'],
  });
  const failed = [1, 2].map((index) => idsThat(resultsIn(join(cwd, `parts/${index}`)), 'failed'));
  assert.deepEqual(
    parts.map(({ code }) => code),
    failed.map((ids) => (ids.length > 0 ? 1 : 3)),
  );
  assert.equal(whole.code, 1);
  assert.deepEqual(idsThat(resultsIn(join(cwd, 'whole')), 'failed').toSorted(), failed.flat().toSorted());
  assert.ok(failed.flat().includes('list-limit-default') && failed.flat().includes('auth-invalid-key'));
});

test('options for whole runs are rejected for a part with exit code 2', async (t) => {
  const cwd = folder(t);
  const base = ['run', '--base-url', 'http://127.0.0.1:9/v1', '--key', 'free=${KEY}'];
  for (const [words, message] of [
    [[...base, '--shard', '3/2'], /--shard takes I\/N, not "3\/2"/],
    [['run', '--shard', '1/2'], /each part would start its own embedded server/],
    [[...base, '--shard', '1/2', '--only', 'load'], /--only load leaves them out/],
    [[...base, '--shard', '1/2', '--replay', '7:1'], /--replay leaves them out/],
    [[...base, '--shard', '1/2', '--last-failed'], /results of the others/],
    [[...base, '--shard', '1/2', '--certify'], /--certify works only with a whole run/],
    [[...base, '--shard', '1/2', '--baseline', 'b.yaml'], /--baseline works only with a whole run/],
    [[...base, '--shard', '1/2', '--notify', 'https://example.com'], /--notify works only with a whole run/],
    [[...base, '--shard', '1/900'], /too few for 900 parts/],
  ] as const) {
    const { code, stderr } = await petstoreHere(words, { cwd, env: { KEY: 'some-key-of-a-test' } });
    assert.equal(code, 2, `${words.join(' ')}: ${stderr}`);
    assert.match(stderr, message);
    assert.match(stderr, /what to do/);
  }
});

for (const count of [2, 5])
  test(`each of ${count} parts stays within a Free minute`, async () => {
    const rows = loadLedger().requirements;
    const target = targetFromOptions({
      baseUrl: 'http://127.0.0.1:9/v1',
      keys: ['free=${KEY}'],
      env: { KEY: 'some-key-of-a-test' },
    });
    for (let index = 0; index < count; index += 1) {
      const selected = rowsOfShard(rows, null, { index, count });
      const { withKey } = await rehearse({ target, writes: true, asOf: '2026-11-20' }, selected);
      assert.ok(withKey > 0 && withKey <= 60, `part ${index + 1} of ${count}: ${withKey}`);
    }
  });
