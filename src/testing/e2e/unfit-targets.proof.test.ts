import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { attribute, readXml } from '../../report/strict-xml.test.support.js';
import { CERTIFICATES } from '../certificates.js';
import { petstore, petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { idsThat, resultsIn } from './support/results.js';
import { answering, answeringOverTls, closedPort, answeringHttpOverTls } from './support/servers.js';
import { KEY_VARIABLE, reference, targetFile } from './support/targets.js';

/**
 * Targets that cannot be judged. Exit code 3 and three lines if a run cannot start; 1 if the target is at
 * fault.
 */

const KEY = 'pk-some-key-of-a-test-1234567890';

const SUITES = ['--only', 'suites'];
const ONE_ROW = [...SUITES, '--requirement', 'list-ok'];

/**
 * Judges in this process unless `by` differs: such a run is short, and starting a process takes longer. By
 * default it plans only load: preflight is the same, and no process for the suites starts.
 */
async function judge(
  cwd: string,
  baseUrl: string,
  settings: readonly string[] = [],
  words: readonly string[] = ['--only', 'load'],
  { key = KEY, by = petstoreHere }: { readonly key?: string; readonly by?: typeof petstoreHere } = {},
) {
  const { file, env } = targetFile(cwd, baseUrl, key, settings);
  const ended = await by(['run', '--target', file, '--report-dir', 'run', ...words], { cwd, env });
  return { ...ended, cwd, results: resultsIn(join(cwd, 'run')) };
}

async function expectNotStarted(
  { code, stdout, stderr, results, cwd }: Awaited<ReturnType<typeof judge>>,
  obstacle: string,
  ...says: readonly RegExp[]
): Promise<void> {
  assert.equal(code, 3, stdout + stderr);
  assert.equal(stderr, '');
  const lines = stdout.trimEnd().split('\n');
  assert.equal(lines.length, 3, stdout);
  assert.match(stdout, /^Cannot start: \S/);
  assert.equal(lines[2], 'Nothing was judged. Report: run/index.html');
  for (const pattern of says) assert.match(stdout, pattern);
  assert.equal(results.complete, false);
  assert.equal(results.verdict, 'inconclusive');
  assert.equal(results.obstacle?.code, obstacle);
  // Not even rows that any response can show, because it may be a proxy's response.
  assert.deepEqual(
    new Set(results.requirements.map(({ outcome }) => outcome)),
    new Set(['inconclusive', 'not-applicable']),
  );
  // Only the terminal keeps a blank between an address and the full stop, so that a click does not take it along.
  const sentence = (lines[0] ?? '').replace(/ \.$/, '.');
  const suites = readXml(readFileSync(join(cwd, 'run', 'junit.xml'), 'utf8')).children;
  const cases = suites.flatMap(({ children }) => children).filter(({ name }) => name === 'testcase');
  const errors = cases.flatMap(({ children }) => children).filter(({ name }) => name === 'error');
  assert.equal(cases.length, 1);
  assert.equal(errors.length, 1);
  assert.ok(errors[0] && attribute(errors[0], 'message')?.includes(sentence), sentence);
  const page = readFileSync(join(cwd, 'run', 'index.html'), 'utf8');
  const texts = ['summary.md', 'todo.md'].map((name) => readFileSync(join(cwd, 'run', name), 'utf8'));
  for (const file of [page, ...texts])
    assert.doesNotMatch(file, /\bholds?\b.{0,30}\brequired|What to fix|Nothing to fix/);
  assert.ok(textOf(page).includes(sentence), sentence);
}

/** Returns the text of a markup file, with references resolved. */
const textOf = (markup: string): string =>
  markup.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

for (const by of [petstore, petstoreHere])
  test(`a closed port cannot be tested, by ${by.name}`, async (t) => {
    const baseUrl = await closedPort();
    await expectNotStarted(
      await judge(folder(t), baseUrl, [], SUITES, { by }),
      'refused',
      new RegExp(`^Cannot start: nothing listens at ${baseUrl} \\.$`, 'm'),
      /^Start the server or correct the address\.$/m,
    );
  });

test('--verbose lists the untested requirements before the three lines', async (t) => {
  const { stdout } = await judge(folder(t), await closedPort(), [], [...SUITES, '--verbose']);
  assert.match(
    stdout,
    /\? list-ok +could not be determined: the run could not start:\s+nothing\s+listens\s+at\s+its\s+address/,
  );
  assert.match(stdout, /^Cannot start: nothing listens[^]*^Nothing was judged\. Report: run\/index\.html$/m);
});

test('an unknown host name cannot be tested', async (t) => {
  await expectNotStarted(
    await judge(folder(t), 'http://nohost.invalid/v1'),
    'unknown-host',
    /does not resolve/,
  );
});

test('an untrusted certificate is named with its reason', async (t) => {
  const baseUrl = await answeringOverTls(t, (_request, response) => response.end('[]'));
  await expectNotStarted(
    await judge(folder(t), baseUrl),
    'tls',
    /the certificate of https:\S+ \(for "127\.0\.0\.1", issued by itself, valid until 2126-10-27\) is not trusted: self-signed/,
    /http\.ca/,
  );
});

test('a certificate declared as authority is accepted', async (t) => {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'ca.pem'), CERTIFICATES.trusted);
  const baseUrl = await answeringOverTls(t, (_request, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]'),
  );
  const { code, stderr } = await judge(cwd, baseUrl, ['http: { ca: ./ca.pem }'], ONE_ROW);
  assert.equal(code, 0, stderr);
});

test('a TLS server without a certificate cannot be tested', async (t) => {
  const baseUrl = await answeringOverTls(t, (_request, response) => response.end('[]'), {});
  await expectNotStarted(
    await judge(folder(t), baseUrl),
    'tls',
    /the TLS handshake with \S+ failed: [a-z0-9 ]+\.$/m,
  );
});

test('plain HTTP on an https address cannot be tested', async (t) => {
  const baseUrl = await answering(t, (_request, response) => response.end('[]'));
  const ended = await judge(folder(t), baseUrl.replace('http:', 'https:'));
  await expectNotStarted(ended, 'tls', /does not speak TLS/, /http:\/\//);
});

test('a rejected key is named with its plan and variable', async (t) => {
  const { baseUrl } = await reference(t);
  const ended = await judge(folder(t), baseUrl);
  await expectNotStarted(
    ended,
    'key-refused',
    /refused the Business key \(401\)/,
    new RegExp(`Check ${KEY_VARIABLE}`),
  );
});

test('a base address without version, or without /pets, cannot be tested', async (t) => {
  const server = await reference(t);
  const bare = server.baseUrl.replace(/\/v1$/, '');
  const meant = new RegExp(`[Dd]id you mean ${bare}/v1 \\?`);
  const known = await judge(folder(t), bare, [], undefined, { key: server.keys.business });
  await expectNotStarted(known, 'not-found', meant);
  // A server that checks keys before paths answers an unknown key with 401, which hides the missing path.
  await expectNotStarted(await judge(folder(t), bare), 'key-refused', meant);
  const elsewhere = await answering(t, (_request, response) => response.writeHead(404).end('no such page'));
  await expectNotStarted(await judge(folder(t), elsewhere), 'not-found', /no \/pets under \S+\/v1 \(404\)/);
});

test('a 404 with an Error body is judged, with exit code 1', async (t) => {
  const baseUrl = await answering(t, (_request, response) =>
    response
      .writeHead(404, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ code: 'not_found', message: 'no such animal', status: 404 })),
  );
  const { code, results } = await judge(folder(t), baseUrl, [], ONE_ROW);
  assert.equal(code, 1);
  assert.ok(idsThat(results, 'failed').includes('list-ok'));
});

test('a target that never responds cannot be tested', async (t) => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const ended = await judge(folder(t), baseUrl, ['http: { timeoutMs: 300 }']);
  await expectNotStarted(ended, 'timeout', /did not respond within 300 ms/);
});

test('a target that closes connections cannot be tested', async (t) => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  await expectNotStarted(await judge(folder(t), baseUrl), 'reset', /without an HTTP response/);
});

test('a target that always responds with 429 cannot be tested', async (t) => {
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
  await expectNotStarted(await judge(folder(t), baseUrl), 'rate-limited', /returns 429 to the Business key/);
  assert.ok(requests <= 6, `${requests} requests`);
});

test('a target with a 429 and a very long Retry-After gets one request', async (t) => {
  let requests = 0;
  const baseUrl = await answering(t, (_request, response) => {
    requests += 1;
    response
      .writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '3600' })
      .end(JSON.stringify({ code: 'banned', message: 'too many', status: 429 }));
  });
  await expectNotStarted(
    await judge(folder(t), baseUrl),
    'rate-limited',
    /returns 429 to the Business key, and asks to wait 1 h\.$/m,
  );
  assert.equal(requests, 1);
});

for (const status of [502, 503, 504])
  test(`a proxy with ${status} cannot be tested`, async (t) => {
    const baseUrl = await answering(t, (_request, response) =>
      response.writeHead(status, { 'Content-Type': 'text/html' }).end('<html><h1>Bad Gateway</h1></html>'),
    );
    await expectNotStarted(
      await judge(folder(t), baseUrl, ['windows: { minute: 1, day: 86400 }']),
      'gateway',
      new RegExp(`a proxy at \\S+ returned ${status}`),
    );
  });

test('an HTML page instead of the service fails json-media-type', async (t) => {
  const baseUrl = await answering(t, (_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>It works!</title>'),
  );
  const { code, stdout, stderr, results } = await judge(folder(t), baseUrl, [], SUITES, { by: petstore });
  assert.equal(code, 1, stdout + stderr);
  assert.equal(stdout.trimEnd().split('\n').length, 3, stdout);
  assert.match(stdout, /^Cannot start: \S+\/v1\/pets is an HTML page \(200\), not JSON\.$/m);
  assert.match(
    stdout,
    /^An HTML page is not JSON, so json-media-type fails. Nothing else was judged\. Report: /m,
  );
  assert.equal(results.verdict, 'non-conformant');
  assert.equal(results.obstacle?.code, 'web-page');
  assert.deepEqual(idsThat(results, 'failed'), ['json-media-type']);
});

test('an HTML page without doctype fails json-media-type', async (t) => {
  for (const page of ['<div class="login">Please sign in</div>', 'Welcome', '']) {
    const baseUrl = await answering(t, (_request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page),
    );
    const { code, stdout, results } = await judge(folder(t), baseUrl);
    assert.equal(code, 1, stdout);
    assert.match(stdout, /^Cannot start: \S+ is an HTML page/);
    assert.deepEqual(idsThat(results, 'failed'), ['json-media-type']);
  }
});

for (const [what, status, to, says] of [
  [
    'to https',
    301,
    (path: string) => `https://pets.example${path}`,
    /redirects to https:\/\/pets\.example\/v1 ; use that\./,
  ],
  [
    'to https on another port',
    308,
    (path: string) => `https://127.0.0.1:8443${path}`,
    /to https:\/\/127\.0\.0\.1:8443\/v1 ; use/,
  ],
  [
    'to another version',
    307,
    (path: string) => path.replace('/v1', '/v2'),
    /redirects to http:\S+\/v2 ; use that\./,
  ],
  [
    'to a login page',
    302,
    (path: string) => `/login?next=${encodeURIComponent(path)}`,
    /every request \(302\) to \S+\/login/,
  ],
] as const)
  test(`a redirect of every request ${what} is named and not followed`, async (t) => {
    const asked: string[] = [];
    const baseUrl = await answering(t, (request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(status, { Location: to(request.url ?? '') }).end();
    });
    await expectNotStarted(
      await judge(folder(t), baseUrl),
      'redirect',
      says,
      /No (request and no )?key was sent there/,
    );
    assert.ok(asked.length <= 2 && asked.every((path) => path.startsWith('/v1/pets')), asked.join(' '));
  });

test('a redirect of the listing only is judged, with exit code 1', async (t) => {
  const baseUrl = await answering(t, (request, response) =>
    request.url?.startsWith('/v1/pets?') || request.url === '/v1/pets'
      ? response.writeHead(302, { Location: '/v2/pets' }).end()
      : response
          .writeHead(404, { 'Content-Type': 'application/json' })
          .end(JSON.stringify({ code: 'not_found', message: 'no such animal', status: 404 })),
  );
  const { code, results } = await judge(folder(t), baseUrl, [], ONE_ROW);
  assert.equal(code, 1);
  assert.ok(idsThat(results, 'failed').includes('list-ok'));
});

test('plain HTTP to a TLS port cannot be tested', async (t) => {
  const refuses = await answeringHttpOverTls(t);
  await expectNotStarted(await judge(folder(t), refuses), 'tls', /expects TLS, but the address says http/);
  const hangsUp = (await answeringOverTls(t, (_request, response) => response.end('[]'))).replace(
    'https:',
    'http:',
  );
  await expectNotStarted(await judge(folder(t), hangsUp), 'tls', /but the address says http\.$/m);
});

test('a login page before the service does not blame the key', async (t) => {
  const page = { 'Content-Type': 'text/html' };
  for (const [status, headers] of [
    [403, page],
    [401, { ...page, 'WWW-Authenticate': 'Basic realm="staging"' }],
  ] as const) {
    const baseUrl = await answering(t, (_request, response) =>
      response.writeHead(status, headers).end('<html><h1>Forbidden</h1></html>'),
    );
    const ended = await judge(folder(t), baseUrl);
    await expectNotStarted(ended, 'gate', /something in front of the service/, /Business key may be right/);
  }
});

test('a 503 with Retry-After of one hour causes no wait', async (t) => {
  let requests = 0;
  const baseUrl = await answering(t, (_request, response) => {
    requests += 1;
    response
      .writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '3600' })
      .end(JSON.stringify({ code: 'down', message: 'maintenance', status: 503 }));
  });
  await expectNotStarted(
    await judge(folder(t), baseUrl),
    'gateway',
    /returns 503 and asks to retry in 1 h\.$/m,
  );
  assert.equal(requests, 1);
});

test('an HTML page with 500 is judged, with exit code 1', async (t) => {
  const baseUrl = await answering(t, (_request, response) =>
    response
      .writeHead(500, { 'Content-Type': 'text/html' })
      .end('<!doctype html><title>Internal Server Error</title>'),
  );
  const { code, results } = await judge(folder(t), baseUrl, [], ONE_ROW);
  assert.equal(code, 1);
  assert.ok(idsThat(results, 'failed').includes('list-ok'));
});

test('animals labelled as text/html are judged, with exit code 1', async (t) => {
  const baseUrl = await answering(t, (_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('[]'),
  );
  const { code, stdout, stderr, results } = await judge(folder(t), baseUrl, [], SUITES);
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

test('a wrong target clock is stated at the start and in the sentence', async (t) => {
  const { baseUrl, keys } = await reference(t, { variants: ['clock-ahead'] });
  const cwd = folder(t);
  const { file, env } = targetFile(cwd, baseUrl, keys.business);
  const { stdout } = await petstoreHere(
    ['run', '--target', file, '--requirement', 'list-ok', '--report-dir', 'run'],
    {
      cwd,
      env,
    },
  );
  assert.equal([...stdout.matchAll(/clock/g)].length, 2, stdout);
  assert.match(stdout.replaceAll(/\s+/g, ' '), /clock is \d+ \S+ .*ahead of this machine's/);
  const page = readFileSync(join(cwd, 'run', 'index.html'), 'utf8');
  const [, body = ''] = page.split('<body', 2);
  assert.equal([...body.matchAll(/target's clock/g)].length, 1);
});

test('--key can name an environment variable', async (t) => {
  const cwd = folder(t);
  const server = await reference(t);
  const { code, stderr } = await petstoreHere(
    ['run', '--base-url', server.baseUrl, '--key', `free=\${${KEY_VARIABLE}}`, '--requirement', 'list-ok'],
    { cwd, env: { [KEY_VARIABLE]: server.keys.free } },
  );
  assert.equal(code, 0, stderr);
});
