import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { compareResults } from '../outcome/acceptance/compare.js';
import { loadLedger } from '../base/interface/ledger.js';
import type { RequirementId } from '../base/interface/types.js';
import type { Finding } from '../judge/findings/finding.js';
import type { AcceptedDeviation } from '../log/header-record.js';
import { resultsOf } from '../outcome/results/results.js';
import {
  exampleDocument,
  exampleExchange,
  exampleLog,
  exampleResults,
  violated,
} from '../report/example-run.test.support.js';
import { runDocument } from '../report/run-document.js';
import { deliver, failureNotification, notificationOf, notifyAddress } from './notify.js';

const TOKEN = 'T0K3N-5d1f';

test('the URL is https or loopback http, and errors never repeat it', () => {
  for (const text of [
    'https://hooks.example.com/services/x?a=b',
    'http://127.0.0.1:9/x',
    'http://localhost/',
    'http://[::1]:1/',
  ])
    assert.equal(notifyAddress(text).href, new URL(text).href);
  for (const text of [
    `http://hooks.example.com/${TOKEN}`,
    TOKEN,
    `ftp://a/${TOKEN}`,
    `https://u:${TOKEN}@a/`,
    '',
  ])
    assert.throws(
      () => notifyAddress(text),
      (error) => !inspect(error).includes('5d1f'),
      text,
    );
});

test('a notification contains verdict, failures and changes', () => {
  const results = exampleResults();
  const said = notificationOf(runDocument(results), compareResults(results, results), {
    exitCode: 1,
    report: 'reports/x/index.html',
  });
  assert.equal(said.verdict, results.verdict);
  assert.deepEqual(
    said.failed,
    results.requirements.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id),
  );
  assert.deepEqual(said.changed?.requirements, []);
  assert.match(said.text, new RegExp(results.target.name));
  assert.equal(notificationOf(runDocument(results), null, { exitCode: 1, report: '' }).changed, null);
});

test('a notification names time and build of the run since which something changed', () => {
  const before = { ...exampleResults(), label: '2.4.1' };
  const now = exampleResults({ findings: [violated('get-ok')] });
  const { changed } = notificationOf(runDocument(now), compareResults(before, now), {
    exitCode: 1,
    report: 'r',
  });
  const run = { since: before.startedAt, label: '2.4.1' };
  assert.deepEqual(changed, {
    ...run,
    text: changed?.text,
    requirements: [{ id: 'get-ok', kind: 'newly-failing', ...run }],
  });
});

test('a failure contains expected, received and the likely cause', () => {
  const cause = { words: 'all is wrong (x)', title: 'all is wrong', saidAt: 'list-ok', others: [] } as const;
  const document = exampleDocument({ findings: [violated('list-ok', 'found'), violated('get-ok', 'found')] });
  const rows = document.rows.map((row) => (row.id === 'list-ok' ? { ...row, cause } : row));
  const place = { exitCode: 1, report: 'r', reportUrl: 'https://ci.example.com/r' };
  const { failures, reportUrl } = notificationOf({ ...document, rows }, null, place);
  const said = { found: 'found', expected: 'found', received: 'found' };
  assert.deepEqual(failures, [
    { id: 'list-ok', ...said, likelyCause: 'all is wrong' },
    { id: 'get-ok', ...said },
  ]);
  assert.equal(reportUrl, place.reportUrl);
});

test('a failure names the request that its finding does not name', () => {
  const exchanges = [{ ...exampleExchange(), probe: 'GET /pets/1' }];
  const foundOf = (message: string): string | undefined => {
    const document = exampleDocument({ findings: [violated('auth-missing-key', message)], exchanges });
    return notificationOf(document, null, { exitCode: 1, report: 'r' }).failures[0]?.found;
  };
  assert.equal(foundOf('a request without a key got 200'), '“GET /pets/1”: a request without a key got 200');
  assert.equal(foundOf('GET /pets/1 without a key got 200'), 'GET /pets/1 without a key got 200');
});

const entry = (requirement: RequirementId, found?: string[]): AcceptedDeviation => ({
  requirement,
  outcome: 'failed',
  ...(found && { found }),
  reason: 'agreed',
  link: 'https://tracker.example.com/1',
  expires: '2099-01-31',
});

function sentWith(accepted: AcceptedDeviation[], findings: readonly Finding[]) {
  const acceptance = { certificate: false, baseline: true, accepted };
  const log = exampleLog({ header: { acceptance }, findings });
  const { requirements } = loadLedger();
  const document = runDocument(resultsOf(log, requirements), { log, requirements });
  return notificationOf(document, null, { exitCode: 1, report: 'r' });
}

test('a notification knows the baseline, and its text begins with what decides the exit code', () => {
  const stale = sentWith([entry('list-ok')], []);
  assert.equal(stale.baseline?.met, false);
  assert.match(
    stale.text,
    /^The baseline is not met\. The baseline accepts list-ok as failed, but it passed\./,
  );
  const met = sentWith([entry('list-ok')], [violated('list-ok')]);
  assert.deepEqual(
    [met.baseline?.met, met.baseline?.problems, met.baseline?.accepted.map(({ requirement }) => requirement)],
    [true, [], ['list-ok']],
  );
  assert.match(met.text, /^staging conforms to .* with 1 accepted deviation/);
  const unaccepted = sentWith([entry('list-ok')], [violated('list-ok'), violated('get-ok')]);
  assert.match(unaccepted.text, /^The baseline is not met\. get-ok is failed/);
  assert.equal(unaccepted.failures[0]?.id, 'get-ok');
  const other = sentWith([entry('list-ok', ['listPets: 500'])], [violated('list-ok')]);
  assert.equal(other.failures[0]?.news, 'not-accepted');
  assert.equal('baseline' in notificationOf(exampleDocument(), null, { exitCode: 0, report: 'r' }), false);
});

test('the message of a command that ended early names target and label', () => {
  assert.deepEqual(failureNotification(new Error('x'), { label: '2.4.1', target: 'staging.yaml' }), {
    ...failureNotification(new Error('x')),
    target: { name: 'staging.yaml' },
    label: '2.4.1',
  });
});

async function receiver(t: TestContext, listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${TOKEN}`);
}

const ANY = notificationOf(runDocument(exampleResults()), null, { exitCode: 1, report: 'r' });

test('a temporary failure is retried, and the notification arrives once', async (t) => {
  const heard: string[] = [];
  let asked = 0;
  const url = await receiver(t, (request, response) => {
    asked += 1;
    if (asked === 1) return void request.socket.destroy();
    let body = '';
    request.on('data', (data: Buffer) => (body += data.toString()));
    request.on('end', () => {
      heard.push(body);
      response.writeHead(204).end();
    });
  });
  assert.equal(await deliver(url, ANY), null);
  assert.deepEqual(
    heard.map((text) => JSON.parse(text) as unknown),
    [JSON.parse(JSON.stringify(ANY))],
  );
});

test('a rejected notification is not retried, and redirects are not followed', async (t) => {
  for (const status of [400, 404, 302]) {
    let asked = 0;
    const url = await receiver(t, (_, response) => {
      asked += 1;
      response.writeHead(status, { Location: `/elsewhere` }).end(TOKEN);
    });
    const problem = await deliver(url, ANY);
    assert.equal(problem, `the receiver returned ${status}, after 1 try`);
    assert.equal(asked, 1);
  }
});
