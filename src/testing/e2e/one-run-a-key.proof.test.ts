import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { petstoreHere, start, SUITES_HERE } from './support/command.js';
import { folder } from './support/folder.js';
import { silent } from './support/servers.js';
import { KEY_VARIABLE, reference, targetFile } from './support/targets.js';
import { atPhase, reaches } from './support/watch.js';

/** Longer than any test here: a run that waits for a response keeps waiting. */
const PATIENT = 'http: { timeoutMs: 600000 }';

function words(cwd: string, baseUrl: string, directory: string): readonly string[] {
  mkdirSync(join(cwd, directory));
  const { file } = targetFile(join(cwd, directory), baseUrl, '', [PATIENT]);
  return ['run', '--target', file, '--requirement', 'list-ok', '--report-dir', join(directory, 'run')];
}

test('only one run at a time uses a key at an address', async (t) => {
  const cwd = folder(t);
  const { baseUrl: never, askedBy } = await silent(t);
  const other = await reference(t);
  const env = { [KEY_VARIABLE]: other.keys.business, ...SUITES_HERE };
  const first = start(words(cwd, never, 'first'), { cwd, env });
  t.after(() => first.child.kill('SIGKILL'));
  await askedBy(first);

  const second = await petstoreHere(words(cwd, never, 'second'), { cwd, env });
  assert.equal(second.code, 2);
  assert.match(second.stderr, /^usage +Another run on this machine is using the business key on http/m);
  assert.match(second.stderr, /^what to do +Wait/m);
  assert.match(second.stderr, /^code +key-in-use$/m);
  assert.ok(!second.stderr.includes(other.keys.business));
  // A slash at the end does not change the address.
  assert.equal((await petstoreHere(words(cwd, `${never}/`, 'with-slash'), { cwd, env })).code, 2);

  const elsewhere = await petstoreHere(words(cwd, other.baseUrl, 'elsewhere'), { cwd, env });
  assert.equal(elsewhere.code, 0, elsewhere.stderr);
  const otherKey = start(words(cwd, never, 'other-key'), {
    cwd,
    env: { [KEY_VARIABLE]: 'another-key-of-a-test', ...SUITES_HERE },
  });
  t.after(() => otherKey.child.kill('SIGKILL'));
  await reaches(otherKey, join(cwd, 'other-key/run'), atPhase('preflight'));
});

test('the lock of a killed run is ignored', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, { variants: ['slow-and-jittery'] });
  const env = { [KEY_VARIABLE]: server.keys.business, ...SUITES_HERE };
  const killed = start(words(cwd, server.baseUrl, 'killed'), { cwd, env });
  await reaches(killed, join(cwd, 'killed/run'), atPhase('suites'));
  killed.child.kill('SIGKILL');
  await killed.ended;
  const { code, stderr } = await petstoreHere(words(cwd, server.baseUrl, 'next'), { cwd, env });
  assert.equal(code, 0, stderr);
});

test('a run releases its lock when it is interrupted', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, { variants: ['slow-and-jittery'] });
  const env = { [KEY_VARIABLE]: server.keys.business, ...SUITES_HERE };
  const first = start(words(cwd, server.baseUrl, 'first'), { cwd, env });
  await reaches(first, join(cwd, 'first/run'), atPhase('suites'));
  first.child.kill('SIGINT');
  assert.equal((await first.ended).code, 3);
  assert.equal((await petstoreHere(words(cwd, server.baseUrl, 'second'), { cwd, env })).code, 0);
});
