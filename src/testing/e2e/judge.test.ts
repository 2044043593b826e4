import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from '@playwright/test';
import type { Results } from '../../outcome/results/results.js';
import { startAltered, type AlteredOptions } from '../../proof/index.js';
import type { Reference } from '../../reference/index.js';
import { launchChromium } from '../../report/pages/browser/chromium.test.support.js';
import { recordByDevTools } from '../traffic/chromium-har.test.support.js';
import { recordingClient } from '../traffic/har-client.test.support.js';
import { RECORDERS, type Recording } from '../traffic/record-by-library.js';
import { CANARY, expectClean } from './support/canary.js';
import { petstoreHere, startProcess } from './support/command.js';
import { filesIn, folder } from './support/folder.js';
import { expectPublished } from './support/results-schema.js';

interface Judged {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly results: Results;
  readonly cwd: string;
}

/** Judges a file in a folder of its own. */
async function judge(
  t: TestContext,
  content: string | Uint8Array,
  ...words: readonly string[]
): Promise<Judged> {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'traffic.har'), content);
  const ended = await petstoreHere(['judge', 'traffic.har', '--report-dir', 'out', ...words], { cwd });
  assert.equal(ended.stderr.includes('kit fault'), false, ended.stderr);
  const results = JSON.parse(readFileSync(join(cwd, 'out', 'results.json'), 'utf8')) as Results;
  expectPublished(results);
  return { ...ended, results, cwd };
}

const outcomes = ({ requirements }: Results, wanted: string): readonly string[] =>
  requirements.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);

/** Starts a server with some flaws, and ends it with the test. */
const server = (t: TestContext, ...flaws: readonly string[]): Promise<Reference> => serverWith(t, { flaws });

async function serverWith(t: TestContext, options: Partial<AlteredOptions>): Promise<Reference> {
  const started = await startAltered({ animals: 30, ...options });
  t.after(() => started.close());
  return started;
}

/** Uses the service as an app in a page does, from the page's own origin. */
async function useInPage(page: Page, { baseUrl, keys }: Reference): Promise<void> {
  await page.goto(new URL('/', baseUrl).href);
  await page.evaluate(
    async ([base, key]) => {
      const headers = { Authorization: `Bearer ${key}` };
      for (const query of ['?limit=50', '', '?limit=3', '?status=sold'])
        await (await fetch(`${base}/pets${query}`, { headers })).text();
      const type = { 'Content-Type': 'application/json' };
      // Chromium reports letters beyond ASCII in a posted text wrongly.
      for (const name of ['Zoë', 'Rex']) {
        const body = JSON.stringify({ name, categoryId: 1 });
        await (
          await fetch(`${base}/pets`, { method: 'POST', body, headers: { ...headers, ...type } })
        ).text();
      }
    },
    [baseUrl, keys.free] as const,
  );
}

describe('judge, with what a browser recorded', () => {
  let browser: Browser;
  before(async () => {
    browser = await launchChromium();
  });
  after(() => browser.close());

  /** Records with Playwright, and returns the file. */
  async function byPlaywright(t: TestContext, reference: Reference): Promise<string> {
    const file = join(folder(t), 'page.har');
    const context = await browser.newContext({ recordHar: { path: file } });
    await useInPage(await context.newPage(), reference);
    await context.close();
    return readFileSync(file, 'utf8');
  }

  async function byDevTools(_: TestContext, reference: Reference): Promise<string> {
    await using context = await browser.newContext();
    const page = await context.newPage();
    const recorder = await recordByDevTools(page);
    await useInPage(page, reference);
    return await recorder.har();
  }

  for (const [recorder, record] of [
    ['Playwright', byPlaywright],
    ['DevTools', byDevTools],
  ] as const) {
    test(`${recorder}: a sound service and its client are green, and the page that held the app is left out`, async (t) => {
      const reference = await server(t);
      const { code, stdout, results } = await judge(t, await record(t, reference));
      assert.equal(code, 0, stdout);
      assert.deepEqual(
        results.sides?.map(({ verdict, clean }) => [verdict, clean]),
        [
          ['inconclusive', true],
          ['inconclusive', true],
        ],
      );
      const passed = outcomes(results, 'passed');
      for (const row of [
        'list-ok',
        'pet-shape',
        'list-limit-max-items',
        'list-limit-default',
        'create-ok',
        'created-pet-echo',
        'rate-headers-present',
      ])
        assert.ok(passed.includes(row), JSON.stringify(results.requirements.find(({ id }) => id === row)));
      for (const row of ['client-bearer-key', 'client-valid-request']) assert.ok(passed.includes(row), row);
      assert.equal(results.traffic?.inScope, 6);
      assert.ok((results.traffic.leftOut['other addresses'] ?? 0) >= 1);
      assert.match(stdout.replaceAll(/\s+/g, ' '), /6 of \d entries judged; left out: \d other addresses/);
    });

    test(`${recorder}: a flaw turns its row red, and the client stays green`, async (t) => {
      const reference = await server(t, 'default-limit-missing');
      const { code, stdout, results } = await judge(t, await record(t, reference));
      assert.equal(code, 1, stdout);
      assert.deepEqual(outcomes(results, 'failed'), ['list-limit-default']);
    });
  }
});

/** The program in which libraries record. */
const LIBRARY = join(import.meta.dirname, '../traffic/record-by-library.js');

async function byLibrary(t: TestContext, recording: Recording): Promise<string> {
  const running = startProcess(process.execPath, [LIBRARY], { cwd: folder(t) }, 'typed');
  running.child.stdin?.end(JSON.stringify(recording));
  const { code, stdout, stderr } = await running.ended;
  assert.equal(code, 0, stderr);
  return stdout;
}

const REX = '{"name":"Rex","categoryId":1}';

describe('judge, with what a library recorded', () => {
  for (const recorder of RECORDERS) {
    test(`${recorder}: a sound service and its client are green, also where the library rounds what it writes`, async (t) => {
      // Side by side, so that many are one number once they are rounded.
      const { baseUrl, keys } = await serverWith(t, {
        change: (behaviour) => ({ ...behaviour, idOf: (nth) => 2n ** 60n + BigInt(nth) }),
      });
      const creations = [REX, '{"name":"Mia","categoryId":1152921504606846977}'];
      const { code, stdout, results, cwd } = await judge(
        t,
        await byLibrary(t, { recorder, baseUrl, key: keys.free, creations }),
      );
      assert.equal(code, 0, stdout);
      const passed = outcomes(results, 'passed');
      for (const row of ['list-ok', 'pet-shape', 'create-ok', 'rate-headers-present', 'client-valid-request'])
        assert.ok(passed.includes(row), `${row} in ${passed.join(' ')}`);
      assert.equal(results.traffic?.inScope, 6);
      // A record does not show which keys are valid.
      const page = readFileSync(join(cwd, 'out', 'index.html'), 'utf8');
      assert.equal(/\d without a valid key/.test(page), false);
    });

    test(`${recorder}: a flaw of either side turns its row red`, async (t) => {
      const { baseUrl, keys } = await server(t, 'default-limit-missing');
      const creations = [REX, '{"name":"Rex","categoryId":"1"}'];
      const { code, stdout, results } = await judge(
        t,
        await byLibrary(t, { recorder, baseUrl, key: keys.free, creations }),
      );
      assert.equal(code, 1, stdout);
      assert.deepEqual(outcomes(results, 'failed'), ['list-limit-default', 'client-valid-request']);
    });
  }
});

const entry = (url: string) => ({
  request: { method: 'GET', url, headers: [{ name: 'Authorization', value: 'Bearer abcdefgh' }] },
});

/**
 * Returns a file whose requests each leave 5 ms after the one before, however slow this machine was. A
 * millisecond is the unit of the file: what was sent within it has no order.
 */
function atOnce(har: string): string {
  const { log } = JSON.parse(har) as {
    readonly log: { readonly entries: readonly { readonly startedDateTime: string }[] };
  };
  const from = Date.parse(log.entries[0]?.startedDateTime ?? '');
  const times = { time: 3, timings: { blocked: 0, send: 0, wait: 2, receive: 1 } };
  const entries = log.entries.map((entry, at) => ({
    ...entry,
    ...times,
    startedDateTime: new Date(from + at * 5).toISOString(),
  }));
  return JSON.stringify({ log: { ...log, entries } });
}

describe('judge', () => {
  test('a client that sends again too early is red with its figures, and no key is in any file', async (t) => {
    const key = CANARY;
    await using reference = await startAltered({
      keys: { free: key },
      plans: { free: { perMinute: 2, perDay: 1000 } },
    });
    const client = recordingClient(reference.baseUrl, key);
    for (let sent = 0; sent < 40; sent += 1) await client.send({ path: '/pets?limit=5' });
    const { code, results, stdout, cwd } = await judge(t, atOnce(client.har()), '--side', 'client');
    assert.equal(code, 1, stdout);
    assert.deepEqual(outcomes(results, 'failed'), ['client-waits', 'client-does-not-hammer']);
    assert.ok(results.requirements.every(({ id }) => id.startsWith('client-')));
    assert.match(
      stdout.replaceAll(/\s+/g, ' '),
      /\d ms after a 429 with Retry-After: \d+; \d+ min too early/,
    );
    for (const { name, bytes } of filesIn(join(cwd, 'out'))) expectClean(name, bytes.toString());
    expectClean('the terminal', stdout);
    // No other program shows what a client does.
    assert.match(stdout, /see +exchanges t\d+ and t\d+ in the report/);
    assert.doesNotMatch(stdout + readFileSync(join(cwd, 'out', 'junit.xml'), 'utf8'), /\bcurl /);
    assert.match(stdout, /looks like: It sends again immediately, and does not\s+read\s+Retry-After/);
    assert.match(stdout, /to fix +Retry-After holds whole seconds or a date/);
    assert.match(stdout, /✗ client-waits[^]*✗ client-does-not-hammer/);
  });

  test('a line that repeats a request names the plan of a masked key, and no variable of the embedded server', async (t) => {
    const url = 'http://127.0.0.1:4000/v1/pets';
    const entry = {
      startedDateTime: '2026-01-01T00:00:00.000Z',
      time: 5,
      request: {
        method: 'GET',
        url,
        headers: [{ name: 'Authorization', value: 'Bearer $PETSTORE_BUSINESS_KEY' }],
      },
      response: {
        status: 200,
        headers: [{ name: 'Content-Type', value: 'application/json' }],
        content: { size: 2, mimeType: 'application/json', text: '{}' },
      },
    };
    const { stdout } = await judge(t, JSON.stringify({ log: { version: '1.2', entries: [entry] } }));
    assert.match(
      stdout,
      /see +curl [^]*"Authorization: Bearer \$\{PETSTORE_KEY:\?set it to the business key\}"/,
    );
  });

  test('a gzipped file, a file cut short, and one without a request to the service', async (t) => {
    const reference = await server(t);
    const client = recordingClient(reference.baseUrl, reference.keys.free);
    for (const query of ['', '?limit=5', '?limit=7']) await client.send({ path: `/pets${query}` });
    const har = client.har();
    assert.equal((await judge(t, gzipSync(har))).code, 0);
    const cut = await judge(t, har.slice(0, -har.length / 4), '--base-url', reference.baseUrl);
    assert.equal(cut.code, 3, cut.stdout);
    assert.match(cut.stderr, /traffic\.har was cut short/);
    const none = await judge(t, har, '--base-url', 'https://staging.example.com/v1');
    assert.equal(none.code, 3, none.stdout);
    assert.match(
      none.stderr,
      /traffic\.har holds no request for https:\/\/staging\.example\.com\/v1 that can be judged/,
    );
    assert.deepEqual(none.results.traffic, { entries: 3, inScope: 0, leftOut: { 'other addresses': 3 } });
  });

  test('an unclear address, a file that is none, and no file are usage errors', async (t) => {
    const cwd = folder(t);
    const entries = [entry('https://a.example.com/v1/pets'), entry('https://b.example.com/v1/pets')];
    writeFileSync(join(cwd, 'two.har'), JSON.stringify({ log: { entries } }));
    writeFileSync(join(cwd, 'page.html'), '<html></html>');
    for (const [words, said] of [
      [['two.har'], /https:\/\/a\.example\.com\/v1 \(1 request\) and https:\/\/b\.example\.com\/v1/],
      [['page.html', '--base-url', 'http://127.0.0.1/v1'], /is no HAR file/],
      [['none.har'], /none\.har cannot be read/],
    ] as const) {
      const { code, stderr } = await petstoreHere(['judge', ...words], { cwd });
      assert.equal(code, 2, stderr);
      assert.match(stderr.replaceAll(/\s+/g, ' '), said);
    }
    assert.equal((await petstoreHere(['judge'], { cwd })).code, 2);
  });
});
