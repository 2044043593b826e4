import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { isLosslessNumber } from 'lossless-json';
import { request } from 'undici';
import { startAltered, type variants } from './index.js';
import type { Reference } from '../reference/index.js';
import { integerOf, isObject, member, readJson, textOf, type Json } from '../reference/json.js';
import { isStatus } from '../reference/operations.js';
import { walk } from '../testing/walking.js';

/** Requests whose results no variant may change; several run in parallel. */

type Sent = Readonly<{ key?: string; method?: 'GET' | 'POST'; body?: string; coding?: string }>;

const DECODERS: Readonly<Record<string, (payload: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

async function send({ baseUrl }: Reference, path: string, { key, method = 'GET', body, coding }: Sent) {
  const answer = await request(baseUrl + path, {
    method,
    body: body ?? null,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(coding === undefined ? {} : { 'accept-encoding': coding }),
    },
  });
  const payload = Buffer.from(await answer.body.arrayBuffer());
  const decode = DECODERS[String(answer.headers['content-encoding'])];
  const text = (decode?.(payload) ?? payload).toString('utf8');
  for (const name of ['limit', 'remaining', 'reset']) {
    assert.match(String(answer.headers[`x-ratelimit-${name}`]), /^\d+$/, `${path} ${name}`);
  }
  // A parser may ignore a byte order mark (RFC 8259, 8.1) and take the last of a repeated member (4), as variants expect.
  return {
    status: answer.statusCode,
    type: String(answer.headers['content-type']),
    value: readJson(text.replace(/^\uFEFF/, '').replaceAll('"note":1,"note":2', '"note":2')),
  };
}

/** Returns an animal's id for a path. Fails for a body that is no Pet. */
function idOf(value: Json | undefined): string {
  assert.ok(isObject(value));
  const [id, categoryId] = [member(value, 'id'), member(value, 'categoryId')];
  assert.ok(isLosslessNumber(id) && isLosslessNumber(categoryId));
  assert.equal(typeof member(value, 'name'), 'string');
  const status = member(value, 'status');
  assert.ok(status === undefined || isStatus(status));
  return String(integerOf(id));
}

function isError({ type, value, status }: { type: string; value: Json | undefined; status: number }): void {
  assert.match(type, /^application\/json/i);
  assert.ok(isObject(value));
  assert.equal(typeof member(value, 'code'), 'string');
  assert.equal(typeof member(value, 'message'), 'string');
  assert.equal(textOf(member(value, 'status')), String(status));
}

const newAnimal = (categoryId: string) => `{"name":"Žofka 🐈","categoryId":${categoryId},"status":"sold"}`;

/** The usual category. A service may require an existing one, which its listings show. */
const USUAL = '1';
/** Category of a variant whose store is empty. */
const EMPTY_STORES = '100';

/** Parallel variants, some of which wait. */
const SIDE_BY_SIDE = 4;

/** Step of the clock for each request, ms: enough for the strictest pacer and for a late replica. */
const STEP_MS = 100;

/** Requests after which every variant shows a new animal. */
const PATIENCE = 20;

async function fetched(server: Reference, id: string, key: string) {
  for (let sent = 1; sent < PATIENCE; sent += 1) {
    const answer = await send(server, `/pets/${id}`, { key });
    if (answer.status !== 404) return answer;
  }
  return send(server, `/pets/${id}`, { key });
}

async function keepsTheInterface(server: Reference, isRemoved: boolean): Promise<void> {
  const key = server.keys.business;
  let shown: string | undefined;
  for (const coding of ['gzip', 'deflate', 'br']) {
    const listing = await send(server, '/pets?limit=100', { key, coding });
    assert.equal(listing.status, 200);
    assert.match(listing.type, /^application\/json/i);
    assert.ok(Array.isArray(listing.value));
    const ids = listing.value.map(idOf);
    const [animal] = listing.value.filter(isObject);
    shown = animal && textOf(member(animal, 'categoryId'));
    assert.equal(new Set(ids).size, ids.length);
  }
  const creating = (category: string) =>
    send(server, '/pets', { key, method: 'POST', body: newAnimal(category) });
  const first = await creating(USUAL);
  const created = first.status === 201 ? first : await creating(shown ?? EMPTY_STORES);
  assert.equal(created.status, 201);
  const id = idOf(created.value);
  assert.ok(isObject(created.value));
  assert.equal(member(created.value, 'name'), 'Žofka 🐈');
  const animal = await fetched(server, id, key);
  if (isRemoved) assert.ok(animal.status >= 400);
  else assert.deepEqual([animal.status, animal.value], [200, created.value]);

  const errors = [
    await send(server, '/pets', { key, method: 'POST', body: '{"name":null,"categoryId":1}' }),
    await send(server, '/pets', {}),
    await send(server, '/pets/9223372036854775806', { key }),
  ];
  errors.forEach(isError);
  assert.deepEqual(
    errors.map(({ status }) => status),
    [400, 401, isRemoved ? animal.status : 404],
  );
}

/** Variants that differ only in time. */
const SLOW = ['slow-and-jittery', 'load-slow-and-jittery', 'load-far-away'];

/** Variants that need the limits of both minute and day, which the walk does not reach. */
const UNMET = ['day-counts-refusals'];

/** Tests some variants: each follows the interface, and changes a response. */
export function testsVariants(chosen: typeof variants): void {
  test('these variants follow the interface', { concurrency: SIDE_BY_SIDE }, async (t) => {
    await Promise.all(
      chosen.map(({ name, asOf }) =>
        t.test(name, async () => {
          let at = asOf === undefined ? Date.now() : Date.parse(asOf);
          const server = await startAltered({ variants: [name], now: () => (at += STEP_MS) });
          try {
            await keepsTheInterface(server, asOf !== undefined);
          } finally {
            await server.close();
          }
        }),
      ),
    );
  });

  test('each of these variants changes a response', { concurrency: SIDE_BY_SIDE }, async (t) => {
    const sound: string[] = [];
    await walk({}, undefined, (line) => sound.push(line) > 0);
    await Promise.all(
      chosen
        .filter(({ name }) => !SLOW.includes(name) && !UNMET.includes(name))
        .map(({ name, asOf, title }) =>
          t.test(name, async () => {
            let differs = false;
            await walk({ variants: [name] }, asOf, (line, step) => {
              differs = line !== sound[step];
              return !differs;
            });
            assert.ok(differs, title);
          }),
        ),
    );
  });
}
