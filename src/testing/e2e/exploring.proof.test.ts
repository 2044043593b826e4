import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { start } from './support/command.js';
import { exploring } from './support/exploring.js';
import { folder } from './support/folder.js';
import { recording } from './support/recording.js';
import { recordsIn, resultsIn } from './support/results.js';
import { reference, targetFile } from './support/targets.js';
import { until } from './support/until.js';
import { reaches } from './support/watch.js';

test('the same seed sends the same requests, within the budget and without 429', async (t) => {
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
  // Parallel requests come in any order.
  const lines = ({ own }: typeof one) => own.map(({ line, body }) => `${line} ${body}`).sort();
  assert.deepEqual(lines(one), lines(other));
});

test('exploring after load waits for the next window and gets no 429', async (t) => {
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
  assert.deepEqual(results.load.map(({ profile, plan }) => `${profile} ${plan}`).sort(), [
    'burst free',
    'burst pro',
  ]);
});

test('exploring leaves part of the limit to other clients of the key', async (t) => {
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
  ['at the start of exploring', 0],
  ['in the middle of exploring', 100],
] as const)
  test(`SIGINT ${moment}: log and report state what was explored`, async (t) => {
    const cwd = folder(t);
    const server = await reference(t, { flaws: ['category-array-taken'] });
    const { baseUrl, seen } = await recording(t, server.baseUrl);
    const { file, env } = targetFile(cwd, baseUrl, server.keys.business);
    const words = ['run', '--target', file, '--requirement', 'create-*', '--explore', '800', '--seed', '7'];
    const run = start([...words, '--report-dir', 'run'], { cwd, env });
    t.after(() => run.child.kill('SIGKILL'));
    const directory = join(cwd, 'run');
    await reaches(run, directory, (records) => records.some(({ type }) => type === 'explored'));
    const before = seen.length;
    await until(`${requests} requests`, () => seen.length >= before + requests, run);
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
      /of 800 requests, seed 7: found (nothing|\d+ stor(y|ies)),( fetched \d+ of \d+ animals that it did not create,)? ended early: interrupted/,
    );
  });
