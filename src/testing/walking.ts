/** A walk through all behaviour of a server, to compare two servers. */

import { ask, type Asked, type Asking } from './asking.js';
import { startAltered, type AlteredOptions } from '../proof/index.js';
import type { Reference } from '../reference/index.js';
import { type KeyName, keyNames } from '../base/interface/names.js';

/** One step of the walk; returns what a client sees. */
type Step = (server: Reference, clock: Clock) => Promise<unknown>;

interface Clock {
  at: number;
}

const seen = ({ status, headers, names, text }: Asked) => ({ status, headers, names, text });

/** Returns any request with the Business key. */
const odd =
  (path: string, asking: Asking): Step =>
  async (server) =>
    seen(await ask(server, path, { key: server.keys.business, ...asking }));

const JSON_TYPE = { 'content-type': 'application/json' };

const get =
  (path: string, key: KeyName = 'business'): Step =>
  async (server) =>
    seen(await ask(server, path, { key: server.keys[key] }));

const post =
  (body: string, key: KeyName = 'business'): Step =>
  async (server) =>
    seen(await ask(server, '/pets', { key: server.keys[key], method: 'POST', body, headers: JSON_TYPE }));

/** Returns a request whose credentials are made from the Pro key. */
const as =
  (path: string, credentials: (key: string) => Asking): Step =>
  async (server) =>
    seen(await ask(server, path.replace('KEY', server.keys.pro), credentials(server.keys.pro)));

/** Marks a request outside the interface's operations. */
const beside =
  (step: Step): Step =>
  async (server, clock) => ({ beside: await step(server, clock) });

const wait =
  (seconds: number): Step =>
  (_server, clock) => {
    clock.at += seconds * 1000;
    return Promise.resolve(null);
  };

/** Sends many listings, some in parallel; keeps only the sorted status codes. */
const burst =
  (key: KeyName, count: number, atOnce: number): Step =>
  async (server) => {
    const statuses: number[] = [];
    for (let sent = 0; sent < count; sent += atOnce) {
      const asked = Array.from({ length: atOnce }, () =>
        ask(server, '/pets?limit=1', { key: server.keys[key] }),
      );
      statuses.push(...(await Promise.all(asked)).map(({ status }) => status));
    }
    return statuses.toSorted((one, other) => one - other);
  };

const CREATION = '{"name":"Rex","categoryId":1,"status":"sold"}';
const LONG_NAME = `${'long name '.repeat(10).slice(0, 99)}!`;

const NAMES = ['Zoë', '🐈', '\\"quoted\\" <b>&amp;</b>', 'Łódź', LONG_NAME, 'two  blanks', 'Zoe\u0308'];

const BODIES = [
  CREATION,
  '{"name":"Ada","categoryId":2}',
  '{"name":"Mia","categoryId":9007199254740993,"status":"pending"}',
  ...NAMES.map((name) => `{"name":"${name}","categoryId":1,"status":"available"}`),
  '{"name":"","categoryId":1}',
  '{"name":"x","categoryId":1.0}',
  '{"name":"x","categoryId":77}',
  '{"name":"x","categoryId":1,"colour":"red"}',
  '{"categoryId":1}',
  '{"name":"lost"}',
  '{}',
  '{"name":null,"categoryId":1}',
  '{"name":5,"categoryId":1}',
  '{"name":"x","categoryId":null}',
  '{"name":"x","categoryId":"1"}',
  '{"name":"x","categoryId":true}',
  '{"name":"x","categoryId":1.5}',
  '{"name":"x","categoryId":9223372036854775808}',
  '{"name":"x","categoryId":1,"status":"lost"}',
  '{"name":"x","categoryId":1,"status":"SOLD"}',
  '{"name":"x","categoryId":1,"status":null}',
  '{"name":"x","categoryId":1,"status":1}',
  '[]',
  '["x",1,"sold"]',
  '"x"',
  'null',
  '',
  '{"name":"x",',
  `${CREATION} and more`,
  `{"name":"${LONG_NAME}","categoryId":1,"status":"sold"}`,
  '{"name":"a\\u0000b","categoryId":1}',
  '{"name":"a\\u200bb","categoryId":1}',
  '{"name":" outer ","categoryId":1}',
  `{"name":"${'0123456789'.repeat(30)}","categoryId":1}`,
  '{"name":"x","categoryId":0}',
  '{"name":"x","categoryId":1,"id":1}',
  '{"name":"Rex","categoryId":1,"name":"Twice"}',
  CREATION + ' '.repeat(40_000),
];

const STRANGERS: readonly ((key: string) => Asking)[] = [
  () => ({}),
  () => ({ key: 'never-issued' }),
  (key) => ({ key: ` ${key}` }),
  (key) => ({ key: key.slice(0, -3) }),
  (key) => ({ key: `${key}x` }),
  (key) => ({ key: key.toUpperCase() }),
  (key) => ({ key: `${key.slice(0, -4)}0000` }),
  (key) => ({ headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` } }),
  (key) => ({ headers: { authorization: `Basic ${Buffer.from(`user:${key}`).toString('base64')}` } }),
  (key) => ({ headers: { authorization: `Basic ${key}` } }),
  (key) => ({ headers: { authorization: key } }),
  (key) => ({ headers: { authorization: `bearer ${key}` } }),
  (key) => ({ headers: { 'x-api-key': key } }),
];

const STEPS: readonly Step[] = [
  async ({ baseUrl }) => new URL(baseUrl).pathname,
  ...['', '?limit=1', '?limit=5', '?limit=21', '?limit=20', '?limit=100'].map((query) =>
    get(`/pets${query}`),
  ),
  ...['available', 'pending', 'sold'].map((status) => get(`/pets?status=${status}`)),
  get('/pets?status=available&limit=100'),
  get('/pets?status=sold&limit=3'),
  get('/pets/1'),
  get('/pets/999999'),
  get('/pets/9223372036854775807'),
  get('/pets/4294967297'),
  ...BODIES.map((body) => post(body)),
  ...['0', '101', '-1', 'abc', '999', '1e1', '5&limit=5'].map((limit) => get(`/pets?limit=${limit}`)),
  ...['lost', 'SOLD'].map((status) => get(`/pets?status=${status}`)),
  get('/pets?colour=red'),
  ...['/pets/abc', '/pets/', '/pets/5abc', '/pets/%35'].map((path) => beside(get(path))),
  ...(['HEAD', 'OPTIONS', 'DELETE', 'PUT'] as const).map((method) => beside(odd('/pets/1', { method }))),
  ...['gzip', 'deflate', 'br'].map((coding) => odd('/pets', { headers: { 'accept-encoding': coding } })),
  odd('/pets', { method: 'POST', body: CREATION, headers: { 'content-type': 'text/plain' } }),
  odd('/pets', { method: 'POST', body: CREATION }),
  get('/pets/49'),
  get('/pets/51'),
  get('/pets/56'),
  get('/pets?limit=100'),
  get('/pets?limit=100&status=sold'),
  ...STRANGERS.flatMap((stranger) => [
    as('/pets', (key) => ({ key })),
    as('/pets', stranger),
    as('/pets/1', stranger),
    as('/pets/999999', stranger),
    ...[CREATION, '{"name":null}', '{'].map((body) =>
      as('/pets', (key) => ({
        ...stranger(key),
        method: 'POST',
        body,
        headers: { ...JSON_TYPE, ...stranger(key).headers },
      })),
    ),
  ]),
  ...['api_key', 'access_token', 'key', 'token'].map((name) => as(`/pets?${name}=KEY`, () => ({}))),
  ...['/pets?status=sold', '/pets/2'].map((path) => as(path, () => ({}))),
  ...['', 'x'].map((before) =>
    as('/pets', (key) => ({
      headers: { authorization: `Bearer ${before === '' ? '' : before + key}`.trim() },
    })),
  ),
  get('/pets?limit=100'),
  get('/pets/1', 'pro'),
  burst('free', 30, 1),
  // More than half a second after a whole one, so that Retry-After rounded up differs from any other rounding.
  wait(5.6),
  burst('free', 27, 1),
  post(CREATION, 'free'),
  get('/pets/1', 'free'),
  get('/pets', 'free'),
  get('/pets', 'free'),
  get('/pets/1', 'free'),
  post(CREATION, 'free'),
  get('/pets', 'pro'),
  wait(15),
  get('/pets', 'free'),
  wait(25),
  get('/pets', 'free'),
  wait(18),
  get('/pets', 'free'),
  burst('business', 310, 10),
  wait(61),
  burst('sacrificial', 70, 7),
  // Between the bans after 9 and 25 refusals and the sound server's after 30, a whole response shows which it is.
  get('/pets', 'sacrificial'),
  burst('sacrificial', 15, 1),
  get('/pets', 'sacrificial'),
  burst('sacrificial', 23, 1),
  get('/pets', 'pro'),
  wait(61),
  get('/pets', 'sacrificial'),
  wait(62),
  get('/pets', 'sacrificial'),
  burst('enterprise', 50, 10),
  get('/pets', 'enterprise'),
  wait(61),
  burst('enterprise', 20, 1),
  // Half a day, then a day after the first of these requests but less than one after the last.
  wait(43_200),
  get('/pets', 'enterprise'),
  wait(43_149),
  burst('enterprise', 56, 1),
];

const NOON = Date.UTC(2026, 10, 20, 12, 0, 0, 250);

/** Fixed keys, so that two servers differ only in behaviour. */
const KEYS = Object.fromEntries(keyNames.map((name) => [name, `${name}Key0123456789ABCDEFGHIJKLMNOPQR`]));

/** Runs the steps on a server, and stops at the first for which `goesOn` returns false. */
export async function walk(
  options: Partial<AlteredOptions>,
  asOf: string | undefined,
  goesOn: (result: string, step: number) => boolean,
): Promise<void> {
  const clock = { at: asOf === undefined ? NOON : Date.parse(asOf) };
  const plans = { enterprise: { perMinute: 60, perDay: 55 } };
  const server = await startAltered({
    ...options,
    minuteSeconds: 60,
    keys: KEYS,
    plans,
    now: () => clock.at,
  });
  try {
    for (const [index, step] of STEPS.entries()) {
      if (!goesOn(JSON.stringify(await step(server, clock)), index)) return;
    }
  } finally {
    await server.close();
  }
}
