import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { certify, report, run } from '../../index.js';
import { startReference } from '../../reference/index.js';
import { server } from './served.test.support.js';

/** Tests of the API against real servers, with few rows to save time, and with the suites in Playwright. */

const requirements = ['list-ok', 'list-limit-default'];

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'petstore-api-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Counts the listeners of signals that can end a process. */
const listeners = (): readonly number[] =>
  (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => process.listenerCount(name));

test('a run returns its results and writes reports, which report() can recreate, and its output to a stream', async (t) => {
  const directory = join(folder(t), 'run');
  const before = listeners();
  let text = '';
  const output = { write: (piece: string) => (text += piece) };
  const {
    results,
    exitCode,
    directory: written,
  } = await run(await server(t), {
    requirements,
    only: 'suites',
    reportDir: directory,
    label: '2.4.1',
    output,
  });
  assert.equal(exitCode, 0);
  assert.equal(written, directory);
  assert.match(text, /required behaviours? that were selected hold/);
  assert.ok(text.includes(directory));
  assert.equal(results.verdict, 'conformant');
  assert.equal(results.label, '2.4.1');
  assert.deepEqual(listeners(), before);
  assert.ok(readdirSync(directory).includes('index.html'));
  assert.equal(statSync(directory).mode & 0o077, 0, 'it is for its owner');
  rmSync(join(directory, 'results.json'));
  assert.deepEqual(await report(directory), results);
  assert.ok(existsSync(join(directory, 'results.json')));
});

test('invalid options are rejected before any request is sent', async (t) => {
  const target = await server(t);
  await assert.rejects(run({ ...target, keys: {} }), { code: 'no-key' });
  await assert.rejects(run({ ...target, baseUrl: 'nowhere' }), { code: /url/ });
  await assert.rejects(run(target, { requirements: ['list-okay'] }), { code: 'unmatched-requirement' });
});

const notAsked = () => assert.fail('nothing is sent');

test('certify() says what a program in JavaScript left out', async () => {
  for (const options of [{}, undefined, { path: '/v1' }])
    await assert.rejects(certify(notAsked, options as never), {
      code: 'bad-option',
      message: 'certify() needs a key of the app.',
      hint: /certify\(app, \{ keys: /,
    });
  for (const app of [undefined, null, 7])
    await assert.rejects(certify(app as never, { keys: { free: 'a-key-of-a-test-123' } }), {
      code: 'unknown-app',
    });
});

test('certify() without output prints on stderr what it waits for', async (t) => {
  const { baseUrl, keys, close } = await startReference({ minuteSeconds: 60 });
  t.after(close);
  const headers = { authorization: `Bearer ${keys.free}` };
  for (let sent = 0; sent < 60; sent += 1)
    await (await fetch(`${baseUrl}/pets?limit=1`, { headers })).arrayBuffer();
  const script = `import { certify } from ${JSON.stringify(new URL('../../index.js', import.meta.url))};
    await certify(${JSON.stringify(baseUrl)}, { keys: { free: process.env.KEY } });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, KEY: keys.free },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill());
  let printed = '';
  child.stdout.on('data', (piece: Buffer) => (printed += piece.toString()));
  let errors = '';
  while (!errors.includes('nothing is wrong')) {
    const [piece] = (await Promise.race([once(child.stderr, 'data'), once(child, 'exit')])) as [
      Buffer | number | null,
    ];
    assert.ok(Buffer.isBuffer(piece), `it ended: ${errors}`);
    errors += piece.toString();
  }
  assert.match(errors, /waiting for [^]+?, until \d\d:\d\d:\d\d \((?:1 min(?: \d+ s)?|\d+ s)\)/s);
  assert.ok(!errors.includes(keys.free));
  assert.equal(printed, '');
});
