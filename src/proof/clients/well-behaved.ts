import type { ClientScenario } from '../../base/interface/names.js';
import { RATE_FIELDS, RATE_HEADERS } from '../../base/interface/rate-headers.js';
import { referenceClient, type ReferenceClient } from './reference-client.js';
import { creation, each, session, together } from './scripts.js';
import { restOf } from './sending.js';

const WAITING: readonly ClientScenario[] = [
  'limited',
  'limited-by-date',
  'limited-again',
  'limited-zero',
  'banned',
];

const sound = (heading: string, particulars: Parameters<typeof referenceClient>[2]): ReferenceClient =>
  referenceClient(heading, [], particulars);

const waiting = [
  sound('exponential: It adds 60 ms, twice as much each time.', { plays: WAITING }),
  sound('full-jitter: It adds a random part of a growing time.', {
    plays: WAITING,
    manners: {
      wait: ({ headers, attempt, random }) =>
        attempt > 5 ? null : restOf(headers) + random() * 150 * 2 ** attempt,
    },
  }),
  sound('decorrelated-jitter: It adds a random time up to three times the one before.', {
    plays: WAITING,
    manners: {
      wait: ({ headers, attempt, before, random }) =>
        attempt > 5 ? null : restOf(headers) + 100 + random() * Math.min(900, 3 * Math.max(200, before / 4)),
    },
  }),
  sound('larger-of-both: It waits the larger of Retry-After and 1, 2, 4 s, three times at most.', {
    plays: ['limited', 'limited-again'],
    manners: {
      wait: ({ headers, attempt }) =>
        attempt > 3 ? null : Math.max(restOf(headers), 1000 * 2 ** (attempt - 1)),
    },
  }),
  sound(`waits-for-reset: It waits until ${RATE_HEADERS.reset} if that is later.`, {
    plays: ['limited', 'limited-creation'],
    manners: {
      wait: ({ headers, attempt }) =>
        attempt > 5
          ? null
          : Math.max(restOf(headers), Number(headers[RATE_FIELDS.reset]) * 1000 - Date.now()) +
            50 * 2 ** attempt,
    },
  }),
  sound('gives-up: It never repeats a refused request.', { plays: WAITING, manners: { wait: () => null } }),
  sound('repeats-no-creation: It repeats only listings.', {
    plays: ['limited-creation', 'limited'],
    manners: {
      wait: ({ method, headers, attempt }) =>
        method === 'POST' || attempt > 5 ? null : restOf(headers) + 90 * attempt ** 2,
    },
  }),
  sound('zero-means-nothing: It takes Retry-After: 0 for none, and backs off by itself.', {
    plays: ['limited-zero', 'limited'],
    manners: {
      wait: ({ headers, attempt }) => (attempt > 4 ? null : restOf(headers) || 100 * 2 ** attempt),
    },
  }),
  sound('one-second-too-long: It waits a second longer than it must, once.', {
    plays: ['limited', 'limited-by-date'],
    manners: { wait: ({ headers, attempt }) => (attempt > 2 ? null : restOf(headers) + 1000) },
  }),
  sound('exact: It waits exactly Retry-After, and gives up after three refusals.', {
    plays: ['limited', 'limited-by-date', 'limited-again'],
    manners: { wait: ({ headers, attempt }) => (attempt > 2 ? null : restOf(headers)) },
  }),
  sound(
    'exact-three-times: It waits exactly Retry-After three times, and gives up, as common libraries do.',
    {
      plays: ['limited-again', 'limited'],
      manners: { wait: ({ headers, attempt }) => (attempt > 3 ? null : restOf(headers)) },
    },
  ),
  sound('four-in-parallel: It sends four requests together, and repeats each after its own rest.', {
    plays: ['limited-in-parallel', 'limited'],
    script: together(4),
  }),
  sound('pool-of-four: It calls eight requests together over four connections.', {
    plays: ['limited-in-parallel'],
    script: together(8),
  }),
  sound('pool-of-four-with-equal-requests: It calls six equal requests together over four connections.', {
    plays: ['limited-in-parallel', 'limited'],
    script: ({ send }) => Promise.all(Array.from({ length: 6 }, () => send({ path: '/pets?limit=9' }))),
  }),
  sound('new-connection-each: It opens a connection for each request.', {
    plays: ['limited', 'limited-by-date'],
    manners: { keepAlive: false },
  }),
] as const;

const requesting = [
  sound('plain: It lists, creates and lists again.', {
    plays: ['calm', 'more-members', 'empty-store', 'unavailable'],
  }),
  sound('lower-case-bearer: It writes the scheme in lower case.', {
    manners: { sign: (key) => ({ authorization: `bearer ${key}` }) },
  }),
  sound('unusual-notation: It writes integers in unusual ways, and repeats a parameter.', {
    script: each(
      { path: '/pets?limit=05' },
      { path: '/pets?limit=5&limit=6&page=2' },
      creation('{"name":"","categoryId":7.0,"age":3}'),
    ),
  }),
  sound('typed-with-charset: It names the charset of its creations.', {
    script: each(
      creation('{"name":"Žofka","categoryId":1}', { 'Content-Type': 'Application/JSON; charset=utf-8' }),
    ),
  }),
  sound('digits-as-text: It keeps ids and categories as text.', { plays: ['large-ids'] }),
  sound('asks-for-health: It asks for its health and an icon without the key.', {
    script: async (client) => {
      await client.once({ path: '/health', signed: false });
      await client.to(`${new URL(client.place.baseUrl).origin}/favicon.ico`, { path: '', signed: false });
      await session(client);
    },
  }),
  sound('looks-at-the-head: It sends HEAD and OPTIONS, which the interface does not name.', {
    script: each({ method: 'HEAD', path: '/pets' }, { method: 'OPTIONS', path: '/pets' }, { path: '/pets' }),
  }),
  sound('tests-a-wrong-key: It sends a wrong key once, as tests of clients do.', {
    script: async (client) => {
      await client.once({ path: '/pets', headers: { Authorization: 'Bearer not-a-key-of-this-service' } });
      await session(client);
    },
  }),
  sound('leaves-redirects: It does not follow redirects.', { plays: ['redirected'] }),
  sound('follows-without-key: It follows a redirect to another origin without the key.', {
    plays: ['redirected'],
    script: async ({ once, to }) => {
      const { headers } = await once({ path: '/pets?limit=5' });
      if (headers.location !== undefined) await to(headers.location, { path: '', signed: false });
    },
  }),
  sound('sends-an-extra-slash: It writes the base path with two slashes behind it.', {
    script: each({ path: '//pets' }, { path: '/pets' }),
  }),
] as const;

export const soundClients: readonly ReferenceClient[] = [...waiting, ...requesting];
