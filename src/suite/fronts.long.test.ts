import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { loadLedger } from '../contract/ledger.js';
import { loadPlans } from '../contract/plans.js';
import { startReference } from '../reference/index.js';
import { secret } from '../targets/secret.js';
import { httpFront, type FrontOptions, type Passing } from '../testing/http-front.js';
import { resultsOf, type Results } from '../verdict/results.js';
import { runWithoutPlaywright } from './plain-host.js';

/** Judges a correct service behind a common proxy; the suites must name the proxy. */

async function judge(
  t: TestContext,
  front: FrontOptions,
  { minute = 60 }: { readonly minute?: number } = {},
): Promise<{ readonly results: Results; readonly keyed: number; readonly account: string }> {
  const reference = await startReference({ minuteSeconds: minute });
  t.after(() => reference.close());
  const proxy = await httpFront(reference.baseUrl, front);
  t.after(() => proxy.close());
  const { free, pro, business } = loadPlans();
  const log = await runWithoutPlaywright(
    {
      name: 'fronted',
      baseUrl: proxy.baseUrl,
      keys: { free: secret(reference.keys.free) },
      suiteKey: 'free',
      plans: { free, pro, business },
      windows: { minute, day: 86_400 },
      production: false,
      writes: true,
      exclusive: true,
      ban: { maxRequests: 60, perSecond: 10 },
      http: { timeoutMs: 10_000, maxBodyBytes: 1_048_576 },
    },
    { asOf: '2026-11-20' },
  );
  const results = resultsOf(log, loadLedger().requirements);
  const account = results.requirements
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'warned' || outcome === 'inconclusive')
    .map(
      ({ id, outcome, reason, findings }) =>
        `${outcome} ${id}: ${reason?.text ?? ''} ${findings.map((one) => one.message).join('; ')}`,
    )
    .join('\n');
  return { results, keyed: reference.requestsByKey().free, account };
}

const ids = (results: Results, outcome: string): readonly string[] =>
  results.requirements.filter((row) => row.outcome === outcome).map(({ id }) => id);

const refuse = (response: ServerResponse, status: number, body = '<h1>Forbidden</h1>'): true => {
  response.writeHead(status, { 'Content-Type': 'text/html' }).end(body);
  return true;
};

for (const [what, first, status] of [
  ['the third', 3, 403],
  ['the fiftieth', 50, 403],
  ['the hundredth', 100, 403],
  ['the thirtieth (406)', 30, 406],
  ['the twentieth (404)', 20, 404],
] as const)
  test(`an address blocked from ${what} request on violates only auth-valid-key`, async (t) => {
    const { results, account } = await judge(t, {
      intercept: ({ number }, response) => number >= first && refuse(response, status),
    });
    assert.deepEqual(ids(results, 'failed'), ['auth-valid-key'], account);
    assert.deepEqual(ids(results, 'warned'), [], account);
    assert.match(account, new RegExp(`blocked the run after ${first - 1} requests`));
  });

test('a captcha page from request 40 on is not taken for a listing', async (t) => {
  const { results, account } = await judge(t, {
    intercept: ({ number }, response) => number >= 40 && refuse(response, 200, '<p>Are you human?</p>'),
  });
  assert.deepEqual(ids(results, 'failed'), ['auth-valid-key'], account);
});

test('a firewall that rejects one body is named, and other requirements are judged', async (t) => {
  const { results, account } = await judge(t, {
    intercept: ({ body }, response) => body.includes('<') && refuse(response, 403),
  });
  assert.ok(ids(results, 'failed').includes('auth-valid-key'), account);
  assert.match(account, /was refused without an Error, as by a firewall in front of the service/);
  assert.ok(ids(results, 'passed').length > 30, account);
});

test('a proxy that closes connections without notice costs no requirement and no request', async (t) => {
  const { results, keyed, account } = await judge(t, { hangsUp: true });
  assert.equal(account, '');
  assert.equal(results.verdict, 'conformant');
  assert.ok(keyed <= 60, `${keyed} requests`);
});

test('responses without Date are judged by the clock of other responses', async (t) => {
  const { account } = await judge(t, {
    headers: (headers, { number }) => {
      if (number % 20 === 1) delete headers['date'];
    },
  });
  assert.equal(account, '');
});

test('the run waits one window after a proxy’s own 429, then judges the service', async (t) => {
  let refusedAt: number | null = null;
  let isOver = false;
  const limited = ({ number }: Passing, response: ServerResponse): boolean => {
    // A request before the end of the window gets another 429.
    isOver ||= refusedAt !== null && Date.now() - refusedAt > 1800;
    if (number < 60 || isOver) return false;
    refusedAt = Date.now();
    return refuse(response, 429, 'slow down');
  };
  const { results, account } = await judge(t, { intercept: limited }, { minute: 2 });
  assert.deepEqual(
    ids(results, 'inconclusive').filter((id) => !id.startsWith('rate-')),
    [],
    account,
  );
  // The 429 itself lacks only its headers.
  assert.deepEqual(ids(results, 'failed'), ['rate-headers-present'], account);
});
