import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { petstore, start, type Ended } from './support/command.js';
import { filesIn, folder } from './support/folder.js';
import { playwright } from './support/playwright.js';
import { unpacked } from './support/playwright-report.js';
import { argumentsOf, workersOf } from './support/processes.js';
import { answering, closedPort } from './support/servers.js';
import { resultsIn } from './support/results.js';
import { searchFor } from './support/search.js';
import { KEY_VARIABLE, reference, targetFile } from './support/targets.js';
import { atExchange, reaches } from './support/watch.js';

/** No part of a key is in anything that a run leaves behind, whatever the target says and however the run ends. */

const CANARY = 'cnry_Q7xWv2LzP9kR4mT8bN3sD6fG1hJ5yU0eA';

const OTHERS = {
  free: 'free_M3nB8vC1xZ6lK9jH4gF7dS2aP5oI0uYtR',
  sacrificial: 'lamb_E4rT9yU2iO7pA1sD6fG3hJ8kL5zX0cVbN',
};

/** Letters in a row that are a part of a key beyond doubt. */
const PART = 8;

/** Everything that would give a key away: its parts, as it is, backwards and in what is read back without a secret. */
function tracesOf(key: string): readonly string[] {
  const hex = Buffer.from(key).toString('hex');
  const encoded = base64(key);
  return [
    ...[key, backwards(key), ...encoded, ...encoded.flatMap(base64)].flatMap((text) => partsOf(text)),
    ...partsOf(hex, 2 * PART),
    hex.replaceAll(/../g, '%$&'),
    hex.replaceAll(/../g, String.raw`\u00$&`),
    hex.replaceAll(/../g, '&#x$&;'),
  ];
}

const backwards = (text: string): string => Array.from(text).reverse().join('');

/** A text in Base64 for each place that it can begin at, without what depends on what stands beside it. */
const base64 = (text: string): readonly string[] =>
  [0, 1, 2].map((shift) =>
    Buffer.from(`${'.'.repeat(shift)}${text}`)
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  );

const partsOf = (text: string, length: number = PART): readonly string[] =>
  Array.from({ length: text.length - length + 1 }, (_, at) => text.slice(at, at + length));

const TRACES = [CANARY, ...Object.values(OTHERS)].flatMap(tracesOf);
const trace = searchFor(TRACES, PART);

function expectClean(where: string, text: string): void {
  const found = trace(text);
  if (!found) return;
  assert.fail(`${where} holds a part of a key: …${text.slice(Math.max(0, found.at - 80), found.at + 80)}…`);
}

function expectNothingLeft(cwd: string, { stdout, stderr }: Ended): void {
  expectClean('stdout', stdout);
  expectClean('stderr', stderr);
  for (const { name, bytes } of filesIn(cwd)) {
    expectClean(`the name ${name}`, name);
    expectClean(name, bytes.toString('latin1'));
    expectClean(`${name}, read as UTF-16`, bytes.toString('utf16le'));
    if (name.endsWith('.html'))
      for (const text of unpacked(bytes.toString('utf8'))) expectClean(`${name}, unpacked`, text);
  }
}

const settings = Object.entries(OTHERS).map(([plan]) => `  ${plan}: \${OTHER_${plan.toUpperCase()}}`);
const others = Object.fromEntries(Object.entries(OTHERS).map(([plan, key]) => [`OTHER_${plan.toUpperCase()}`, key]));

async function runAgainst(t: TestContext, baseUrl: string, ...words: readonly string[]) {
  const cwd = folder(t);
  const { file, env } = targetFile(cwd, baseUrl, CANARY, settings);
  const ended = await petstore(['run', '--target', file, ...words], { cwd, env: { ...env, ...others } });
  expectNothingLeft(cwd, ended);
  assert.ok(
    filesIn(cwd).some(({ name }) => name.endsWith('log.ndjson')),
    ended.stderr,
  );
  return { cwd, ended };
}

const suites = ['--only', 'suites', '--verbose'];

test('the traces that are searched for are found where they are', () => {
  for (const text of [CANARY, CANARY.slice(3, 20), Buffer.from(`${CANARY}:`).toString('base64'), CANARY.toUpperCase()])
    assert.throws(() => expectClean('here', `x ${text} y`), /here holds a part/);
  for (const each of TRACES)
    for (const before of ['', '-', '--', '---', '----'])
      assert.throws(() => expectClean('here', `${before}${each}`), /here holds a part/, each);
  assert.doesNotThrow(() => expectClean('here', 'Authorization: Bearer $PETSTORE_KEY'));
});

test('a passing run, its report rendered again, its comparison and its history', async (t) => {
  const server = await reference(t, { keys: { business: CANARY, ...OTHERS } });
  const { cwd, ended } = await runAgainst(t, server.baseUrl, ...suites, '--report-dir', 'reports/run', '--certify');
  assert.equal(ended.code, 3, ended.stdout);
  assert.match(ended.stderr, /^no certificate +Only a selection/m);
  const page = readFileSync(join(cwd, 'reports/run/playwright/html/index.html'), 'utf8');
  assert.ok(
    unpacked(page).some((text) => text.includes('auth-missing-key')),
    'Playwright’s page is looked into',
  );
  for (const words of [
    ['report', 'reports/run', '--verbose'],
    ['compare', 'reports/run', 'reports/run', '--out', 'compared'],
    ['history', 'reports'],
  ])
    expectNothingLeft(cwd, await petstore(words, { cwd }));
});

test('a run with load, too', async (t) => {
  const server = await reference(t, { keys: { business: CANARY, ...OTHERS }, minuteSeconds: 2 });
  const cwd = folder(t);
  const { file, env } = targetFile(cwd, server.baseUrl, CANARY, [...settings, 'windows: { minute: 2, day: 86400 }']);
  const words = ['run', '--target', file, '--only', 'load', '--plan', 'free', '--verbose'];
  expectNothingLeft(cwd, await petstore(words, { cwd, env: { ...env, ...others } }));
});

test('a run that explores, on a server that takes the key in many shapes', async (t) => {
  const flaws = ['key-twice', 'key-as-base64', 'key-first-letter', 'key-in-a-cookie', 'key-as-jwt-parameter'];
  const server = await reference(t, { keys: { business: CANARY, ...OTHERS }, flaws });
  const words = ['--requirement', 'auth-*', '--explore', '400', '--seed', '7', '--report-dir', 'run', '--verbose'];
  const { cwd, ended } = await runAgainst(t, server.baseUrl, ...words);
  assert.equal(ended.code, 1, ended.stdout);
  const { stories = [] } = resultsIn(join(cwd, 'run')).explored ?? {};
  assert.ok(stories.length >= 3, ended.stdout);
  const [story] = stories;
  expectNothingLeft(
    cwd,
    await petstore(['run', '--target', 'target.yaml', '--replay', story?.replay ?? '', '--report-dir', 'again'], {
      cwd,
      env: { [KEY_VARIABLE]: CANARY, ...others },
    }),
  );
  assert.equal(resultsIn(join(cwd, 'again')).verdict, 'non-conformant');
});

/** What a server that tells everything it has heard says back. */
function echo(request: IncomingMessage): string {
  const heard = `${request.method} ${request.url} ${request.rawHeaders.join(' ')}`;
  return [
    heard,
    heard.toUpperCase(),
    Buffer.from(heard).toString('base64'),
    Buffer.from(CANARY).toString('base64url'),
    encodeURIComponent(heard),
    JSON.stringify(JSON.stringify(heard)),
    CANARY.slice(2, -2),
    backwards(CANARY),
    Buffer.from(heard).toString('hex'),
    ...['%$&', '&#x$&;', String.raw`\u00$&`].map((each) => Buffer.from(CANARY).toString('hex').replaceAll(/../g, each)),
    Buffer.from(Buffer.from(heard).toString('base64')).toString('base64'),
    Buffer.from(CANARY, 'utf16le').toString('latin1'),
    JSON.stringify([...Buffer.from(CANARY)]),
    CANARY.replaceAll(/.{9}/g, '$& '),
    Object.values(OTHERS).join(),
  ].join('\n');
}

const oneLine = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, ' ');

const ECHOES: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  'in an HTML page': (request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<pre>${echo(request)}</pre>`),
  'in Error bodies': (request, response) =>
    response
      .writeHead(500, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ code: CANARY, message: echo(request), status: 500 })),
  'in animals': (request, response) =>
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify([{ id: 1, name: echo(request), categoryId: 1, status: CANARY, [CANARY]: CANARY }])),
  'in headers and the reason': (request, response) =>
    response
      .writeHead(200, oneLine(echo(request)), {
        'Content-Type': 'application/json',
        'X-Heard': oneLine(echo(request)),
        [`X-${CANARY}`]: 'yes',
        'X-RateLimit-Limit': CANARY,
        'X-RateLimit-Remaining': CANARY,
        'X-RateLimit-Reset': CANARY,
        Location: `/v1/pets?api_key=${CANARY}`,
        Deprecation: CANARY,
      })
      .end('[]'),
  'in JSON that breaks off': (request, response) =>
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(`[{"id": 1, "name": ${JSON.stringify(echo(request))}`),
  'in a status line that is none': (_request, response) => {
    response.socket?.end(`HTTP/1.1 ${CANARY} Bearer ${CANARY}\r\n\r\n`);
  },
  'cut apart by a body that is too short': (request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000000' });
    response.write(JSON.stringify(echo(request)), () => response.destroy());
  },
};

for (const [where, listener] of Object.entries(ECHOES))
  test(`a target that says the key back ${where}`, async (t) => {
    const baseUrl = await answering(t, listener);
    const { ended } = await runAgainst(t, baseUrl, ...suites, '--explore', '40');
    assert.notEqual(ended.code, 0);
  });

test('runs that never begin', async (t) => {
  await runAgainst(t, await closedPort());
  await runAgainst(t, `http://${CANARY.slice(5, 9)}.invalid/v1`);
});

test('a first look at a target that says the keys back', async (t) => {
  for (const where of ['in headers and the reason', 'in Error bodies', 'in a status line that is none']) {
    const cwd = folder(t);
    const baseUrl = await answering(t, ECHOES[where] ?? (() => undefined));
    const { file, env } = targetFile(cwd, baseUrl, CANARY, settings);
    const ended = await petstore(['doctor', '--target', file, '--verbose'], { cwd, env: { ...env, ...others } });
    assert.match(ended.stdout, /READY/, ended.stderr);
    expectNothingLeft(cwd, ended);
  }
});

test('slips of the hand with a key in them', async (t) => {
  const cwd = folder(t);
  for (const words of [
    ['run', '--base-url', `http://user:${CANARY}@127.0.0.1/v1`, '--key', 'free=abc'],
    ['run', '--base-url', `http://127.0.0.1:9/v1?api_key=${CANARY}`, '--key', 'free=abc'],
    ['run', '--base-url', 'http://127.0.0.1:9/v1', '--key', CANARY],
    ['run', '--base-url', 'http://127.0.0.1:9/v1', '--key', `fre=${CANARY}`],
    ['run', '--base-url', 'http://127.0.0.1:9/v1', '--key', `free=${CANARY} `],
    ['run', '--base-url', 'http://127.0.0.1:9/v1', '--key', `free=${CANARY}`, '--key', `pro=${CANARY}`],
  ]) {
    const ended = await petstore([...words, '--verbose'], { cwd });
    assert.equal(ended.code, 2, ended.stdout);
    expectNothingLeft(cwd, ended);
  }
});

test('no process of a run has a key among its arguments or in its title', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, { keys: { business: CANARY, ...OTHERS }, variants: ['slow-and-jittery'] });
  const { file, env } = targetFile(cwd, server.baseUrl, CANARY, settings);
  const run = start(['run', '--target', file, ...suites, '--report-dir', 'run'], { cwd, env: { ...env, ...others } });
  t.after(() => run.child.kill('SIGKILL'));
  await reaches(join(cwd, 'run'), atExchange(20));
  const pids = [run.child.pid ?? 0, ...workersOf(run.child.pid ?? 0)];
  assert.ok(pids.length >= 3, 'the command, Playwright and its worker');
  for (const pid of pids) {
    assert.match(argumentsOf(pid), /node/);
    expectClean(`process ${pid}`, argumentsOf(pid));
  }
  run.child.kill('SIGINT');
  expectNothingLeft(cwd, await run.ended);
});

test('a killed run', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, { keys: { business: CANARY, ...OTHERS }, variants: ['slow-and-jittery'] });
  const { file, env } = targetFile(cwd, server.baseUrl, CANARY, settings);
  const run = start(['run', '--target', file, '--report-dir', 'run'], { cwd, env: { ...env, ...others } });
  await reaches(join(cwd, 'run'), atExchange(20));
  run.child.kill('SIGKILL');
  expectNothingLeft(cwd, await run.ended);
});

test('Playwright started by hand against a target that says the key back', async (t) => {
  const cwd = folder(t);
  const baseUrl = await answering(t, ECHOES['in animals'] ?? (() => undefined));
  const { file, env } = targetFile(cwd, baseUrl, CANARY, settings);
  const ended = await playwright(cwd, file, { ...env, ...others }, '--grep', 'list-ok|pet-|list-status-filter');
  assert.equal(ended.code, 1, ended.stdout);
  expectNothingLeft(cwd, ended);
});
