import assert from 'node:assert/strict';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { startReference } from '../../reference/index.js';
import { exploreAlone } from '../../proof/selftest/without-suites.js';
import { targetOf } from '../../proof/selftest/run-trial.js';
import { httpFront } from '../../testing/http-front.js';
import { violated } from './explore.test.support.js';
import { pathsOf } from './replay-paths.js';

/** Hands on a listing with its negative categories as text. */
async function handOn(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = (await text(answer)).replaceAll(/"categoryId":(-\d+)/g, '"categoryId":"$1"');
  const headers = { ...answer.headers, 'content-length': String(Buffer.byteLength(body)) };
  response.writeHead(answer.statusCode ?? 502, headers).end(body);
}

/** Starts a server whose listings hold negative categories as text. */
async function misprintingServer(t: TestContext) {
  const server = await startReference({});
  const front = await httpFront(server.baseUrl, {
    intercept: ({ request: { method, url = '', headers } }, response) => {
      if (method !== 'GET' || !/\/pets(\?|$)/.test(url)) return false;
      get(
        new URL(url, server.baseUrl),
        { headers: { ...headers, 'accept-encoding': 'identity' } },
        (answer) => void handOn(answer, response),
      );
      return true;
    },
  });
  t.after(async () => {
    await front.close();
    await server.close();
  });
  return { ...targetOf(server, { minuteSeconds: 60 }), baseUrl: front.baseUrl };
}

/** Explores such a server; returns what it found in the shape of animals. */
const foundBy = async (t: TestContext, seed: number, replay?: readonly string[]) =>
  violated(
    await exploreAlone(await misprintingServer(t), {
      requests: 400,
      animals: 100,
      seed,
      ...(replay && { replay }),
    }),
  ).filter(({ requirement }) => requirement === 'pet-shape');

test('an animal that a listing spoils is told with its creation, however much later it was listed', async (t) => {
  for (const seed of [1, 2, 5]) {
    const seen = await foundBy(t, seed);
    assert.ok(seen.length > 0, `seed ${seed}`);
    for (const { story } of seen)
      assert.ok(
        story?.steps.some((step) => /^POST .*"categoryId":-/.test(step)),
        JSON.stringify(story),
      );
    const [found] = seen;
    const again = await foundBy(t, seed, pathsOf(found?.story?.replay.replace(`${seed}:`, '') ?? ''));
    assert.ok(again.length > 0, JSON.stringify(found));
  }
});
