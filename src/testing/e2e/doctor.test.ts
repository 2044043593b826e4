import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { petstoreHere, start } from './support/command.js';
import { filesIn, folder } from './support/folder.js';
import { answering, answeringOverTls, closedPort, silent } from './support/servers.js';
import { reference } from './support/targets.js';

const KEY = 'some-key-of-a-test';

/** Timeout of a run. */
const PATIENT = 'http: { timeoutMs: 60000 }\n';

async function doctor(
  t: TestContext,
  baseUrl: string,
  keys: Readonly<Record<string, string>>,
  settings = '',
) {
  const cwd = folder(t);
  const variables = Object.keys(keys).map((plan) => `  ${plan}: \${KEY_${plan.toUpperCase()}}\n`);
  writeFileSync(join(cwd, 't.yaml'), `name: t\nbaseUrl: ${baseUrl}\nkeys:\n${variables.join('')}${settings}`);
  const env = Object.fromEntries(
    Object.entries(keys).map(([plan, key]) => [`KEY_${plan.toUpperCase()}`, key]),
  );
  const startedAt = Date.now();
  const ended = await petstoreHere(['doctor', '--target', 't.yaml'], { cwd, env });
  assert.deepEqual(
    filesIn(cwd).map(({ name }) => name),
    ['t.yaml'],
    'nothing is written',
  );
  for (const key of Object.values(keys)) assert.ok(!(ended.stdout + ended.stderr).includes(key.slice(0, 8)));
  return { ...ended, text: ended.stdout.replaceAll(/\s+/g, ' '), tookMs: Date.now() - startedAt };
}

describe('doctor for a usable target', () => {
  test('sends one request per key and lists the requests of a run', async (t) => {
    const server = await reference(t);
    const { free, pro, sacrificial } = server.keys;
    const { code, stdout, text } = await doctor(t, server.baseUrl, { free, pro, sacrificial });
    assert.equal(code, 0, stdout);
    assert.equal(server.requests(), 3);
    assert.match(stdout, /^✓ reachable +in [\d.]+ m?s · clocks agree · 48 animals$/m);
    for (const plan of ['free', 'pro', 'sacrificial'])
      assert.match(stdout, new RegExp(`^✓ ${plan} +key accepted`, 'm'));
    assert.match(text, /no key business, enterprise: not tested/);
    assert.match(text, /would judge up to \d+ of \d+ requirements/);
    assert.match(stdout, /^ +pro +\d\d +[\d,]+$/m, 'by the suites and by load');
    assert.match(stdout, /^ +without a key +\d\d$/m);
    assert.match(stdout, /^READY[\s\S]*^next +petstore-conformance run --target t\.yaml$/m);
    for (const line of stdout.split('\n').slice(2)) assert.ok(line.length <= 80, line);
  });

  test('states a remedy for each doubt', async (t) => {
    const server = await reference(t, { plans: { pro: { perMinute: 60, perDay: 1000 } }, animals: 0 });
    const { code, text } = await doctor(
      t,
      server.baseUrl,
      { pro: server.keys.pro },
      'writes: false\nproduction: true\n',
    );
    assert.equal(code, 0, text);
    assert.match(
      text,
      /! responses to the pro key show a limit of 60, but the plan has 300 .* Give the key under its own plan/,
    );
    assert.match(text, /! the store is empty, and writes are off\. Add animals, or allow writes/);
    assert.match(text, /left out .*--allow-load-on-production/);
  });
});

test('an interrupted doctor states nothing about the target', async (t) => {
  const { baseUrl, askedBy } = await silent(t);
  const words = ['doctor', '--base-url', baseUrl, '--key', 'free=${KEY_OF_TEST}'];
  const doctor = start(words, { cwd: folder(t), env: { KEY_OF_TEST: KEY } });
  await askedBy(doctor);
  doctor.child.kill('SIGTERM');
  const { code, stdout } = await doctor.ended;
  assert.equal(code, 3, stdout);
  assert.match(stdout, /Interrupted\./);
  assert.doesNotMatch(stdout, /NOT READY/);
});

describe('doctor reports NOT READY for a target', () => {
  const cases: readonly [
    title: string,
    baseUrlOf: (t: TestContext) => string | Promise<string>,
    says: RegExp,
  ][] = [
    [
      'on a closed port',
      () => closedPort(),
      /NOT READY nothing listens at .* Start the server or correct the address/,
    ],
    [
      'with an unknown host name',
      () => 'http://nowhere.invalid/v1',
      /NOT READY the host name .* does not resolve\. Correct/,
    ],
    [
      'without /v1',
      async (t) => (await reference(t)).baseUrl.replace('/v1', ''),
      /NOT READY .* [Dd]id you mean .*\/v1 \?/,
    ],
    [
      'with another key',
      async (t) => (await reference(t)).baseUrl,
      /NOT READY .* refused the Free key \(401\)\. Check KEY_FREE/,
    ],
    [
      'that never responds',
      async (t) => (await silent(t)).baseUrl,
      /NOT READY .* did not respond within 1\.5 s\. .* A run waits 1 min/,
    ],
    [
      'with a self-signed certificate',
      (t) => answeringOverTls(t, () => undefined),
      /NOT READY the certificate of .* http\.ca/,
    ],
    [
      'that is an HTML page',
      (t) =>
        answering(t, (_, response) =>
          response.setHeader('Content-Type', 'text/html').end('<!doctype html><p>x'),
        ),
      /NOT READY .* is an HTML page \(200\)/,
    ],
    [
      'that responds with 429',
      (t) => answering(t, (_, response) => response.writeHead(429, { 'Retry-After': '30' }).end('{}')),
      /NOT READY .* returns 429 to the free key now\. It asks to wait until \d\d:\d\d:\d\d UTC/,
    ],
  ];
  for (const [title, baseUrlOf, says] of cases)
    test(title, async (t) => {
      const { code, text, tookMs } = await doctor(t, await baseUrlOf(t), { free: KEY }, PATIENT);
      assert.equal(code, 3, text);
      assert.match(text, says);
      // Far more than it takes, and far less than the timeout.
      assert.ok(tookMs < 30_000, `${tookMs} ms: it waits for no answer as long as a run does`);
    });

  test('that rejects one of its keys', async (t) => {
    const server = await reference(t);
    const { code, text } = await doctor(t, server.baseUrl, { free: KEY, pro: server.keys.pro });
    assert.equal(code, 3, text);
    assert.match(
      text,
      /✓ pro key accepted.* ✗ free it refuses the key\. Check KEY_FREE.* NOT READY .* Free key \(401\)/,
    );
  });
});
