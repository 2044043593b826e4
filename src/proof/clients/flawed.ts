import { setTimeout as pause } from 'node:timers/promises';
import type { ClientRow } from '../../base/interface/requirement-ids.js';
import { referenceClient, type ReferenceClient } from './reference-client.js';
import { creation, each, session, together, type Script } from './scripts.js';
import { restOf, type Waiting } from './sending.js';

const flawed = (heading: string, turns: ClientRow | readonly ClientRow[], ...rest: readonly [Parts]) =>
  referenceClient(heading, [turns].flat(), ...rest);
type Parts = Parameters<typeof referenceClient>[2];

const isDate = ({ headers }: Parameters<Waiting>[0]): boolean => Number.isNaN(Number(headers['retry-after']));

/** Waits wrongly. Each is too early once, and then served. */
const waits = [
  flawed('waits-nine-tenths: It waits 90 % of Retry-After.', 'client-waits', {
    plays: ['limited'],
    manners: { wait: ({ headers }) => restOf(headers) * 0.9 },
  }),
  flawed('ignores-dates: It waits 200 ms if Retry-After is a date.', 'client-waits', {
    plays: ['limited-by-date'],
    manners: { wait: (refused) => (isDate(refused) ? 200 : restOf(refused.headers)) },
  }),
  flawed(
    'reads-leading-digits: It reads Retry-After with parseInt, and waits NaN ms for a date.',
    'client-waits',
    {
      plays: ['limited-by-date'],
      manners: { wait: ({ headers }) => Number.parseInt(headers['retry-after'] ?? '0', 10) * 1000 || 0 },
    },
  ),
  flawed('blind-backoff: It waits 1, 2, 4 s and never reads Retry-After.', 'client-waits', {
    plays: ['limited'],
    manners: { wait: ({ attempt }) => 1000 * 2 ** (attempt - 1) },
  }),
  flawed('waits-once: It waits only after the first refusal of a request.', 'client-waits', {
    plays: ['limited'],
    manners: { wait: ({ headers, attempt }) => (attempt === 1 ? restOf(headers) : 100) },
  }),
  flawed(
    'forgets-after-unavailable: Once it met a 503, it waits 200 ms after each refusal.',
    'client-waits',
    {
      plays: ['unavailable'],
      script: async ({ once }) => {
        for (const waitMs of [1000, 200]) {
          await once({ path: '/pets' });
          await pause(waitMs);
        }
        await once({ path: '/pets' });
      },
    },
  ),
  flawed('repeats-all-together: It repeats four refused requests at once, in parallel.', 'client-waits', {
    plays: ['limited-in-parallel'],
    manners: { wait: () => 50 },
    script: together(4),
  }),
  flawed(
    'goes-on-with-others: After a refusal it sends another request on the same connection.',
    'client-waits',
    {
      plays: ['limited-creation'],
      manners: { connections: 1 },
      script: async ({ once, send }) => {
        await once(creation('{"name":"Rex","categoryId":1}'));
        await send({ path: '/pets?limit=7' });
      },
    },
  ),
  flawed(
    'rests-a-connection: After a refusal it rests the connection, and uses another one.',
    'client-waits',
    {
      plays: ['limited-creation'],
      script: async (client) => {
        const refused = client.send(creation('{"name":"Rex","categoryId":1}'));
        await pause(700);
        await Promise.all([refused, client.once({ path: '/pets?limit=8' })]);
      },
    },
  ),
  flawed(
    'goes-on-regardless: It sends other requests over new connections, as a script does.',
    'client-waits',
    {
      plays: ['limited-creation'],
      manners: { keepAlive: false },
      script: async ({ once }) => {
        await once(creation('{"name":"Rex","categoryId":1}'));
        await once({ path: '/pets?limit=7' });
        await once({ path: '/pets?limit=8' });
      },
    },
  ),
] as const;

const again: Parts['plays'] = ['limited-again'];

const persists = [
  flawed('sends-at-once: It repeats a refused request at once.', ['client-waits', 'client-does-not-hammer'], {
    plays: again,
    manners: { wait: ({ attempt }) => (attempt > 6 ? null : 1) },
  }),
  flawed(
    'keeps-trying: It repeats a refused request every 300 ms.',
    ['client-waits', 'client-does-not-hammer'],
    {
      plays: ['limited'],
      manners: { wait: () => 300 },
    },
  ),
  flawed('waits-exactly: It waits exactly Retry-After each time.', 'client-backoff', {
    plays: again,
    manners: { wait: ({ headers, attempt }) => (attempt > 4 ? null : restOf(headers)) },
  }),
  flawed('zero-means-now: It repeats a request at once where Retry-After is 0.', 'client-backoff', {
    plays: ['limited-zero'],
    manners: {
      wait: ({ headers, attempt }) => restOf(headers) + (restOf(headers) > 0 ? 60 * 2 ** attempt : 0),
    },
  }),
  flawed('constant-backoff: It adds 300 ms each time.', 'client-backoff', {
    plays: again,
    manners: { wait: ({ headers, attempt }) => (attempt > 4 ? null : restOf(headers) + 300) },
  }),
] as const;

const post = (body: string, headers?: Readonly<Record<string, string>>): Parts => ({
  script: each({ path: '/pets' }, creation(body, headers)),
});
const get = (...paths: readonly string[]): Parts => ({ script: each(...paths.map((path) => ({ path }))) });

const requests = [
  flawed('limit-of-a-thousand: It asks for 1,000 animals.', 'client-valid-request', get('/pets?limit=1000')),
  flawed(
    'creation-without-type: It sends a creation as text/plain.',
    'client-valid-request',
    post('{"name":"Rex","categoryId":1}', { 'Content-Type': 'text/plain' }),
  ),
  flawed(
    'fetches-undefined: It fetches the animal “undefined”.',
    ['client-valid-request', 'client-not-deprecated'],
    get('/pets', '/pets/undefined'),
  ),
  flawed(
    'id-in-exponents: It fetches by an id that its language prints with an exponent.',
    ['client-valid-request', 'client-not-deprecated'],
    get('/pets', '/pets/1e%2B00'),
  ),
  flawed(
    'fetches-by-id: It calls the deprecated operation.',
    'client-not-deprecated',
    get('/pets', '/pets/1'),
  ),
  flawed(
    'category-through-double: It reads categories with JSON.parse and sends them back.',
    'client-int64',
    {
      plays: ['large-ids'],
      script: async ({ send }) => {
        const { text } = await send({ path: '/pets?limit=3' });
        const [pet] = JSON.parse(text) as readonly { readonly categoryId: number }[];
        await send(creation(JSON.stringify({ name: 'Rex', categoryId: pet?.categoryId })));
      },
    },
  ),
  flawed(
    'id-through-double: It reads ids with JSON.parse and fetches by them.',
    ['client-int64', 'client-not-deprecated'],
    {
      plays: ['large-ids'],
      script: async ({ send }) => {
        const { text } = await send({ path: '/pets?limit=3' });
        const [pet] = JSON.parse(text) as readonly { readonly id: number }[];
        await send({ path: `/pets/${pet?.id}` });
      },
    },
  ),
] as const;

const following: Script = async ({ once, to }) => {
  const { status, headers } = await once({ path: '/pets?limit=5' });
  if (status >= 300 && headers.location !== undefined) await to(headers.location, { path: '' });
};

const keys = [
  flawed('key-in-the-query: It adds the key as api_key to the query.', 'client-bearer-key', {
    manners: {
      address: (baseUrl, path, key) => `${baseUrl}${path}${path.includes('?') ? '&' : '?'}api_key=${key}`,
    },
  }),
  flawed('key-in-its-own-header: It sends the key as X-API-Key.', 'client-bearer-key', {
    manners: { sign: (key) => ({ 'X-API-Key': key }) },
  }),
  flawed('key-under-basic: It sends the key as the user of Basic.', 'client-bearer-key', {
    manners: { sign: (key) => ({ Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }) },
  }),
  flawed('bearer-undefined: It sends “Bearer undefined”.', 'client-bearer-key', {
    manners: { sign: () => ({ Authorization: 'Bearer undefined' }) },
  }),
  flawed('creates-without-key: It forgets the key when it creates.', 'client-bearer-key', {
    script: async (client) => {
      await session(client);
      await client.send({ ...creation('{"name":"Rex","categoryId":1}'), signed: false });
    },
  }),
  flawed('without-version: It leaves out the /v1 of the base address.', 'client-base-path', {
    manners: { address: (baseUrl, path) => new URL(baseUrl).origin + path },
  }),
  flawed('key-follows-redirects: It follows a redirect to another origin with the key.', 'client-key-stays', {
    plays: ['redirected'],
    script: following,
  }),
] as const;

export const flawedClients: readonly ReferenceClient[] = [...waits, ...persists, ...requests, ...keys];
