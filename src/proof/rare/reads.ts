import type { Context } from '../../reference/behaviour.js';
import { around, early, failing, fallingOver, petIdOf, seams, type Test } from '../changes/requests.js';
import { limitAsked, sized, statusAsked } from '../changes/animals.js';
import { authorization, inAuthorization, inHeader, inQuery, keyWhere, knowing } from '../changes/keys.js';
import { flawsBy, flawsTurning, LISTING } from '../registry.js';

const raw = ({ request }: Context): string =>
  [...request.query].map(([name, value]) => `${name}=${value}`).join('&');

const alias = (to: (id: bigint, ids: readonly bigint[]) => bigint | undefined) =>
  seams(({ find }) => ({
    find: (context, id) => {
      const ids = context.store.all().map((animal) => animal.id);
      return find(context, id) ?? find(context, to(id, ids) ?? id);
    },
  }));

const anybody = (token: string) =>
  knowing((request) => (authorization(request) === `Bearer ${token}` ? 'business' : undefined));

export const rareReads = [
  ...flawsBy({ turns: ['list-limit-max-items'], also: ['list-filter-with-limit'] }, 'explore', sized, {
    'limit-16-one-over: A limit that is a power of two returns one animal too many.': (limit) =>
      [2, 16, 32].includes(limit) ? limit + 1 : limit,
    'limit-7-one-over: Limits from 7 to 9 are compared as text, which is wrong.': (limit) =>
      limit >= 7 && limit <= 9 ? limit + 1 : limit,
    'limit-30-is-33: Limits from 24 to 30 are rounded up to a third of the maximum.': (limit) =>
      limit >= 24 && limit <= 30 ? 33 : limit,
  }),
  ...flawsBy('declared-status', 'explore', (test: Test) => fallingOver('listPets', test), {
    'status-text-silently-500: Built-in member names of objects are accepted as statuses.': (context) =>
      (statusAsked(context) ?? 'x') in {} || context.request.query.has('__proto__[status]'),
    'limit-of-many-digits-500: A limit beyond int32 overflows.': (context) =>
      /^\d{10,}$/.test(limitAsked(context) ?? ''),
    'limit-twice-500: A repeated parameter becomes an array, which returns 500.': ({ request: { query } }) =>
      query.getAll('limit').length > 1 || [...query.keys()].some((name) => name.startsWith('limit[')),
    'quote-in-status-500: The status is inserted into a database query unescaped.': (context) =>
      /['\0{[]/.test(statusAsked(context) ?? ''),
    'further-parameter-500: An unknown parameter returns 500.': ({ request }) =>
      [...request.query.keys()].some((name) => /^(?:offset|page|sort|q|fields|callback)$/.test(name)),
  }),
  ...flawsBy(
    'declared-status',
    'explore',
    (ids: RegExp) => fallingOver('getPet', (context) => ids.test(petIdOf(context))),
    {
      'id-with-more-behind-500: Text after the digits of an id returns 500.': /^\d+(?!\.)[^\d.]/,
      'id-with-fraction-500: An id with a fraction returns 500.': /^\d+\.\d$/,
    },
  ),
  ...flawsBy('get-unknown', 'explore', alias, {
    'id-cut-to-32-bits: Only 32 bits of an id are used.': (id, ids) =>
      ids.find((known) => known === BigInt.asUintN(32, id)),
    'id-loses-its-sign: A negative id loses its sign.': (id, ids) => ids.find((known) => known === -id),
    'id-after-the-newest-is-the-newest: The id after the newest returns the newest animal: the bound is compared with "at most".':
      (id, ids) => ids.find((known) => known === id - 1n && known === ids.at(-1)),
    'id-0-is-the-first: Id 0 returns the first animal.': (id, ids) => (id === 0n ? ids[0] : undefined),
    'id-beyond-is-the-last: An id beyond the last returns the last animal.': (id, ids) =>
      id > 1_000_000n && id < 2n ** 62n ? ids.at(-1) : undefined,
  }),
  ...flawsTurning('get-unknown', 'explore', {
    'id-smallest-falls-over: The smallest id has no positive counterpart.': fallingOver(
      'getPet',
      (context) => petIdOf(context) === '-9223372036854775808',
    ),
  }),
  ...flawsTurning('list-filter-with-limit', 'explore', {
    'second-parameter-unread: A limit after the status is not read.': [
      around('listPets', (context, sound) => {
        if (!/^status=[a-z]+&limit=/.test(raw(context))) return sound(context);
        const query = new URLSearchParams([
          ['status', statusAsked(context) ?? ''],
          ['limit', '100'],
        ]);
        return sound({ ...context, request: { ...context.request, query } });
      }),
      [
        'list-page-full',
        ...LISTING.filter((id) => id === 'list-status-filter' || id === 'list-limit-max-items'),
      ],
    ],
  }),
  ...flawsBy('auth-bearer-only', 'explore', inAuthorization, {
    'key-under-token: The scheme Token is accepted, as by an older framework.': (key) => `Token ${key}`,
    'key-under-apikey: The scheme ApiKey is accepted.': (key) => `ApiKey ${key}`,
    'key-behind-a-colon: A colon after the scheme is ignored.': (key) => `Bearer: ${key}`,
    'key-without-a-blank: The scheme is cut off by length, so the space after it is optional.': (key) =>
      `Bearer${key}`,
  }),
  ...flawsBy('auth-invalid-key', 'explore', inAuthorization, {
    'key-in-quotes: Quotes around the key are removed.': (key) => `Bearer "${key}"`,
    'key-twice: Any text that starts and ends with a key is accepted.': (key) => `Bearer ${key}${key}`,
    'key-as-base64: A key in Base64 is decoded and accepted.': (key) =>
      `Bearer ${Buffer.from(`${key}:`).toString('base64')}`,
  }),
  ...flawsTurning('auth-invalid-key', 'explore', {
    'key-before-words: The key ends at the next space.': keyWhere(
      (key, request) => authorization(request)?.startsWith(`Bearer ${key} `) === true,
    ),
    'key-with-quote-falls-over: A quote in a key breaks the database query.': early((context) =>
      /^Bearer .*'/.test(authorization(context.request) ?? '') ? failing : null,
    ),
    'key-first-letter: Keys are compared over the length of the shorter one.': keyWhere(
      (key, request) => (authorization(request) ?? '').replace('Bearer ', '') === key.slice(0, 1),
    ),
    'key-constructor: Keys are looked up in an object, so its built-in member names are accepted.': knowing(
      (request) =>
        /^Bearer (?:constructor|__proto__)$/.test(authorization(request) ?? '') ? 'business' : undefined,
    ),
  }),
  ...flawsBy('auth-invalid-key', 'explore', anybody, {
    'key-null: The word null is accepted as a key.': 'null',
    'key-star: A star is accepted as any key.': '*',
    'key-percent: Keys are looked up with LIKE, where a percent sign matches any.': '%',
    'key-injected: Keys are inserted into a database query unescaped.': "' OR '1'='1",
    'key-unsigned: A token that declares itself unsigned is accepted.':
      'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
    'key-of-tests: A test key is still accepted.': 'test',
  }),
  ...flawsBy('auth-header-only', 'explore', (name: string) => inHeader(name), {
    'key-in-proxy-authorization: The key is accepted in Proxy-Authorization.': 'proxy-authorization',
  }),
  ...flawsBy('auth-header-only', 'explore', inQuery, {
    'key-as-jwt-parameter: The key is accepted in the query parameter jwt.': 'jwt',
    'key-as-auth-parameter: The key is accepted in the query parameter auth_token.': 'auth_token',
  }),
];
