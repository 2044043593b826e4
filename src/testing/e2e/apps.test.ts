import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { certify, type Run } from '../../index.js';
import { runSuitesHere } from './support/suites-here.js';
import { server } from '../../app/api/served.test.support.js';

/** Tests what `certify()` serves and throws, with few rows and with the suites in this process, to save time. */

runSuitesHere();

const requirements = ['list-ok', 'list-limit-default'];

test('certify() throws an error with failures and results if the server does not conform', async (t) => {
  const { baseUrl, keys } = await server(t, { flaws: ['default-limit-twenty-five'] });
  await assert.rejects(certify(baseUrl, { keys, requirements }), (error: Error & { run?: Run }) => {
    assert.equal(error.name, 'NotConformant');
    assert.match(error.message, /^app does not conform/);
    assert.match(error.message, /list-limit-default[\s\S]*expected +at most 20[\s\S]*received +25 animals/);
    const page = /^report: (.*)$/m.exec(error.message)?.[1] ?? '';
    assert.ok(existsSync(page));
    rmSync(join(page, '../..'), { recursive: true });
    assert.ok(!error.message.includes(keys.business));
    assert.equal(error.run?.exitCode, 1);
    return true;
  });
});

test('certify() leaves a given server open and rejects an unreachable one', async (t) => {
  const { baseUrl, keys } = await server(t);
  const relay = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const passed = request(new URL(incoming.url ?? '/', baseUrl), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => void relay.listen(0, '127.0.0.1', resolve));
  t.after(() => relay.close());
  const { results } = await certify(relay, { keys, requirements: ['list-ok'], readOnly: true });
  assert.equal(results.requirements.find(({ id }) => id === 'list-ok')?.outcome, 'passed');
  assert.ok(relay.listening);
  await assert.rejects(certify('http://127.0.0.1:1/v1', { keys }), /Cannot start/);
});

/** An app of a class with private state, which answers like the server behind it. */
class Forwarding {
  readonly #baseUrl: string;
  readonly #seen: string[] = [];
  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }
  get seen(): readonly string[] {
    return this.#seen;
  }
  async fetch(request: Request, env?: { incoming?: { url?: string }; outgoing?: object }): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    if (env?.incoming?.url !== `${pathname}${search}` || env.outgoing === undefined)
      throw new TypeError('no env');
    this.#seen.push(`${request.method} ${pathname}`);
    const body = request.method === 'GET' ? undefined : await request.text();
    const headers = ['authorization', 'content-type'].flatMap((name): [string, string][] => {
      const value = request.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    const answer = await fetch(new URL(`.${pathname.replace('/v1', '')}${search}`, `${this.#baseUrl}/`), {
      method: request.method,
      headers,
      ...(body !== undefined && { body }),
    });
    return new Response(await answer.arrayBuffer(), { status: answer.status, headers: answer.headers });
  }
}

test('certify() calls fetch on its object and with the objects of Node', async (t) => {
  const { baseUrl, keys } = await server(t);
  const app = new Forwarding(baseUrl);
  const { results } = await certify(app, { keys, requirements: ['list-ok', 'create-ok'] });
  assert.equal(results.verdict, 'conformant');
  assert.ok(app.seen.includes('POST /v1/pets'));
});

test('an error of the app is a 500, and its text is printed without keys', async (t) => {
  const { keys } = await server(t);
  const written: string[] = [];
  t.mock.method(process.stderr, 'write', (text: string) => written.push(text) > 0);
  const app = {
    fetch: (request: Request): Response => {
      throw new TypeError(`the cat sat on ${request.headers.get('authorization')}`);
    },
  };
  await assert.rejects(certify(app, { keys, requirements: ['list-ok'] }), (error: Error & { run?: Run }) => {
    rmSync(join(error.run?.directory ?? '', '..'), { recursive: true });
    return /received +500/.test(error.message);
  });
  t.mock.restoreAll();
  const printed = written.join('');
  assert.match(printed, /^the app threw on GET \/v1\/pets\?limit=100: TypeError: the cat sat on Bearer/m);
  assert.ok(!printed.includes(keys.business), printed);
});

test('certify() serves what Koa and Hapi are, and refuses another object in one sentence', async (t) => {
  const { baseUrl, keys } = await server(t);
  const relay = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { method, headers } = incoming;
    const passed = request(
      new URL(`${new URL(baseUrl).origin}${incoming.url}`),
      { method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(passed);
  };
  const koa = { middleware: [], callback: () => relay, listen: () => undefined };
  const listener = createServer(relay);
  const hapi = { initialize: async () => undefined, listener };
  for (const app of [koa, hapi]) {
    const { results } = await certify(app, { keys, requirements: ['list-ok'], readOnly: true });
    assert.equal(results.verdict, 'conformant');
  }
  assert.ok(!listener.listening);
  const other = { listen: () => undefined, address: () => null };
  await assert.rejects(certify(other, { keys }), {
    code: 'unknown-app',
    message: /cannot serve this object/,
  });
});
