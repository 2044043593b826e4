import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { loadLedger } from '../../base/interface/ledger.js';
import { loadPlans } from '../../base/interface/plans.js';
import { startReference } from '../../reference/index.js';
import { secret } from '../../wire/targets/secret.js';
import { httpFront, type FrontOptions } from '../../testing/http-front.js';
import { resultsOf, type Results } from '../../outcome/results/results.js';
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

/** Runs the suites against the reference server behind a proxy. */
export async function judge(
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

export const ids = (results: Results, outcome: string): readonly string[] =>
  results.requirements.filter((row) => row.outcome === outcome).map(({ id }) => id);

/** Refuses a request as a proxy does. */
export const refuse = (response: ServerResponse, status: number, body = '<h1>Forbidden</h1>'): true => {
  response.writeHead(status, { 'Content-Type': 'text/html' }).end(body);
  return true;
};

/** A key with capitals, small letters and digits, longer than any server's shortest limit. */
export const longKey = (length: number): string => 'Lk3'.repeat(length).slice(0, length - 6) + 'aB9xY7';

/** Refusals of a too long request target or header by servers in front of an application. */
const LONG = {
  'nginx refuses with 400 and 414': (response) =>
    void refuse(
      response,
      (response.req.url ?? '').length > 2048 ? 414 : 400,
      '<h1>Request Header Or Cookie Too Large</h1>',
    ),
  'Node refuses with 431': (response) => void response.writeHead(431).end(),
  'IIS refuses with 404': (response) => void refuse(response, 404),
  'a proxy closes the connection': (response) => void response.socket?.destroy(),
} as const satisfies Readonly<Record<string, (response: ServerResponse) => void>>;

/** Tests that a block of the address, from a request on, violates only auth-valid-key. */
export function testsBlocked(what: string, first: number, status: number): void {
  test(`an address blocked from ${what} request on violates only auth-valid-key`, async (t) => {
    const { results, account } = await judge(t, {
      intercept: ({ number }, response) => number >= first && refuse(response, status),
    });
    assert.deepEqual(ids(results, 'failed'), ['auth-valid-key'], account);
    assert.deepEqual(ids(results, 'warned'), [], account);
    assert.match(account, new RegExp(`blocked the run after ${first - 1} requests`));
  });
}

/** Ways in which servers in front of an application refuse a long key's forms. */
export type LongRefusal = keyof typeof LONG;

/** Tests that refusals of too long forms of a key show nothing. */
export function testsLongForms(what: LongRefusal): void {
  test(`forms of a long key that ${what} show nothing`, async (t) => {
    const key = longKey(3000);
    const usual = `Bearer ${key}`.length;
    const { results, account } = await judge(
      t,
      {
        intercept: ({ request }, response) => {
          const isLong =
            (request.url ?? '').length > 2048 || (request.headers.authorization ?? '').length > usual + 1;
          if (isLong) LONG[what](response);
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
}

/** Tests that a Content-Encoding that is none fails one row, and the responses are read. */
export function testsNoEncoding(name: string): void {
  test(`Content-Encoding: ${name} fails one row, and the responses are read`, async (t) => {
    const { results, account } = await judge(t, {
      headers: (headers) => (headers['content-encoding'] = name),
    });
    assert.deepEqual(ids(results, 'failed'), ['json-media-type'], account);
    assert.deepEqual(ids(results, 'inconclusive'), [], account);
    assert.match(account, /a Content-Encoding that is no content coding/);
  });
}
