import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { resultsIn } from './support/results.js';
import { OWN_KEY, reference, targetFile } from './support/targets.js';

/** Makes the runs of three nights: a build that passes, the same build failing, and one with no server. */
async function nights(t: TestContext) {
  const cwd = folder(t);
  const judge = async (name: string, label: string, flaws: readonly string[]) => {
    const server = await reference(t, { flaws: [...flaws] });
    const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
    const words = [
      'run',
      '--target',
      file,
      '--requirement',
      'list-*',
      '--report-dir',
      `runs/${name}`,
      '--label',
      label,
    ];
    const ended = await petstoreHere(words, { cwd, env });
    // Each server has another port here; two nights of one server would have one address.
    const results = resultsIn(join(cwd, 'runs', name));
    const moved = { ...results, target: { ...results.target, baseUrl: 'http://127.0.0.1:8080/v1' } };
    writeFileSync(join(cwd, 'runs', name, 'results.json'), JSON.stringify(moved));
    await server.close();
    return ended.code;
  };
  assert.equal(await judge('1', '2.4.1', []), 0);
  assert.equal(await judge('2', '2.4.1', ['default-limit-twenty-five']), 1);
  const { file, env } = targetFile(cwd, 'http://127.0.0.1:9/v1', OWN_KEY);
  assert.equal(
    (await petstoreHere(['run', '--target', file, '--report-dir', 'runs/3'], { cwd, env })).code,
    3,
  );
  return cwd;
}

test('compare and history show new failures, links, since when, and flaky requirements', async (t) => {
  const cwd = await nights(t);

  mkdirSync(join(cwd, 'out'));
  const compared = await petstoreHere(['compare', 'runs/1', 'runs/2', '--out', 'out/changes'], { cwd });
  assert.equal(compared.code, 1);
  const [sentence = ''] = compared.stdout.split('\n');
  assert.match(
    sentence,
    /^under-test \(build 2\.4\.1\) is worse than the run on \S+ \S+ UTC \(build 2\.4\.1\): newly failing: list-limit-default/,
  );
  assert.match(compared.stdout, /before {2}passed, on \d+ responses/);
  assert.match(compared.stdout, /now {5}failed\n +found .*\n(?: +expected .*\n)? +received .*25/);
  assert.match(compared.stdout, /runs\/1\/index\.html/);
  const page = readFileSync(join(cwd, 'out/changes.html'), 'utf8');
  for (const [, link = ''] of page.matchAll(/href="(\.[^"#]*)/g))
    assert.ok(existsSync(join(cwd, 'out', link)), link);
  assert.match(page, /href="\.\.\/runs\/2\/index\.html#list-limit-default"/);

  const idle = await petstoreHere(['compare', 'runs/2', 'runs/3'], { cwd });
  assert.equal(idle.code, 3);
  assert.match(
    idle.stdout,
    /^under-test could not be tested, so there is nothing to compare: nothing listens/,
  );

  const history = await petstoreHere(['history', 'runs'], { cwd });
  assert.equal(history.code, 0);
  assert.match(
    history.stdout,
    /^under-test: not conformant since build 2\.4\.1 \(\S+\); 1 requirement fails; 1 flaky; 1 run never started\.$/m,
  );
  assert.match(
    history.stdout,
    /^ {2}list-limit-default +failing since build 2\.4\.1 \(\S+\); flaky: more than one outcome on build 2\.4\.1$/m,
  );
  const nightly = readFileSync(join(cwd, 'runs/history.html'), 'utf8');
  for (const [, link = ''] of nightly.matchAll(/href="(\.[^"#]*)/g))
    assert.ok(existsSync(join(cwd, 'runs', link)), link);
  assert.match(nightly, /never started/);
});
