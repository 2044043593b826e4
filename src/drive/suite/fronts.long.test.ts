import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { loadLedger } from '../../base/interface/ledger.js';
import { loadPlans } from '../../base/interface/plans.js';
import { startReference } from '../../reference/index.js';
import { secret } from '../../wire/targets/secret.js';
import { httpFront, type FrontOptions, type Passing } from '../../testing/http-front.js';
import { resultsOf, type Results } from '../../outcome/results/results.js';
import { idsOf, ran } from '../../testing/load-at.js';
import type { RunLog } from '../../log/run-log.js';
import type { Target } from '../../wire/targets/target.js';
import { runWithoutPlaywright } from './plain-host.js';

/** Judges a correct service behind a common proxy; the suites must name the proxy. */

interface Judged {
  readonly results: Results;
  readonly keyed: number;
  readonly account: string;
  readonly log: RunLog;
  readonly target: Target;
}

async function judge(
  t: TestContext,
  front: FrontOptions,
  { minute = 60, key }: { readonly minute?: number; readonly key?: string } = {},
): Promise<Judged> {
  const reference = await startReference({ minuteSeconds: minute, ...(key && { keys: { free: key } }) });
  t.after(() => reference.close());
  const proxy = await httpFront(reference.baseUrl, front);
  t.after(() => proxy.close());
  const { free, pro, business } = loadPlans();
  const target: Target = {
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
  };
  const log = await runWithoutPlaywright(target, { asOf: '2026-11-20' });
  const results = resultsOf(log, loadLedger().requirements);
  const account = results.requirements
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'warned' || outcome === 'inconclusive')
    .map(
      ({ id, outcome, reason, findings }) =>
        `${outcome} ${id}: ${reason?.text ?? ''} ${findings.map((one) => one.message).join('; ')}`,
    )
    .join('\n');
  return { results, keyed: reference.requestsByKey().free, account, log, target };
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

/** A key with capitals, small letters and digits, longer than any server's shortest limit. */
const longKey = (length: number): string => 'Lk3'.repeat(length).slice(0, length - 6) + 'aB9xY7';

/** Refusals of a too long request target or header by servers in front of an application. */
const LONG: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'nginx refuses with 400 and 414': (response) =>
    void refuse(
      response,
      (response.req.url ?? '').length > 2048 ? 414 : 400,
      '<h1>Request Header Or Cookie Too Large</h1>',
    ),
  'Node refuses with 431': (response) => void response.writeHead(431).end(),
  'IIS refuses with 404': (response) => void refuse(response, 404),
  'a proxy closes the connection': (response) => void response.socket?.destroy(),
};

for (const [what, refuseLong] of Object.entries(LONG))
  test(`forms of a long key that ${what} show nothing`, async (t) => {
    const key = longKey(3000);
    const usual = `Bearer ${key}`.length;
    const { results, account } = await judge(
      t,
      {
        intercept: ({ request }, response) => {
          const isLong = (request.url ?? '').length > 2048 || (request.headers.authorization ?? '').length > usual + 1;
          if (isLong) refuseLong(response);
          return isLong;
        },
      },
      { key },
    );
    assert.equal(account, '');
    assert.equal(results.verdict, 'conformant');
    const untried = results.requirements
      .filter(({ partly }) => partly?.some((one) => one.includes('too large')))
      .map(({ id }) => id);
    assert.deepEqual(untried, ['auth-bearer-only', 'auth-header-only']);
  });

test('a long key that is served as a Basic password is still a violation', async (t) => {
  const key = longKey(3000);
  const { results } = await judge(
    t,
    {
      intercept: ({ request }, response) =>
        (request.headers.authorization ?? '').startsWith('Basic ') &&
        (request.headers.authorization ?? '').length > key.length + 20 &&
        refuse(response, 400, '{"code":"x","message":"y","status":400}'),
    },
    { key },
  );
  assert.ok(ids(results, 'failed').includes('auth-bearer-only'));
});

test('the size limit of a proxy is not held against the rate headers', async (t) => {
  const { results, account, log, target } = await judge(
    t,
    { intercept: ({ body }, response) => body.length > 1024 && refuse(response, 413) },
    { minute: 1 },
  );
  assert.equal(account, '');
  assert.equal(results.verdict, 'conformant');
  // Load takes the suites' responses into its own account.
  const { findings } = await ran(target, { known: log.exchanges, profiles: ['burst'] });
  assert.deepEqual(
    idsOf(findings, 'violated').filter((id) => id.startsWith('rate-headers')),
    [],
  );
});

for (const name of ['UTF-8', 'none', 'binary', '*'])
  test(`Content-Encoding: ${name} fails one row, and the responses are read`, async (t) => {
    const { results, account } = await judge(t, { headers: (headers) => (headers['content-encoding'] = name) });
    assert.deepEqual(ids(results, 'failed'), ['json-media-type'], account);
    assert.deepEqual(ids(results, 'inconclusive'), [], account);
    assert.match(account, /a Content-Encoding that is no content coding/);
  });

test('an encoding that hides the body leaves rows open, with that reason', async (t) => {
  const { results, account } = await judge(t, { headers: (headers) => (headers['content-encoding'] = 'zstd') });
  assert.deepEqual(ids(results, 'failed'), [], account);
  assert.match(account, /a body cannot be read: Content-Encoding zstd was not requested/);
  assert.doesNotMatch(account, /did not respond/);
});
