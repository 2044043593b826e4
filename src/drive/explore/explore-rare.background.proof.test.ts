import assert from 'node:assert/strict';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { exploreAlone } from '../../proof/selftest/without-suites.js';
import { targetOf } from '../../proof/selftest/run-trial.js';
import { startReference } from '../../reference/index.js';
import { httpFront } from '../../testing/http-front.js';
import { violated } from './explore.test.support.js';
import { pathsOf } from './replay-paths.js';

/** What shows only now and then, or only after an earlier request. */

test('a 500 for every 97th request is a violation although no request repeats it', async () => {
  const server = await startReference({});
  let answers = 0;
  const front = createServer((request, response) => {
    answers += 1;
    const isFailing = answers % 97 === 0;
    const { method = 'GET', headers, url = '' } = request;
    const onward = forward(new URL(url, server.baseUrl), { method, headers }, (answer) => {
      const { 'content-length': _length, ...others } = answer.headers;
      response.writeHead(isFailing ? 500 : (answer.statusCode ?? 502), isFailing ? others : answer.headers);
      if (isFailing) response.end('{"code":"internal","message":"no connection","status":500}');
      else answer.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>((listening) => front.listen(0, '127.0.0.1', listening));
  try {
    const { port } = front.address() as AddressInfo;
    const target = { ...targetOf(server, { minuteSeconds: 60 }), baseUrl: `http://127.0.0.1:${port}/v1` };
    const log = await exploreAlone(target, { requests: 400, animals: 100, seed: 7 });
    const hard = violated(log).filter(({ warns }) => warns !== true);
    assert.ok(
      hard.some(({ actual }) => actual === '500'),
      JSON.stringify(violated(log)),
    );
  } finally {
    front.close();
    await server.close();
  }
});

test('a race that recurs in every second try only is a violation', async () => {
  const server = await startReference({});
  const held: (() => void)[] = [];
  let races = 0;
  /** Exchanges the ids of two parallel fetches in every second race. */
  const front = createServer((request, response) => {
    const pass = (url: string): void => {
      const { method = 'GET', headers } = request;
      const onward = forward(new URL(url, server.baseUrl), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(onward);
    };
    const url = request.url ?? '';
    if (!/^\/v1\/pets\/[1-9]\d*$/.test(url)) return pass(url);
    const other = held.shift();
    if (other) {
      races += 1;
      other();
      return pass(races % 2 === 1 ? '/v1/pets/1' : url);
    }
    const timer = setTimeout(() => (held.splice(0), pass(url)), 100);
    held.push(() => (clearTimeout(timer), pass(url)));
  });
  await new Promise<void>((listening) => front.listen(0, '127.0.0.1', listening));
  try {
    const { port } = front.address() as AddressInfo;
    const target = { ...targetOf(server, { minuteSeconds: 60 }), baseUrl: `http://127.0.0.1:${port}/v1` };
    const log = await exploreAlone(target, { requests: 400, animals: 40, seed: 1 });
    const hard = violated(log).filter(({ warns }) => warns !== true);
    assert.deepEqual(
      [...new Set(hard.map(({ requirement }) => requirement))],
      ['get-ok'],
      JSON.stringify([races, violated(log)]),
    );
  } finally {
    front.close();
    await server.close();
  }
});

/**
 * Starts a server whose listings, or those with some queries, fail for ever after a creation with a name
 * beyond the Basic Multilingual Plane.
 */
async function poisonedServer(t: TestContext, listings = /\/pets(\?|$)/) {
  const server = await startReference({});
  let isPoisoned = false;
  const front = await httpFront(server.baseUrl, {
    intercept: ({ request, body }, response) => {
      if (request.method === 'POST' && /name[^}]*\xf0\x9f/.test(body)) isPoisoned = true;
      if (!isPoisoned || request.method !== 'GET' || !listings.test(request.url ?? '')) return false;
      response.writeHead(500, { 'Content-Type': 'application/json' });
      response.end('{"code":"internal","message":"a row cannot be read","status":500}');
      return true;
    },
  });
  t.after(async () => {
    await front.close();
    await server.close();
  });
  return { ...targetOf(server, { minuteSeconds: 60 }), baseUrl: front.baseUrl };
}

const isFailure = ({ actual, message }: ReturnType<typeof violated>[number]): boolean =>
  /500/.test(`${actual} ${message}`);

/** Explores a poisoned server; returns its failures of listings, and those of a replay of the first one. */
async function exploredPoisoned(t: TestContext, listings?: RegExp, seed = 7) {
  const seen = violated(
    await exploreAlone(await poisonedServer(t, listings), { requests: 400, animals: 100, seed }),
  ).filter(isFailure);
  for (const { story } of seen)
    assert.ok(
      story?.steps.some((step) => /^POST .*[\u{10000}-\u{10ffff}]/u.test(step)),
      JSON.stringify(story),
    );
  const again = violated(
    await exploreAlone(await poisonedServer(t, listings), {
      requests: 100,
      animals: 100,
      seed,
      replay: pathsOf(seen[0]?.story?.replay.replace(`${seed}:`, '') ?? ''),
    }),
  ).filter(isFailure);
  assert.ok(
    again.some(({ requirement }) => requirement === seen[0]?.requirement),
    JSON.stringify(again),
  );
  return seen.map(({ requirement }) => requirement);
}

test('what an earlier creation broke is one story, with that creation, and its replay shows it', async (t) => {
  const rows = await exploredPoisoned(t);
  assert.ok(rows.length > 0 && new Set(rows).size === rows.length, 'one story for each row');
  assert.ok(!rows.includes('auth-scheme-case'), 'the scheme makes no difference where no listing works');
});

test('so it is where only listings of many animals fail, and smaller ones worked in between', async (t) => {
  for (const seed of [1, 4]) {
    const rows = await exploredPoisoned(t, /limit=(100|%31%30%30)\b/, seed);
    assert.ok(rows.length > 0, `seed ${seed}`);
  }
});
