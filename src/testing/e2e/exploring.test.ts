import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { petstore, start } from './support/command.js';
import { folder } from './support/folder.js';
import { recording } from './support/recording.js';
import { recordsIn, resultsIn } from './support/results.js';
import { reference, targetFile } from './support/targets.js';
import { reaches } from './support/watch.js';

/** Runs the command against a server behind one that writes down what it is asked. */
async function exploring(
  t: TestContext,
  server: Awaited<ReturnType<typeof reference>>,
  words: readonly string[],
  settings: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const cwd = folder(t);
  const { baseUrl, seen } = await recording(t, server.baseUrl);
  const named = targetFile(cwd, baseUrl, server.keys.business, settings);
  const ended = await petstore(['run', '--target', named.file, '--report-dir', 'run', ...words], {
    cwd,
    env: { ...named.env, ...env },
  });
  const results = resultsIn(join(cwd, 'run'));
  const { explored } = results;
  assert.ok(explored, ended.stdout + ended.stderr);
  // Exploring comes last.
  const own = explored.requests === 0 ? [] : seen.slice(-explored.requests);
  return { cwd, ended, results, explored, seen, own };
}

test('what exploring finds is told as a story, and its path shows it again with a few requests', async (t) => {
  const flawed = await reference(t, { flaws: ['category-array-taken'] });
  const first = await exploring(t, flawed, ['--profile', 'explore', '--explore', '400', '--seed', '7']);
  assert.equal(first.ended.code, 1, first.ended.stdout + first.ended.stderr);
  const [story, ...others] = first.explored.stories;
  assert.ok(story && others.length === 0);
  assert.equal(story.requirement, 'create-invalid-value');
  assert.equal(story.steps.length, 1);
  assert.match(first.ended.stdout.replaceAll(/\s+/g, ' '), new RegExp(`again: --replay ${story.replay}`));
  const page = readFileSync(join(first.cwd, 'run/index.html'), 'utf8');
  for (const words of ['Found by exploring', `--replay ${story.replay}`, 'What was tried', 'curl -sSi'])
    assert.ok(page.includes(words), words);

  const again = await exploring(t, flawed, ['--replay', story.replay]);
  assert.equal(again.ended.code, 1, again.ended.stdout);
  assert.deepEqual(
    again.explored.stories.map(({ steps }) => steps),
    [story.steps],
  );
  assert.ok(again.seen.length < 12, `${again.seen.length} requests`);
  assert.match(again.ended.stdout.replaceAll(/\s+/g, ' '), /only the story \S+ was performed again/);

  const mended = await exploring(t, await reference(t), ['--replay', story.replay]);
  assert.equal(mended.ended.code, 0, mended.ended.stdout);
  assert.deepEqual(mended.explored.stories, []);
});

test('the same seed sends the same to the same server, no more than was asked for, and meets no limit', async (t) => {
  const words = ['--requirement', 'list-ok', '--explore', '120', '--seed', '11'];
  const keys = { business: 'pk-the-same-key-of-both-servers' };
  const [one, other] = [
    await exploring(t, await reference(t, { keys }), words),
    await exploring(t, await reference(t, { keys }), words),
  ];
  for (const { own, explored, seen, ended } of [one, other]) {
    assert.equal(ended.code, 0, ended.stdout);
    assert.ok(own.length > 90 && own.length <= 120, `${own.length}`);
    assert.equal(own.length, explored.requests);
    assert.deepEqual(
      seen.filter(({ status }) => status === 429),
      [],
    );
  }
  // Side by side they come in any order.
  const lines = ({ own }: typeof one) => own.map(({ line, body }) => `${line} ${body}`).sort();
  assert.deepEqual(lines(one), lines(other));
});

test('after load with several keys exploring waits for the key’s minute, and meets no limit', async (t) => {
  const server = await reference(t, { minuteSeconds: 3 });
  const { keys } = server;
  const { ended, results, explored, own } = await exploring(
    t,
    server,
    ['--profile', 'burst', '--profile', 'explore', '--plan', 'free', '--plan', 'pro', '--seed', '3'],
    ['  free: ${FREE_KEY}', '  pro: ${PRO_KEY}', 'suiteKey: pro', 'windows: { minute: 3, day: 86400 }'],
    { FREE_KEY: keys.free, PRO_KEY: keys.pro },
  );
  assert.ok(ended.code === 0 || ended.code === 3, ended.stdout + ended.stderr);
  assert.equal(explored.asked, 75);
  assert.ok(own.length >= 60 && own.length <= 75, `${own.length}`);
  assert.deepEqual(
    own.filter(({ status }) => status === 429),
    [],
  );
  assert.deepEqual(results.load.map(({ profile, plan }) => `${profile} ${plan}`).sort(), ['burst free', 'burst pro']);
});

test('where others use the key as well, exploring leaves them a part of it', async (t) => {
  const server = await reference(t, { minuteSeconds: 1 });
  const { ended, own } = await exploring(
    t,
    server,
    ['--requirement', 'list-ok', '--explore', '120', '--seed', '3', '--read-only'],
    ['  free: ${FREE_KEY}', 'suiteKey: free', 'exclusive: false', 'windows: { minute: 1, day: 86400 }'],
    { FREE_KEY: server.keys.free },
  );
  assert.equal(ended.code, 0, ended.stdout + ended.stderr);
  assert.ok(own.length > 90, `${own.length}`);
  assert.deepEqual(
    own.filter(({ status, line }) => status === 429 || line.startsWith('POST')),
    [],
  );
});

for (const [moment, requests] of [
  ['as exploring begins', 0],
  ['in the middle of exploring', 100],
] as const)
  test(`SIGINT ${moment}: the log says what was explored, and the report is there`, async (t) => {
    const cwd = folder(t);
    const server = await reference(t, { flaws: ['category-array-taken'] });
    const { baseUrl, seen, until } = await recording(t, server.baseUrl);
    const { file, env } = targetFile(cwd, baseUrl, server.keys.business);
    const words = ['run', '--target', file, '--requirement', 'create-*', '--explore', '800', '--seed', '7'];
    const run = start([...words, '--report-dir', 'run'], { cwd, env });
    t.after(() => run.child.kill('SIGKILL'));
    const directory = join(cwd, 'run');
    await reaches(directory, (records) => records.some(({ type }) => type === 'explored'));
    await until(seen.length + requests);
    run.child.kill('SIGINT');
    const { code, stdout, stderr } = await run.ended;
    assert.ok(code === 3 || code === 1, `${code} ${stdout}${stderr}`);
    const last = recordsIn(directory).findLast((record) => record.type === 'explored');
    assert.ok(last?.type === 'explored');
    assert.equal(last.stopped, 'interrupted');
    const told = Object.values(last.requests).reduce((sum, count) => sum + count, 0);
    assert.ok(told >= requests && told < 800, `${told}`);
    const tried = last.classes.filter((each) => each.tried > 0).length;
    assert.ok(requests === 0 || tried > 30, `${tried} classes`);
    assert.equal(resultsIn(directory).complete, false);
    assert.ok(existsSync(join(directory, 'index.html')));
    assert.match(
      stdout.replaceAll(/\s+/g, ' '),
      /of 800 requests, seed 7: found (nothing|1 story), ended early: interrupted/,
    );
  });
