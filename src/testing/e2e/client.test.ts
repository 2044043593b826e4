import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import type { Results } from '../../outcome/results/results.js';
import { CANARY, expectNothingLeft } from './support/canary.js';
import { petstore, petstoreHere, start } from './support/command.js';
import { filesIn, folder } from './support/folder.js';
import { expectPublished } from './support/results-schema.js';
import { untilEnded } from './support/processes.js';

/** A client that waits for Retry-After plus a growing time, and keeps digits. */
const SOUND = `
const { PETSTORE_BASE_URL: base, PETSTORE_API_KEY: key } = process.env;
async function send(path, attempt = 0) {
  const response = await fetch(base + path, { redirect: 'manual', headers: { Authorization: 'Bearer ' + key } });
  if (response.status !== 429) return response.text();
  await new Promise((done) => setTimeout(done, response.headers.get('Retry-After') * 1000 + 50 * 2 ** attempt));
  return send(path, attempt + 1);
}
await send('/pets?limit=5');
`;
/** A client that sends again at once, asks for too many animals, prints its key, and leaves a process behind. */
const FLAWED = `
import { spawn } from 'node:child_process';
const { PETSTORE_BASE_URL: base, PETSTORE_API_KEY: key, PETSTORE_SCENARIO: scenario } = process.env;
console.log('key', key, scenario, process.env.PETSTORE_PRO_KEY);
spawn(process.execPath, ['-e', 'console.log(process.pid); setInterval(() => {}, 1000)'], { stdio: 'inherit' }).unref();
for (let left = 4; left > 0; left -= 1) {
  const response = await fetch(base + '/pets?limit=1000', { headers: { Authorization: 'Bearer ' + key } });
  await response.text();
  if (response.status !== 429) break;
}
process.exit(7);
`;

/** Judges a client; as a process of the command, of which all output is seen, or here. */
async function judge(t: TestContext, command: typeof petstore, source: string, ...words: readonly string[]) {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'client.mjs'), source);
  const ended = await command(
    ['client', '--report-dir', 'out', ...words, '--', process.execPath, 'client.mjs'],
    {
      cwd,
      // Of a service that the client knows as well.
      env: { PETSTORE_PRO_KEY: CANARY },
    },
  );
  const text = (name: string): string => readFileSync(join(cwd, 'out', name), 'utf8');
  const results = JSON.parse(text('results.json')) as Results;
  expectPublished(results);
  expectNothingLeft(cwd, ended);
  return { ...ended, cwd, text, results };
}

const outcomes = ({ requirements }: Results, wanted: string): readonly string[] =>
  requirements.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);

describe('client', () => {
  test('a sound client is green in the scenarios that were played, and the sentence names what nothing showed', async (t) => {
    const { code, stdout, results } = await judge(
      t,
      petstoreHere,
      SOUND,
      '--scenario',
      'limited',
      '--scenario',
      'large-ids',
    );
    assert.equal(code, 0, stdout);
    assert.deepEqual(outcomes(results, 'failed'), []);
    assert.ok(outcomes(results, 'passed').includes('client-waits'));
    assert.match(
      stdout.replaceAll(/\s+/g, ' '),
      /keeps the selected part|keeps the client’s part of .*; not shown: client-int64/,
    );
    assert.deepEqual(
      results.sides?.map(({ side, verdict }) => [side, verdict]),
      [['client', 'conformant']],
    );
    assert.ok(results.requirements.every(({ id }) => id.startsWith('client-')));
    assert.ok((results.traffic?.inScope ?? 0) >= 4);
  });

  test('a flawed client is red with its figures, its key is in no file, and its processes end', async (t) => {
    const { code, stdout, text, results, cwd } = await judge(
      t,
      petstore,
      FLAWED,
      '--scenario',
      'limited',
      '--scenario',
      'limited-again',
    );
    assert.equal(code, 1, stdout);
    assert.deepEqual(outcomes(results, 'failed'), [
      'client-valid-request',
      'client-waits',
      'client-does-not-hammer',
    ]);
    assert.match(
      stdout.replaceAll(/\s+/g, ' '),
      /sent again [\d.]+ (ms|s) after a 429 with Retry-After: \d; [\d.]+ s too early/,
    );
    assert.match(
      stdout,
      /^next +node .*requirements client-valid-request$/m,
      'a command as this one was started',
    );
    const page = text('index.html');
    // The line goes on to the end of the last rest, which no request may have reached.
    assert.match(page, /\d+ requests?: (?:\d+ × )?\d{3}[^;<]*; the line spans [\d.]+\sm?s</);
    assert.doesNotMatch(page, />\d+ requests; sent again/);
    assert.ok(page.includes('id="scenarios"') && page.includes('exit code 7') && page.includes('too early'));
    assert.match(text('junit.xml'), /client-waits/);
    for (const { name, bytes } of filesIn(cwd))
      if (name !== 'client.mjs') assert.doesNotMatch(bytes.toString('utf8'), /pk[0-9a-f]{10}/, name);
    const left = Number(/^(\d+)$/m.exec(results.complete ? (outputOf(text('log.ndjson')) ?? '') : '')?.[1]);
    assert.ok(left > 1);
    await untilEnded([left]);
  });

  test('a client that sends nothing is not judged, and a wrong command is a usage error', async (t) => {
    const silent = await judge(t, petstoreHere, '', '--scenario', 'calm');
    assert.equal(silent.code, 3, silent.stdout);
    const cwd = folder(t);
    const missing = await petstoreHere(['client', '--', './no-such-program'], { cwd });
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /cannot be started/);
    const none = await petstoreHere(['client'], { cwd });
    assert.equal(none.code, 2);
    assert.match(none.stderr, /Name the command/);
  });

  test('--listen prints address and key, and judges at an interrupt', async (t) => {
    const cwd = folder(t);
    const running = start(['client', '--listen', '--report-dir', 'out'], { cwd });
    const [, baseUrl = '', key = ''] = await running.shows(/PETSTORE_BASE_URL=(\S+) PETSTORE_API_KEY=(\S+)/);
    const response = await fetch(`${baseUrl}/pets?limit=500`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    assert.equal(response.status, 429);
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    assert.equal(code, 1, stdout);
    assert.match(stdout, /client-valid-request/);
  });
});

/** Returns what the command printed, from the log. */
function outputOf(log: string): string | undefined {
  for (const text of log.split('\n')) {
    if (!text.includes('"traffic-end"')) continue;
    return (JSON.parse(text) as { readonly command?: { readonly output: string } }).command?.output;
  }
  return undefined;
}
