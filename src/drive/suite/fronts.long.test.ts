import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { idsOf, ran } from '../../testing/load-at.js';
import type { Passing } from '../../testing/http-front.js';
import {
  ids,
  judge,
  longKey,
  refuse,
  testsBlocked,
  testsLongForms,
  testsNoEncoding,
} from './fronts.test.support.js';

/** Some ways in which a proxy disturbs; fronts.long.proof.test.ts has the others. */

testsBlocked('the fiftieth', 50, 403);
testsLongForms('nginx refuses with 400 and 414');
testsNoEncoding('none');

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

test('an encoding that hides the body leaves rows open, with that reason', async (t) => {
  const { results, account } = await judge(t, {
    headers: (headers) => (headers['content-encoding'] = 'zstd'),
  });
  assert.deepEqual(ids(results, 'failed'), [], account);
  assert.match(account, /a body cannot be read: Content-Encoding zstd was not requested/);
  assert.doesNotMatch(account, /did not respond/);
});
