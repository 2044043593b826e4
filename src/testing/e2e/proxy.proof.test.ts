import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Results } from '../../outcome/results/results.js';
import { launchChromium } from '../../report/pages/browser/chromium.test.support.js';
import { CERTIFICATES } from '../certificates.js';
import { httpFront } from '../http-front.js';
import { portOf } from '../loopback.js';
import { tlsFront } from '../tls-front.js';
import { CANARY, expectNothingLeft } from './support/canary.js';
import { petstoreHere, start } from './support/command.js';
import { outcomes, prepared } from './support/proxied.js';
import { reference } from './support/targets.js';

describe('a proxy that goes on', () => {
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
