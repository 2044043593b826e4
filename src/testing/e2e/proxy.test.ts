import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Results } from '../../outcome/results/results.js';
import { launchChromium } from '../../report/pages/browser/chromium.test.support.js';
import { httpFront } from '../http-front.js';
import { CERTIFICATES } from '../certificates.js';
import { portOf } from '../loopback.js';
import { tlsFront } from '../tls-front.js';
import { CANARY, expectNothingLeft, others } from './support/canary.js';
import { petstore, petstoreHere, start } from './support/command.js';
import { filesIn, folder } from './support/folder.js';
import { expectPublished } from './support/results-schema.js';
import { reference, targetFile } from './support/targets.js';

/** A client that lists, creates, and sends again at once after a 429; it prints its key. */
const CLIENT = `
const { PETSTORE_BASE_URL: base, PETSTORE_API_KEY: key } = process.env;
console.log('key', key);
const send = async (path, body) => {
  const headers = { Authorization: 'Bearer ' + key, ...(body && { 'Content-Type': 'application/json' }) };
  for (let left = 3; left > 0; left -= 1) {
    const response = await fetch(base + path, { method: body ? 'POST' : 'GET', headers, body });
    await response.text();
    if (response.status !== 429) return;
  }
};
await send('/pets?limit=5');
await send('/pets', '{"name":"Rex","categoryId":1}');
await fetch(new URL('/health', base)).then((response) => response.text());
`;

/** A client that has a key which the kit does not know, and repeats parts of it in many places. */
const INDISCREET_CLIENT = `
const { PETSTORE_BASE_URL: base, OTHER_FREE: key } = process.env;
const escaped = [...key].map((each) => '%' + each.charCodeAt(0).toString(16)).join('');
const headers = { Authorization: 'Bearer ' + key, ['X-' + key]: 'yes', 'User-Agent': 'app/' + key.slice(4) };
const parts = [key, key.slice(2, 14), escaped, btoa(key), btoa('a' + key)];
const send = (query, rest) => fetch(base + '/pets' + query, { headers, ...rest }).then((each) => each.text());
await send('?limit=5&k=' + escaped);
await send('?limit=' + key.slice(0, 12));
await send('?status=' + btoa('user:' + key));
const type = { 'Content-Type': 'application/json' };
const body = JSON.stringify({ name: parts.join(' '), categoryId: key.slice(3, 15) });
await send('', { method: 'POST', headers: { ...headers, ...type }, body });
console.log(parts.join(' '));
`;

/** A client with secrets of other kinds, in every place that can name one. */
const CLIENT_WITH_SECRETS = `
const { PETSTORE_BASE_URL: base, PETSTORE_API_KEY: key } = process.env;
const headers = {
  Authorization: 'Bearer ' + key,
  Cookie: 'sid=hush-cookie',
  'X-Api-Key': 'hush-key',
  'Proxy-Authorization': 'Basic hush-proxy',
  'X-Session': '{"id":"hush-session"}',
  'Content-Type': 'application/json',
};
const body = JSON.stringify({ name: 'Rex', categoryId: 1, token: 'hush-member', auth: { code: ['hush-deep'] } });
await fetch(base + '/pets?limit=5&access_token=hush-query&sid=hush-sid', { headers }).then((each) => each.text());
await fetch(base + '/pets', { method: 'POST', headers, body }).then((each) => each.text());
`;

const outcomes = ({ requirements }: Results, wanted: string): readonly string[] =>
  requirements.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);

const verdicts = ({ sides }: Results) => sides?.map(({ side, verdict }) => [side, verdict]);

/** Writes the files of a run; the target is at an address. */
function prepared(t: TestContext, baseUrl: string) {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'client.mjs'), CLIENT);
  const { file, env } = targetFile(cwd, baseUrl, CANARY);
  const words = ['proxy', '--target', file, '--report-dir', 'out'];
  return {
    words,
    place: { cwd, env },
    command: ['--', process.execPath, 'client.mjs'],
    read: (name: string): string => readFileSync(join(cwd, 'out', name), 'utf8'),
    results(): Results {
      const results = JSON.parse(readFileSync(join(cwd, 'out', 'results.json'), 'utf8')) as Results;
      expectPublished(results);
      return results;
    },
  };
}

describe('proxy', () => {
  test('judges both sides of a command’s traffic, and leaves no part of the key', async (t) => {
    const server = await reference(t, { keys: { business: CANARY } });
    const run = prepared(t, server.baseUrl);
    const ended = await petstore([...run.words, ...run.command], run.place);
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    const results = run.results();
    assert.deepEqual(verdicts(results), [
      ['service', 'inconclusive'],
      ['client', 'inconclusive'],
    ]);
    // Traffic never conforms: its exit code says that nothing red was seen.
    assert.deepEqual([results.verdict, results.clean], ['inconclusive', true]);
    assert.deepEqual(
      results.sides?.map(({ clean }) => clean),
      [true, true],
    );
    for (const text of [ended.stdout, run.read('summary.md'), run.read('badge.json')])
      assert.doesNotMatch(text, /\bconform(s|ant)\b/i);
    assert.match(run.read('index.html'), /<title>No violation seen: /);
    // Traffic shows no conformity, so nothing is said to hold.
    assert.ok(run.read('index.html').includes('with no violation seen'));
    assert.equal(/<b>\d+<\/b> holds?<|required holds?\b/.test(run.read('index.html')), false);
    assert.match(run.read('badge.json'), /no violation seen in \d+\/\d+ [^]*lightgrey/);
    assert.match(run.read('summary.md'), /^## No violation seen$/m);
    assert.ok(outcomes(results, 'passed').includes('create-ok'));
    assert.ok(outcomes(results, 'passed').includes('client-bearer-key'));
    const { from = '', to = '', ...traffic } = results.traffic ?? {};
    assert.ok(results.startedAt < from && from < to && to <= results.finishedAt);
    assert.deepEqual(traffic, {
      entries: 3,
      inScope: 2,
      leftOut: { 'without the key, of no operation': 1 },
    });
    assert.match(
      ended.stdout,
      /^NO VIOLATION SEEN +the service · \d+ of \d\d [^]*^NO VIOLATION SEEN +the client · /m,
    );
    assert.match(
      ended.stdout.replaceAll(/\s+/g, ' '),
      /under-test shows no violation of \d+ of \d\d required behaviours of Pet .* in 2 requests; the client shows no violation of \d of \d required behaviours of its part in 2 requests/,
    );
    expectNothingLeft(run.place.cwd, ended);
  });

  test('leaves no part of a key that only the client knows, whatever it sends and prints', async (t) => {
    const server = await reference(t, { keys: { business: CANARY } });
    const run = prepared(t, server.baseUrl);
    writeFileSync(join(run.place.cwd, 'client.mjs'), INDISCREET_CLIENT);
    const env = { ...run.place.env, ...others };
    const ended = await petstoreHere([...run.words, ...run.command], { ...run.place, env });
    assert.equal(run.results().traffic?.inScope, 4, ended.stdout + ended.stderr);
    expectNothingLeft(run.place.cwd, ended);
  });

  test('masks secrets of both sides by their names in every report, and says which', async (t) => {
    const server = await reference(t, { keys: { business: CANARY } });
    const front = await httpFront(server.baseUrl, {
      headers: (headers) => void (headers['set-cookie'] = 'session=hush-set'),
    });
    t.after(front.close);
    for (const judged of ['proxy', 'client']) {
      const run = prepared(t, front.baseUrl);
      writeFileSync(join(run.place.cwd, 'client.mjs'), CLIENT_WITH_SECRETS);
      const words = judged === 'proxy' ? run.words : ['client', '--scenario', 'calm', '--report-dir', 'out'];
      const ended = await petstoreHere([...words, ...run.command], run.place);
      for (const { name, bytes } of filesIn(join(run.place.cwd, 'out')))
        assert.ok(!bytes.includes('hush'), `${judged}: ${name}`);
      assert.ok(!`${ended.stdout}${ended.stderr}`.includes('hush'));
      const names = [
        'access_token',
        'auth',
        'Cookie',
        'Proxy-Authorization',
        'sid',
        'token',
        'X-Api-Key',
        'X-Session',
      ];
      const masked = judged === 'proxy' ? names.toSpliced(4, 0, 'set-cookie') : names;
      assert.deepEqual(run.results().traffic?.masked, masked);
      const told = `Values masked as secrets: ${masked.join(', ')}`;
      assert.ok(run.read('index.html').includes(told));
      assert.ok(ended.stdout.replaceAll(/\s+/g, ' ').includes(told), ended.stdout);
    }
  });

  test('blames the service for its mistake, and the client for none', async (t) => {
    const server = await reference(t, { keys: { business: CANARY }, flaws: ['created-with-200'] });
    const run = prepared(t, server.baseUrl);
    const ended = await petstoreHere([...run.words, ...run.command], run.place);
    assert.equal(ended.code, 1, ended.stdout + ended.stderr);
    assert.deepEqual(verdicts(run.results()), [
      ['service', 'non-conformant'],
      ['client', 'inconclusive'],
    ]);
    assert.deepEqual(outcomes(run.results(), 'failed'), ['create-ok']);
  });

  test('--refuse shows that a client does not wait, which is not the service’s fault', async (t) => {
    const server = await reference(t, { keys: { business: CANARY } });
    const run = prepared(t, server.baseUrl);
    writeFileSync(
      join(run.place.cwd, 'refusals.yaml'),
      'steps:\n  - { kind: refuse, wait: { kind: seconds, seconds: 60 } }\n  - { kind: unavailable, seconds: 1 }\n',
    );
    const ended = await petstoreHere([...run.words, '--refuse', 'refusals.yaml', ...run.command], run.place);
    assert.equal(ended.code, 1, ended.stdout + ended.stderr);
    assert.deepEqual(verdicts(run.results())?.[1], ['client', 'non-conformant']);
    // A busy machine may hide that the client goes on: a request soon after a refusal may have been under way.
    const failed = outcomes(run.results(), 'failed').filter((id) => id !== 'client-does-not-hammer');
    assert.deepEqual(failed, ['client-waits']);
    assert.notEqual(verdicts(run.results())?.[0]?.[1], 'non-conformant');
    writeFileSync(join(run.place.cwd, 'refusals.yaml'), 'steps:\n  - { kind: refuse, wiat: 2 }\n');
    const wrong = await petstoreHere([...run.words, '--refuse', 'refusals.yaml'], run.place);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /refusals\.yaml:2/);
  });

  test('--refuse with a redirect shows whether the key goes along to another origin', async (t) => {
    const server = await reference(t, { keys: { business: CANARY } });
    for (const [manner, kind] of [
      ['follow', 'passed'],
      ['manual', 'warned'],
    ] as const) {
      const run = prepared(t, server.baseUrl);
      writeFileSync(join(run.place.cwd, 'refusals.yaml'), 'steps:\n  - { kind: redirect }\n');
      // What fetch follows by itself loses the key on its way.
      writeFileSync(
        join(run.place.cwd, 'client.mjs'),
        `const { PETSTORE_BASE_URL: base, PETSTORE_API_KEY: key } = process.env;
         const init = { headers: { Authorization: 'Bearer ' + key }, redirect: '${manner}' };
         const first = await fetch(base + '/pets?limit=5', init);
         await first.text();
         if (first.status === 307) await fetch(first.headers.get('Location'), init).then((each) => each.text());`,
      );
      const ended = await petstoreHere(
        [...run.words, '--refuse', 'refusals.yaml', ...run.command],
        run.place,
      );
      const row = run.results().requirements.find(({ id }) => id === 'client-key-stays');
      assert.equal(row?.outcome, kind, ended.stdout + ended.stderr);
      assert.equal(run.results().traffic?.inScope, 2);
      expectNothingLeft(run.place.cwd, ended);
    }
    const { words, place } = prepared(t, server.baseUrl);
    writeFileSync(join(place.cwd, 'refusals.yaml'), 'steps:\n  - { kind: redirect }\n');
    const far = await petstoreHere(
      [...words.slice(0, 3), '--refuse', 'refusals.yaml', '--host', '0.0.0.0'],
      place,
    );
    assert.equal(far.code, 2);
    assert.match(far.stderr, /cannot be combined with a redirect/);
  });

  test('a certificate that is not trusted is a sentence, at the start and later; one that is passes the key on', async (t) => {
    const server = await reference(t, { keys: { business: CANARY } });
    let certificate: keyof typeof CERTIFICATES = 'trusted';
    const front = await tlsFront(t, new URL(server.baseUrl).origin, () => certificate);
    const run = prepared(t, `${front.origin}/v1`);
    const stranger = await petstoreHere([...run.words, ...run.command], run.place);
    assert.equal(stranger.code, 3, stranger.stdout + stranger.stderr);
    assert.match(stranger.stdout, /Cannot start: .*certificate/);

    const authority = join(run.place.cwd, 'authority.pem');
    writeFileSync(authority, CERTIFICATES.trusted);
    const env = { ...run.place.env, NODE_EXTRA_CA_CERTS: authority };
    const words = [...run.words.slice(0, 3), '--report-dir', 'trusting'];
    const running = start(words, { ...run.place, env });
    const [, baseUrl = ''] = await running.shows(/listening (\S+)/);
    const send = (): Promise<Response> =>
      fetch(`${baseUrl}/pets?limit=2`, {
        headers: { Authorization: `Bearer ${CANARY}`, Connection: 'close' },
      });
    assert.equal((await send()).status, 200);
    // Another server takes the address: it must not see the key.
    certificate = 'stranger';
    const refused = await send();
    assert.equal(refused.status, 502);
    assert.match(await refused.text(), /petstore-conformance proxy: .*its certificate is not trusted/);
    assert.equal(front.read('stranger'), 0);
    running.child.kill('SIGINT');
    const ended = await running.ended;
    const results = JSON.parse(readFileSync(join(run.place.cwd, 'trusting/results.json'), 'utf8')) as Results;
    assert.deepEqual(outcomes(results, 'failed'), []);
    expectNothingLeft(run.place.cwd, ended);
  });

  test('a killed proxy keeps its log, which report judges, and an interrupt judges', async (t) => {
    const server = await reference(t, { keys: { business: CANARY }, flaws: ['no-reset-header'] });
    for (const signal of ['SIGKILL', 'SIGINT'] as const) {
      const run = prepared(t, server.baseUrl);
      // Somebody has to point a client at the address, so a quiet proxy names it as well.
      const running = start(
        [...run.words, ...(signal === 'SIGINT' ? ['--reporter', 'quiet'] : [])],
        run.place,
      );
      const [, baseUrl = ''] = await running.shows(/listening (\S+)/);
      await fetch(`${baseUrl}/pets?limit=2`, { headers: { Authorization: `Bearer ${CANARY}` } }).then(
        (each) => each.text(),
      );
      await fetch(`${baseUrl}/pets?limit=1`, { headers: { Authorization: `Bearer ${CANARY}` } }).then(
        (each) => each.text(),
      );
      // It is written a few milliseconds after the response.
      if (signal === 'SIGKILL') while (!run.read('log.ndjson').includes('limit=2')) await pause(5);
      running.child.kill(signal);
      const ended = await running.ended;
      assert.match(run.read('log.ndjson'), /"client-exchange".*limit=2/);
      const shown = signal === 'SIGINT' ? ended : await petstoreHere(['report', 'out'], run.place);
      assert.equal(shown.code, 1, shown.stdout + shown.stderr);
      const { complete, traffic, requirements } = run.results();
      assert.equal(complete, signal === 'SIGINT');
      if (signal === 'SIGINT') assert.equal(traffic?.inScope, 2);
      assert.deepEqual(outcomes(run.results(), 'failed'), ['rate-headers-present']);
      assert.equal(requirements.find(({ id }) => id === 'client-bearer-key')?.outcome, 'passed');
      expectNothingLeft(run.place.cwd, shown);
    }
  });

  test('a target that does not answer is no verdict; one that ends later is charged to nobody', async (t) => {
    const server = createServer((_, response) => response.end('[]'));
    const port = await portOf(server);
    const run = prepared(t, `http://127.0.0.1:${port}/v1`);
    const running = start(run.words, run.place);
    const [, baseUrl = ''] = await running.shows(/listening (\S+)/);
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    const response = await fetch(`${baseUrl}/pets`, { headers: { Authorization: `Bearer ${CANARY}` } });
    assert.equal(response.status, 502);
    assert.match(await response.text(), /petstore-conformance proxy: .*nothing listens there/);
    running.child.kill('SIGINT');
    await running.ended;
    assert.deepEqual(outcomes(run.results(), 'failed'), []);
    assert.match(run.read('log.ndjson'), /"kind":"none","why":"the proxy got no response/);

    const gone = await petstoreHere(['proxy', ...run.words.slice(1, 3)], run.place);
    assert.equal(gone.code, 3, gone.stdout + gone.stderr);
    assert.match(gone.stdout, /Cannot start: nothing listens at/);
    const itself = await petstoreHere([...run.words.slice(0, 3), '--port', String(port)], run.place);
    assert.equal(itself.code, 2);
    assert.match(itself.stderr, /is the address at which the proxy listens/);
  });

  test('a page in a real browser works as without it, with its preflights and its pool', async (t) => {
    // The proxy is another origin than the page, as many services are: the browser asks first.
    const store = await reference(t, { keys: { business: CANARY } });
    const front = await httpFront(store.baseUrl, {
      intercept: ({ request }, response) => {
        if (request.url === '/app') {
          response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>app</p>');
          return true;
        }
        if (request.method !== 'OPTIONS') return false;
        response.writeHead(204, {
          'Access-Control-Allow-Origin': '*',
          'Access-Control-Allow-Headers': 'authorization, content-type',
        });
        response.end();
        return true;
      },
      headers: (headers) => void (headers['Access-Control-Allow-Origin'] = '*'),
    });
    t.after(() => front.close());
    const run = prepared(t, front.baseUrl);
    writeFileSync(
      join(run.place.cwd, 'refusals.yaml'),
      'steps:\n  - { kind: refuse, wait: { kind: seconds, seconds: 1 } }\noperations: [createPet]\n',
    );
    const running = start([...run.words, '--refuse', 'refusals.yaml'], run.place);
    const [, baseUrl = ''] = await running.shows(/listening (\S+)/);
    await using browser = await launchChromium();
    const page = await browser.newPage();
    await page.goto(new URL('/app', front.baseUrl).href);
    const statuses = await page.evaluate(`(async () => {
      const headers = { Authorization: 'Bearer ${CANARY}' };
      const listings = [1, 2, 3, 4, 5, 6, 7, 8].map((limit) => fetch('${baseUrl}/pets?limit=' + limit, { headers }));
      const all = await Promise.all(listings);
      const create = () => fetch('${baseUrl}/pets', {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: '{"name":"Zoë","categoryId":1}',
      });
      const refused = await create();
      await new Promise((done) => setTimeout(done, 1000 * refused.headers.get('Retry-After')));
      all.push(refused, await create());
      return Promise.all(all.map(async (each) => [each.status, typeof (await each.json())]));
    })()`);
    assert.deepEqual(statuses, [
      ...Array.from({ length: 8 }, () => [200, 'object']),
      [429, 'object'],
      [201, 'object'],
    ]);
    running.child.kill('SIGINT');
    const ended = await running.ended;
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    const { traffic } = run.results();
    assert.equal(traffic?.inScope, 10);
    assert.ok(outcomes(run.results(), 'passed').includes('client-waits'));
    assert.ok((traffic.leftOut['CORS preflights'] ?? 0) >= 1);
    expectNothingLeft(run.place.cwd, ended);
  });
});
