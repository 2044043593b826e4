import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  backwards,
  CANARY,
  expectClean,
  expectNothingLeft,
  OTHERS,
  others,
  runAgainst,
  settings,
  suites,
} from './support/canary.js';
import { petstore, start, SUITES_HERE } from './support/command.js';
import { filesIn, folder } from './support/folder.js';
import { playwright } from './support/playwright.js';
import { argumentsOf, workersOf } from './support/processes.js';
import { answering, closedPort } from './support/servers.js';
import { resultsIn } from './support/results.js';
import { KEY_VARIABLE, reference, targetFile } from './support/targets.js';
import { atExchange, reaches } from './support/watch.js';

/** Further ways in which a run might leak a key; see also canary.test.ts. */

test('a load run leaks no key', async (t) => {
  const server = await reference(t, { keys: { business: CANARY, ...OTHERS }, minuteSeconds: 2 });
  const cwd = folder(t);
  const { file, env } = targetFile(cwd, server.baseUrl, CANARY, [
    ...settings,
    'windows: { minute: 2, day: 86400 }',
  ]);
  const words = ['run', '--target', file, '--only', 'load', '--plan', 'free', '--verbose'];
  expectNothingLeft(cwd, await petstore(words, { cwd, env: { ...env, ...others } }));
});

test('an exploring run leaks no key of a server that accepts it in many forms', async (t) => {
  const flaws = ['key-twice', 'key-as-base64', 'key-first-letter', 'key-in-a-cookie', 'key-as-jwt-parameter'];
  // Short windows: requests without a key are limited too, and each form of the key is one.
  const server = await reference(t, { keys: { business: CANARY, ...OTHERS }, flaws, minuteSeconds: 1 });
  const words = [
    '--requirement',
    'auth-*',
    '--explore',
    '1200',
    '--seed',
    '7',
    '--report-dir',
    'run',
    '--verbose',
  ];
  const windows = ['windows: { minute: 1, day: 86400 }'];
  const { cwd, ended } = await runAgainst(t, server.baseUrl, words, SUITES_HERE, windows);
  assert.equal(ended.code, 1, ended.stdout);
  const { stories = [] } = resultsIn(join(cwd, 'run')).explored ?? {};
  assert.ok(stories.length >= 2, ended.stdout);
  const [story] = stories;
  expectNothingLeft(
    cwd,
    await petstore(
      ['run', '--target', 'target.yaml', '--replay', story?.replay ?? '', '--report-dir', 'again'],
      {
        cwd,
        env: { [KEY_VARIABLE]: CANARY, ...others, ...SUITES_HERE },
      },
    ),
  );
  assert.equal(resultsIn(join(cwd, 'again')).verdict, 'non-conformant');
});

/** Returns a body that echoes all of a request. */
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
    ...['%$&', '&#x$&;', String.raw`\u00$&`].map((each) =>
      Buffer.from(CANARY).toString('hex').replaceAll(/../g, each),
    ),
    Buffer.from(Buffer.from(heard).toString('base64')).toString('base64'),
    Buffer.from(CANARY, 'utf16le').toString('latin1'),
    JSON.stringify([...Buffer.from(CANARY)]),
    CANARY.replaceAll(/.{9}/g, '$& '),
    Object.values(OTHERS).join(),
  ].join('\n');
}

const oneLine = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, ' ');

let answered = 0;

const ECHOES: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  'in an HTML page': (request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<pre>${echo(request)}</pre>`),
  'in Error bodies and truncated JSON, in turn': (request, response) =>
    (answered += 1) % 2 === 1
      ? response
          .writeHead(500, { 'Content-Type': 'application/json' })
          .end(JSON.stringify({ code: CANARY, message: echo(request), status: 500 }))
      : response
          .writeHead(200, { 'Content-Type': 'application/json' })
          .end(`[{"id": 1, "name": ${JSON.stringify(echo(request))}`),
  'in animals, headers and the reason phrase': (request, response) =>
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
      .end(JSON.stringify([{ id: 1, name: echo(request), categoryId: 1, status: CANARY, [CANARY]: CANARY }])),
  'in an invalid status line': (_request, response) => {
    response.socket?.end(`HTTP/1.1 ${CANARY} Bearer ${CANARY}\r\n\r\n`);
  },
  'in a body shorter than Content-Length': (request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000000' });
    response.write(JSON.stringify(echo(request)), () => response.destroy());
  },
};

/**
 * The echo of a run in Playwright, whose own report quotes what the kit makes of a response. The others are
 * judged by the same code in the command's process.
 */
const IN_PLAYWRIGHT = 'in animals, headers and the reason phrase';

for (const [where, listener] of Object.entries(ECHOES))
  test(`a run leaks no key if the target echoes it ${where}`, async (t) => {
    const baseUrl = await answering(t, listener);
    const variables = where === IN_PLAYWRIGHT ? {} : SUITES_HERE;
    const { cwd, ended } = await runAgainst(t, baseUrl, [...suites, '--explore', '40'], variables);
    assert.notEqual(ended.code, 0);
    const hasOwn = filesIn(cwd).some(({ name }) => name.includes('playwright/html'));
    assert.equal(hasOwn, where === IN_PLAYWRIGHT);
  });

test('runs that cannot start leak no key', async (t) => {
  await runAgainst(t, await closedPort(), []);
  await runAgainst(t, `http://${CANARY.slice(5, 9)}.invalid/v1`, []);
});

test('doctor leaks no key of a target that echoes keys', async (t) => {
  for (const where of [
    'in animals, headers and the reason phrase',
    'in Error bodies and truncated JSON, in turn',
    'in an invalid status line',
  ]) {
    const cwd = folder(t);
    const baseUrl = await answering(t, ECHOES[where] ?? (() => undefined));
    const { file, env } = targetFile(cwd, baseUrl, CANARY, settings);
    const ended = await petstore(['doctor', '--target', file, '--verbose'], {
      cwd,
      env: { ...env, ...others },
    });
    assert.match(ended.stdout, /READY/, ended.stderr);
    expectNothingLeft(cwd, ended);
  }
});

test('no process of a run has a key in its arguments or title', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, {
    keys: { business: CANARY, ...OTHERS },
    variants: ['slow-and-jittery'],
  });
  const { file, env } = targetFile(cwd, server.baseUrl, CANARY, settings);
  const run = start(['run', '--target', file, ...suites, '--report-dir', 'run'], {
    cwd,
    env: { ...env, ...others },
  });
  t.after(() => run.child.kill('SIGKILL'));
  await reaches(run, join(cwd, 'run'), atExchange(20));
  const pids = [run.child.pid ?? 0, ...workersOf(run.child.pid ?? 0)];
  assert.ok(pids.length >= 3, 'the command, Playwright and its worker');
  for (const pid of pids) {
    assert.match(argumentsOf(pid), /node/);
    expectClean(`process ${pid}`, argumentsOf(pid));
  }
  run.child.kill('SIGINT');
  expectNothingLeft(cwd, await run.ended);
});

test('Playwright by itself leaks no key of a target that echoes it', async (t) => {
  const cwd = folder(t);
  const baseUrl = await answering(
    t,
    ECHOES['in animals, headers and the reason phrase'] ?? (() => undefined),
  );
  const { file, env } = targetFile(cwd, baseUrl, CANARY, settings);
  const ended = await playwright(
    cwd,
    file,
    { ...env, ...others },
    '--grep',
    'list-ok|pet-shape|list-status-filter',
  );
  assert.equal(ended.code, 1, ended.stdout);
  expectNothingLeft(cwd, ended);
});
