import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exampleResults } from '../../report/example-run.test.support.js';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { reference, targetFile } from './support/targets.js';

test('compare states if two environments agree, also by its exit code', async (t) => {
  const cwd = folder(t);
  const judge = async (name: string, baseUrl: string, key: string) =>
    petstoreHere(
      [
        'run',
        '--base-url',
        baseUrl,
        '--key',
        `business=${key}`,
        '--requirement',
        'list-ok',
        '--report-dir',
        name,
      ],
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
    [
      'one',
      'absent',
      3,
      /^environments-agree +could not be determined: no requirement was judged in both runs/m,
    ],
  ] as const) {
    const ended = await petstoreHere(['compare', before, after], { cwd });
    assert.match(ended.stdout, says);
    assert.equal(ended.code, code, `${before} and ${after}`);
  }
});

test('two environments differ; none of them is worse, newly failing or no longer tested', async (t) => {
  const cwd = folder(t);
  const run = async (name: string, flaws: readonly string[], ...words: readonly string[]) => {
    const server = await reference(t, { flaws: [...flaws] });
    const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
    return petstoreHere(['run', '--target', file, '--report-dir', name, ...words], { cwd, env });
  };
  const few = ['--requirement', 'list-ok', '--requirement', 'create-ok'];
  await run('staging', [], ...few);
  await run('production', ['plain-listing-fails'], ...few);
  const { code, stdout } = await petstoreHere(['compare', 'staging', 'production', '--out', 'c'], { cwd });
  assert.equal(code, 1);
  assert.match(stdout, /differs from .*: failing on \S+, not on \S+: list-ok/);
  for (const text of [
    stdout,
    readFileSync(join(cwd, 'c.md'), 'utf8'),
    readFileSync(join(cwd, 'c.html'), 'utf8'),
  ])
    assert.doesNotMatch(text.replaceAll(/<[^>]*>/g, ' '), /\b(?:worse|newly|no longer|Before|Now)\b/);
});

test('compare refuses a load run beside a conformance run', async (t) => {
  const cwd = folder(t);
  const results = exampleResults();
  const generator = { loopLagMs: 0, cpu: 0, saturated: false };
  const nothing = { phases: [], thresholds: [], violations: [], agents: [], remarks: [] };
  for (const [name, value] of [
    ['plain', results],
    ['load', { ...results, capacity: { scenario: 'peak', generator, ...nothing } }],
  ] as const) {
    mkdirSync(join(cwd, name));
    writeFileSync(join(cwd, name, 'results.json'), JSON.stringify(value));
  }
  for (const [before, after, which] of [
    ['plain', 'load', 'second'],
    ['load', 'plain', 'first'],
  ] as const) {
    const { code, stdout, stderr } = await petstoreHere(['compare', before, after], { cwd });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(
      stderr.replaceAll(/\s+/g, ' '),
      new RegExp(`The ${which} run is a load run \\(scenario peak\\)`),
    );
  }
});
