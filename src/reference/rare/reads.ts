import type { Context } from '../behaviour.js';
import {
  around,
  authorization,
  early,
  failing,
  fallingOver,
  keyThat,
  keyWhere,
  knowing,
  limitAsked,
  seams,
  statusAsked,
} from '../changes.js';
import { flawsBy, flawsTurning, LISTING } from '../registry.js';

const raw = ({ request }: Context): string => [...request.query].map(([name, value]) => `${name}=${value}`).join('&');

/** Makes pages for some limits one too long. */
const oneOver = (test: (limit: number) => boolean) =>
  seams(({ select }) => ({
    select: (animals, query, matches) =>
      select(animals, test(query.limit) ? { ...query, limit: query.limit + 1 } : query, matches),
  }));

/** Serves another animal for an unknown id. */
const alias = (to: (id: bigint, ids: readonly bigint[]) => bigint | undefined) =>
  seams(({ find }) => ({
    find: (context, id) => {
      const animal = find(context, id);
      const other = animal
        ? undefined
        : to(
            id,
            context.store.all().map((each) => each.id),
          );
      return animal ?? (other === undefined ? undefined : find(context, other));
    },
  }));

/** Flaws of some limits, spellings, filters and ids. */
export const rareReads = [
  ...flawsBy('list-limit-max-items', 'explore', oneOver, {
    'limit-16-one-over': [
      'A limit of a power of two is one too many.',
      (limit) => [2, 16, 32].includes(limit),
      ['list-filter-with-limit'],
    ],
    'limit-7-one-over': [
      'Limits from 7 to 9 are read as text and compared wrongly.',
      (limit) => limit >= 7 && limit <= 9,
      ['list-filter-with-limit'],
    ],
  }),
  ...flawsTurning('list-limit-max-items', 'explore', {
    'limit-30-is-33': [
      'Limits from 24 to 30 are rounded up to a third of the greatest.',
      seams(({ select }) => ({
        select: (animals, query, matches) =>
          select(animals, query.limit >= 24 && query.limit <= 30 ? { ...query, limit: 33 } : query, matches),
      })),
      ['list-filter-with-limit'],
    ],
  }),
  ...flawsTurning('declared-status', 'explore', {
    'status-text-silently-500': [
      'Members of every object are looked up among the statuses, and found.',
      fallingOver(
        'listPets',
        (context) => (statusAsked(context) ?? 'x') in {} || context.request.query.has('__proto__[status]'),
      ),
    ],
    'limit-of-many-digits-500': [
      'A limit beyond int32 overflows.',
      fallingOver('listPets', (context) => /^\d{10,}$/.test(limitAsked(context) ?? '')),
    ],
    'limit-twice-500': [
      'A parameter that is given twice is an array, and falls over.',
      fallingOver(
        'listPets',
        ({ request }) =>
          request.query.getAll('limit').length > 1 ||
          [...request.query.keys()].some((name) => name.startsWith('limit[')),
      ),
    ],
    'quote-in-status-500': [
      'The status is put into the query of a database as it is.',
      fallingOver('listPets', (context) => /['\0{[]/.test(statusAsked(context) ?? '')),
    ],
    'further-parameter-500': [
      'A parameter that nobody knows falls over.',
      fallingOver('listPets', ({ request }) =>
        [...request.query.keys()].some((name) => /^(?:offset|page|sort|q|fields|callback)$/.test(name)),
      ),
    ],
    'id-with-more-behind-500': [
      'What follows the digits of an id falls over.',
      fallingOver('getPet', ({ route }) => route.kind === 'operation' && /^\d+(?!\.)[^\d.]/.test(route.petId)),
    ],
    'id-with-fraction-500': [
      'An id with a fraction falls over.',
      fallingOver('getPet', ({ route }) => route.kind === 'operation' && /^\d+\.\d$/.test(route.petId)),
    ],
  }),
  ...flawsBy('get-unknown', 'explore', alias, {
    'id-cut-to-32-bits': [
      'Of an id 32 bits are looked at.',
      (id, ids) => ids.find((known) => known === BigInt.asUintN(32, id)),
    ],
    'id-loses-its-sign': ['A negative id loses its sign.', (id, ids) => ids.find((known) => known === -id)],
    'id-after-the-newest-is-the-newest': [
      'The id after the newest gives the newest: the bounds are compared with "at most".',
      (id, ids) => ids.find((known) => known === id - 1n && known === ids.at(-1)),
    ],
    'id-0-is-the-first': ['Id 0 gives the first animal.', (id, ids) => (id === 0n ? ids[0] : undefined)],
    'id-beyond-is-the-last': [
      'An id beyond the last gives the last animal.',
      (id, ids) => (id > 1_000_000n && id < 2n ** 62n ? ids.at(-1) : undefined),
    ],
  }),
  ...flawsTurning('get-unknown', 'explore', {
    'id-smallest-falls-over': [
      'The smallest id has no positive counterpart.',
      fallingOver('getPet', ({ route }) => route.kind === 'operation' && route.petId === '-9223372036854775808'),
    ],
  }),
  ...flawsTurning('list-filter-with-limit', 'explore', {
    'second-parameter-unread': [
      'Where the status stands before the limit, the limit is not read.',
      around('listPets', (context, sound) => {
        if (!/^status=[a-z]+&limit=/.test(raw(context))) return sound(context);
        const query = new URLSearchParams([
          ['status', statusAsked(context) ?? ''],
          ['limit', '100'],
        ]);
        return sound({ ...context, request: { ...context.request, query } });
      }),
      ['list-page-full', ...LISTING.filter((id) => id === 'list-status-filter' || id === 'list-limit-max-items')],
    ],
  }),
];

const under = (scheme: string) =>
  knowing((request, settings) => keyThat(settings, (key) => authorization(request) === `${scheme} ${key}`));
const inHeader = (name: string) => keyWhere((key, { headers }) => headers[name] === key);
const inQuery = (name: string) => keyWhere((key, { query }) => query.get(name) === key);
const asToken = (form: (key: string) => string) =>
  knowing((request, settings) => keyThat(settings, (key) => authorization(request) === `Bearer ${form(key)}`));
const anybody = (token: string) =>
  knowing((request) => (authorization(request) === `Bearer ${token}` ? 'business' : undefined));

/** Flaws that accept some invalid keys. */
export const rareKeys = [
  ...flawsBy('auth-bearer-only', 'explore', under, {
    'key-under-token': ['The scheme Token is taken, as by a framework before.', 'Token'],
    'key-under-apikey': ['The scheme ApiKey is taken.', 'ApiKey'],
    'key-behind-a-colon': ['A colon behind the scheme is overlooked.', 'Bearer:'],
  }),
  ...flawsTurning('auth-bearer-only', 'explore', {
    'key-without-a-blank': [
      'The scheme is cut off by its length.',
      keyWhere((key, request) => authorization(request) === `Bearer${key}`),
    ],
  }),
  ...flawsBy('auth-invalid-key', 'explore', asToken, {
    'key-in-quotes': ['Quotes around the key are taken off.', (key) => `"${key}"`],
    'key-twice': ['Whatever begins and ends with a key is taken.', (key) => key + key],
    'key-as-base64': ['A key in Base64 is decoded and taken.', (key) => Buffer.from(`${key}:`).toString('base64')],
  }),
  ...flawsTurning('auth-invalid-key', 'explore', {
    'key-before-words': [
      'The key ends at the next blank.',
      keyWhere((key, request) => authorization(request)?.startsWith(`Bearer ${key} `) === true),
    ],
    'key-with-quote-falls-over': [
      'A quote in a key breaks the query of the database.',
      early((context) => (/^Bearer .*'/.test(authorization(context.request) ?? '') ? failing(context) : null)),
    ],
    'key-first-letter': [
      'Keys are compared as far as the shorter one goes.',
      knowing((request, settings) =>
        keyThat(
          settings,
          (key) =>
            (authorization(request) ?? '').replace('Bearer ', '').length === 1 &&
            key.startsWith((authorization(request) ?? '').replace('Bearer ', '')),
        ),
      ),
    ],
    'key-constructor': [
      'Keys are looked up in an object, which has members of its own.',
      knowing((request) =>
        /^Bearer (?:constructor|__proto__)$/.test(authorization(request) ?? '') ? 'business' : undefined,
      ),
    ],
  }),
  ...flawsBy('auth-invalid-key', 'explore', anybody, {
    'key-null': ['The word null is the key of whoever has none.', 'null'],
    'key-star': ['A star stands for any key.', '*'],
    'key-percent': ['Keys are looked up with LIKE, where a percent sign is any.', '%'],
    'key-injected': ['Keys are put into the query of a database as they are.', "' OR '1'='1"],
    'key-unsigned': ['A token that says that it is not signed is believed.', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
    'key-of-tests': ['The key of the tests was left in.', 'test'],
  }),
  ...flawsBy('auth-header-only', 'explore', inHeader, {
    'key-in-x-auth-token': ['The key in X-Auth-Token is taken.', 'x-auth-token'],
    'key-in-proxy-authorization': ['The key in Proxy-Authorization is taken.', 'proxy-authorization'],
  }),
  ...flawsTurning('auth-header-only', 'explore', {
    'key-in-a-cookie': [
      'The key in a cookie named session is taken.',
      keyWhere((key, { headers }) => headers['cookie'] === `session=${key}`),
    ],
  }),
  ...flawsBy('auth-header-only', 'explore', inQuery, {
    'key-as-jwt-parameter': ['The key as the parameter jwt is taken.', 'jwt'],
    'key-as-auth-parameter': ['The key as the parameter auth_token is taken.', 'auth_token'],
  }),
];
