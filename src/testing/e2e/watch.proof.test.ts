import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../loopback.js';
import { atTerminal, petstoreHere, SUITES_HERE } from './support/command.js';
import { folder } from './support/folder.js';
import { reference, targetFile } from './support/targets.js';

test('watch repeats unmet requirements when the server returns, and all after a change', async (t) => {
  const cwd = folder(t);
  const port = await freePort();
  const wrong = await reference(t, { port, flaws: ['default-limit-twenty-five'] });
  const { file, env } = targetFile(cwd, wrong.baseUrl, wrong.keys.business);
  mkdirSync(join(cwd, 'src'));
  const words = `watch --target ${file} --requirement list-limit-default --requirement list-ok --watch-dir src`;
  const { child, shows, ended } = atTerminal(words, { cwd, env: { ...env, ...SUITES_HERE, NO_COLOR: '1' } });
  await shows(/NOT CONFORMANT[\s\S]*watching +a change in src, [\s\S]*runs\s+open\s+requirements\s+again/);
  await wrong.close();
  // A save in the middle of a restart: the run waits for the server.
  writeFileSync(join(cwd, 'src/first.ts'), '');
  await shows(/── src\/first\.ts has changed/);
  await reference(t, { port, keys: wrong.keys });
  await shows(
    /CONFORMANT +1 of 1 [\s\S]*── nothing is open: everything once[\s\S]*CONFORMANT +2 of 2 [\s\S]*runs\s+everything/,
  );
  writeFileSync(join(cwd, 'src/server.ts'), '');
  await shows(/── src\/server\.ts has changed[\s\S]*CONFORMANT +2 of 2 [\s\S]*watching/);
  writeFileSync(join(cwd, 'src/last.ts'), '');
  await shows(/── src\/last\.ts has changed[\s\S]*preflight +reachable/);
  // In the middle of the run, or just behind it on a fast machine.
  child.stdin?.write('\x03');
  const { code, stdout } = await ended;
  assert.ok(code === 3 || code === 0, stdout);
  assert.doesNotMatch(stdout, /Cannot start|server stopped/);
  assert.doesNotMatch(stdout, /^new {2}/m, 'what an interrupted run did not judge is no change');
  const runs = readdirSync(join(cwd, 'reports')).filter((name) => name !== 'latest.json');
  // On a slow machine a run may outlast the server's idle timeout, which looks like a reload.
  const repeated = stdout.match(/the server was reloaded meanwhile: again/g)?.length ?? 0;
  assert.equal(runs.length, 5 + repeated, 'no run that did not start');
});

test('watch requires a server and rejects unsuitable options', async (t) => {
  const cwd = folder(t);
  for (const [words, says] of [
    [['watch'], /watch needs a server/],
    [['watch', '--certify'], /--certify works with run/],
    [['watch', '--watch-dir', 'nowhere'], /nowhere is not a folder/],
  ] as const) {
    const { code, stderr } = await petstoreHere(words, { cwd });
    assert.equal(code, 2);
    assert.match(stderr, says);
  }
});
