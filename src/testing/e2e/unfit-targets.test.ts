import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadLedger } from '../../contract/ledger.js';
import { CERTIFICATES } from '../certificates.js';
import { petstore } from './support/command.js';
import type { Ended } from './support/command.js';
import { folder } from './support/folder.js';
import { idsThat, resultsIn } from './support/results.js';
import { answering, answeringOverTls, closedPort } from './support/servers.js';
import { KEY_VARIABLE, reference, targetFile } from './support/targets.js';

/** Targets that cannot be judged, and whose affair that is: code 3 where nothing is known, 1 where the target is to blame. */

const KEY = 'pk-some-key-of-a-test-1234567890';

async function judge(cwd: string, baseUrl: string, settings: readonly string[] = [], words: readonly string[] = []) {
  const { file, env } = targetFile(cwd, baseUrl, KEY, settings);
  const ended = await petstore(['run', '--target', file, '--only', 'suites', '--report-dir', 'run', ...words], {
    cwd,
    env,
  });
  return { ...ended, results: resultsIn(join(cwd, 'run')) };
}

function expectNotJudged(
  ended: Ended & Pick<Awaited<ReturnType<typeof judge>>, 'results'>,
  code: string,
  says: RegExp,
): void {
  const { stdout, stderr, results } = ended;
  assert.equal(ended.code, 3, stdout + stderr);
  assert.match(stderr, /^not judged +\S/m);
  assert.match(stderr, says);
  assert.match(stderr, /^what to do +\S/m);
  assert.match(stderr, new RegExp(`^code +${code}$`, 'm'));
  assert.doesNotMatch(stdout + stderr, /^ {4}at /m);
  assert.equal(results.complete, false);
  assert.equal(results.verdict, 'inconclusive');
  // What can be seen on any answer is judged even so; no statement that a suite makes is.
  const stated = loadLedger()
    .requirements.filter(({ judgedBy }) => judgedBy.kind === 'suite')
    .map(({ id }) => id);
  assert.deepEqual(
    idsThat(results, 'passed').filter((id) => stated.includes(id)),
    [],
  );
}

test('a closed port', async (t) => {
  const baseUrl = await closedPort();
  expectNotJudged(await judge(folder(t), baseUrl), 'refused', /Nothing listens at/);
});

test('a host name that does not resolve', async (t) => {
  expectNotJudged(await judge(folder(t), 'http://nohost.invalid/v1'), 'unknown-host', /host of .* is not known/);
});

test('a certificate that nobody vouches for', async (t) => {
  const baseUrl = await answeringOverTls(t, (_request, response) => response.end('[]'));
  expectNotJudged(await judge(folder(t), baseUrl), 'tls', /No trusted TLS connection/);
});

test('the same certificate, once it is declared as the authority, is no obstacle', async (t) => {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'ca.pem'), CERTIFICATES.trusted);
  const baseUrl = await answeringOverTls(t, (_request, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]'),
  );
  const { code, stderr } = await judge(cwd, baseUrl, ['http: { ca: ./ca.pem }'], ['--requirement', 'list-ok']);
  assert.equal(code, 0, stderr);
});

test('plain HTTP behind an https address', async (t) => {
  const baseUrl = await answering(t, (_request, response) => response.end('[]'));
  const ended = await judge(folder(t), baseUrl.replace('http:', 'https:'));
  expectNotJudged(ended, 'tls', /No trusted TLS connection/);
});

test('a key that the target does not know', async (t) => {
  const { baseUrl } = await reference(t);
  const ended = await judge(folder(t), baseUrl);
  expectNotJudged(ended, 'key-refused', /refuses the business key with 401/);
  assert.match(ended.stderr, /right one for this address/);
});

test('a target that never answers', async (t) => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  expectNotJudged(await judge(folder(t), baseUrl, ['http: { timeoutMs: 300 }']), 'timeout', /did not answer in time/);
});

test('a target that hangs up', async (t) => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  expectNotJudged(await judge(folder(t), baseUrl), 'reset', /without an HTTP answer/);
});

test('a target that answers 429 to everything', async (t) => {
  let requests = 0;
  const baseUrl = await answering(t, (_request, response) => {
    requests += 1;
    const now = Math.floor(Date.now() / 1000);
    response
      .writeHead(429, {
        'Content-Type': 'application/json',
        'Retry-After': '0',
        'X-RateLimit-Limit': '1000',
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': String(now + 1),
      })
      .end(JSON.stringify({ code: 'rate_limited', message: 'too many', status: 429 }));
  });
  expectNotJudged(await judge(folder(t), baseUrl), 'rate-limited', /answers 429/);
  assert.ok(requests <= 6, `${requests} requests`);
});

test('an HTML page where JSON should be is a target that fails: 1', async (t) => {
  const baseUrl = await answering(t, (_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>It works!</title>'),
  );
  const { code, stdout, stderr, results } = await judge(folder(t), baseUrl);
  assert.equal(code, 1, stdout + stderr);
  assert.equal(stderr, '');
  assert.equal(results.complete, true);
  assert.equal(results.verdict, 'non-conformant');
  assert.ok(idsThat(results, 'failed').includes('json-media-type'));
  assert.deepEqual(idsThat(results, 'error'), []);
  assert.match(stdout, /application\/json/);
  assert.match(stdout, /text\/html/);
  assert.doesNotMatch(stdout, /^ {4}at /m);
});

test('the key of the command line’s example comes from the environment', async (t) => {
  const cwd = folder(t);
  const server = await reference(t);
  const { code, stderr } = await petstore(
    ['run', '--base-url', server.baseUrl, '--key', `free=\${${KEY_VARIABLE}}`, '--requirement', 'list-ok'],
    { cwd, env: { [KEY_VARIABLE]: server.keys.free } },
  );
  assert.equal(code, 0, stderr);
});
