import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Finding } from '../../judge/findings/finding.js';
import type { Results } from '../../outcome/results/results.js';
import { EXAMPLE_HEADER } from '../../report/example-header.test.support.js';
import { exampleResults, inconclusive, violated } from '../../report/example-run.test.support.js';
import { aRun, copyOf, LISTS } from './support/a-run.js';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { OWN_KEY, reference, targetFile } from './support/targets.js';

test('compare states if two environments agree, also by its exit code', async (t) => {
  const { cwd } = copyOf(t, await aRun(LISTS));
  const judge = async (name: string, baseUrl: string, key: string) => {
    const words = ['--base-url', baseUrl, '--key', `business=${key}`, '--requirement', 'list-ok'];
    return petstoreHere(['run', ...words, '--report-dir', name], { cwd });
  };
  const [other, broken] = [await reference(t), await reference(t, { flaws: ['plain-listing-fails'] })];
  assert.equal((await judge('other', other.baseUrl, other.keys.business)).code, 0);
  assert.equal((await judge('broken', broken.baseUrl, broken.keys.business)).code, 1);
  assert.equal((await judge('absent', 'http://127.0.0.1:9/v1', OWN_KEY)).code, 3);

  for (const [before, after, code, says] of [
    ['run', 'other', 0, /^environments-agree +passed/m],
    ['run', 'broken', 1, /^environments-agree +failed: 1 requirement /m],
    ['broken', 'run', 1, /^environments-agree +failed: 1 requirement /m],
    [
      'run',
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

test('compare refuses a load run with a conformance run', async (t) => {
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

/** Writes runs of one address into folders of a folder, and returns a command that compares two of them. */
function runsIn(t: TestContext, runs: Readonly<Record<string, Results>>) {
  const cwd = folder(t);
  for (const [name, results] of Object.entries(runs)) {
    mkdirSync(join(cwd, name));
    writeFileSync(join(cwd, name, 'results.json'), JSON.stringify(results));
  }
  return (...words: readonly string[]) => petstoreHere(['compare', ...words], { cwd });
}

const at = (startedAt: string, findings: readonly Finding[] = []) =>
  exampleResults({ header: { startedAt }, findings });

test('compare ends with 3 where the runs judged nothing in common, and reports a wrong order of time', async (t) => {
  const { scope } = EXAMPLE_HEADER;
  const only = (id: 'list-ok' | 'get-ok') =>
    exampleResults({ header: { scope: { ...scope, selection: { requirements: [id] }, selected: [id] } } });
  const compare = runsIn(t, {
    list: only('list-ok'),
    get: only('get-ok'),
    green: at('2026-11-01T03:00:00.000Z'),
    dead: at('2026-11-02T03:00:00.000Z', [inconclusive('list-ok')]),
    bug: at('2026-11-03T03:00:00.000Z', [violated('list-ok')]),
  });
  const none = await compare('list', 'get');
  assert.equal(none.code, 3);
  assert.match(none.stdout, /^staging cannot be compared with .*: no requirement was judged in both/);
  const backwards = await compare('dead', 'green');
  assert.match(backwards.stdout, /^The older run was given second: staging /);
  assert.match(backwards.stdout, /^note {4}The first run started after the second/m);
  const bug = await compare('dead', 'bug');
  assert.equal(bug.code, 1);
  assert.match(bug.stdout, /^staging is worse than earlier runs: newly failing: list-ok\.$/m);
  assert.match(bug.stdout, /before {2}passed, on 1 response, in the run on 2026-11-01 03:00 UTC$/m);
});
