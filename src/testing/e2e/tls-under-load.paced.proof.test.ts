import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { CERTIFICATES } from '../certificates.js';
import { tlsFront } from '../tls-front.js';
import { petstore, petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { isOpenBySlowness, resultsIn } from './support/results.js';
import { reference, targetFile } from './support/targets.js';

/** Long enough that a burst and parallel requests stay within it on a slow machine. */
const MINUTE_S = 6;

/** Returns all output and files of a run. */
const allOf = (directory: string, printed: string): string =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n') + printed;

/** Runs load on a reference server behind TLS; from one connection on it shows another certificate. */
async function underLoad(
  context: TestContext,
  trusted: number,
  env: Readonly<Record<string, string>> = {},
  command = petstore,
) {
  const cwd = folder(context);
  const server = await reference(context, { minuteSeconds: MINUTE_S });
  const front = await tlsFront(context, new URL(server.baseUrl).origin, (connection) =>
    connection <= trusted ? 'trusted' : 'stranger',
  );
  // The smallest limit: a busy machine exhausts it within a window too.
  const key = server.keys.free;
  writeFileSync(join(cwd, 'ca.pem'), CERTIFICATES.trusted);
  const settings = ['http: { ca: ./ca.pem }', `windows: { minute: ${MINUTE_S}, day: 86400 }`];
  const { file, env: keys } = targetFile(cwd, `${front.origin}/v1`, key, settings, 'free');
  const words = [
    'run',
    '--target',
    file,
    '--only',
    'load',
    '--requirement',
    'rate-concurrent',
    '--report-dir',
    'run',
  ];
  const ended = await command(words, { cwd, env: { ...keys, ...env } });
  return { ...ended, front, server, key, cwd, results: resultsIn(join(cwd, 'run')) };
}

test('load over TLS with a trusted certificate passes', async (t) => {
  const { code, stdout, stderr, front, results } = await underLoad(t, Number.POSITIVE_INFINITY);
  assert.ok(front.read('trusted') > 0);
  const row = results.requirements.find(({ id }) => id === 'rate-concurrent') ?? assert.fail();
  // On a busy machine a burst may outlast a window: then the row is open, and for no reason of TLS.
  if (isOpenBySlowness(row)) return assert.equal(code, 3, stdout + stderr);
  assert.equal(row.outcome, 'passed', stdout + stderr);
  assert.equal(code, 0, stdout + stderr);
});

test('a certificate changed during load receives nothing, and the run exits with 3', async (t) => {
  const { code, stdout, stderr, front, key, cwd, results } = await underLoad(t, 2);
  assert.equal(code, 3, stdout + stderr);
  assert.ok(front.connections() > 2);
  assert.equal(front.read('stranger'), 0);
  const row = results.requirements.find(({ id }) => id === 'rate-concurrent');
  assert.equal(row?.outcome, 'inconclusive');
  assert.equal(row.reason?.code, 'untrusted');
  assert.match(
    row.reason.text,
    /^No trusted TLS connection .*(DEPTH_ZERO_SELF_SIGNED_CERT|self-signed certificate)/,
  );
  assert.match(stdout.replace(/\s+/g, ' '), /No trusted TLS connection/i);
  assert.ok(!allOf(join(cwd, 'run'), stdout + stderr).includes(key));
});

test('an untrusted certificate receives nothing, despite the environment, with exit code 3', async (t) => {
  for (const [env, command] of [
    [{}, petstoreHere],
    // Node reads the variable of its own process.
    [{ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, petstore],
  ] as const) {
    const { code, stdout, stderr, front, server } = await underLoad(t, 0, env, command);
    assert.equal(code, 3, stdout + stderr);
    assert.match(stdout, /^Cannot start: the certificate of .* is not trusted/m);
    assert.equal(front.read('stranger'), 0);
    assert.equal(server.requests(), 0);
  }
});
