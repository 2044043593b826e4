import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isMask } from '../exchange/mask.js';
import { addressesIn, addressMeant } from './addresses.js';
import { BASE, entryOf, fileOf, harOf, KEY, pairs, recordOf } from './har.test.support.js';
import { POST } from './read-har.test.support.js';

/** Phases of a response that Firefox had in its cache. */
const NO_TIME = { blocked: 0, dns: 0, connect: 0, ssl: 0, send: 0, wait: 0, receive: 0 };

const masked = (value: string) => entryOf({ request: { headers: pairs({ Authorization: value }) } });

const meant = async (t: Parameters<typeof fileOf>[0], entries: readonly unknown[]) =>
  addressMeant(await addressesIn([fileOf(t, harOf(entries))]));

describe('what counts as a request of the client', () => {
  const cases: readonly (readonly [what: string, entry: unknown, reason: string | null])[] = [
    ['a request with the key', entryOf(), null],
    ['a request of an operation without a key', entryOf({ request: { headers: [] } }), null],
    [
      'a request with the key next to the base address',
      entryOf({ request: { url: 'https://shop.example.com/health' } }),
      null,
    ],
    [
      'capitals and the default port',
      entryOf({ request: { url: 'HTTPS://Shop.Example.COM:443/v1/pets' } }),
      null,
    ],
    [
      'another address',
      entryOf({ request: { url: 'https://cdn.example.com/v1/pets', headers: [] } }),
      'other addresses',
    ],
    [
      'a page of the same origin',
      entryOf({ request: { url: 'https://shop.example.com/', headers: [] } }),
      'other addresses',
    ],
    [
      'a health check',
      entryOf({ request: { url: `${BASE}/health`, headers: [] } }),
      'without the key, of no operation',
    ],
    [
      'a preflight',
      entryOf({ request: { method: 'OPTIONS', headers: pairs({ 'Access-Control-Request-Method': 'GET' }) } }),
      'CORS preflights',
    ],
    ['a cache hit of DevTools', entryOf({ _fromCache: 'disk' }), 'from a cache'],
    ['a cache hit by its bytes', entryOf({ response: { _transferSize: 0 } }), 'from a cache'],
    ['a cache hit of Firefox', entryOf({ time: 0, timings: NO_TIME }), 'from a cache'],
    ['a response of unknown phases', entryOf({ time: 0, timings: { send: 0, wait: 0, receive: 0 } }), null],
    ['a response over an open connection', entryOf({ timings: { ...NO_TIME, wait: 20 } }), null],
    ['a response of unknown size', entryOf({ response: { _transferSize: -1 } }), null],
    [
      'a redirect of the browser itself',
      entryOf({ response: { status: 307, headers: pairs({ 'Non-Authoritative-Reason': 'HSTS' }) } }),
      'from a cache',
    ],
    ['what a test answered itself', entryOf({ _wasFulfilled: true }), 'answered by the test itself'],
    [
      'what DevTools got from a service worker',
      entryOf({ response: { _fetchedViaServiceWorker: true } }),
      'answered by a service worker',
    ],
    ...['Memory Cache', 'Disk Cache'].map(
      (type) => [`Safari’s ${type}`, entryOf({ _fetchType: type }), 'from a cache'] as const,
    ),
    [
      'what Safari got from a service worker',
      entryOf({ _fetchType: 'Service Worker' }),
      'answered by a service worker',
    ],
    [
      'what a person replaced in Safari',
      entryOf({ _fetchType: 'Inspector Override' }),
      'answered by the test itself',
    ],
    ['what Safari got over the network', entryOf({ _fetchType: 'Network Load' }), null],
    ['status 0', entryOf({ response: { status: 0 } }), 'without a response'],
    ['status -1', entryOf({ response: { status: -1 } }), 'without a response'],
    ['200 with a failure', entryOf({ response: { _failureText: 'net::ERR_ABORTED' } }), 'without a response'],
    ['no object', 7, null],
    ['no address', entryOf({ request: { url: '/v1/pets' } }), 'unreadable'],
    ['no method', entryOf({ request: { method: null } }), 'unreadable'],
    ['a socket', entryOf({ request: { url: 'wss://shop.example.com/v1/pets' } }), 'of another protocol'],
    [
      'an image in its address',
      entryOf({ request: { url: 'data:image/gif;base64,R0lGODlh' } }),
      'of another protocol',
    ],
  ];
  for (const [what, entry, reason] of cases)
    test(what, async (t) => {
      const { exchanges, leftOut } = await recordOf(t, [entry]);
      assert.deepEqual(
        [exchanges.length, leftOut],
        reason === null ? [entry === 7 ? 0 : 1, {}] : [0, { [reason]: 1 }],
      );
    });

  test('the same entry twice counts once, and two equal requests count twice', async (t) => {
    const { exchanges, leftOut } = await recordOf(t, [entryOf(), entryOf(), entryOf({ time: 21 })]);
    assert.deepEqual([exchanges.length, leftOut], [2, { 'the same entry again': 1 }]);
  });

  test('a service worker’s request counts, and the page’s double does not', async (t) => {
    const { exchanges, leftOut } = await recordOf(t, [
      entryOf({ response: { content: { size: 0, text: '' } } }),
      entryOf({ at: 3, _serviceWorkerRef: 'worker@1' }),
    ]);
    assert.deepEqual([exchanges.length, leftOut], [1, { 'answered by a service worker': 1 }]);
  });

  test('the key at another origin is kept, and another origin’s own token is not', async (t) => {
    const { exchanges, leftOut } = await recordOf(t, [
      entryOf({ request: { url: 'https://elsewhere.example.com/x' } }),
      entryOf(),
      entryOf({
        request: {
          url: 'https://bank.example.com/x',
          headers: pairs({ Authorization: 'Bearer another-token' }),
        },
      }),
    ]);
    assert.deepEqual(exchanges.map(({ origin }) => origin ?? 'service').toSorted(), [
      'https://elsewhere.example.com',
      'service',
    ]);
    assert.deepEqual(leftOut, { 'other addresses': 1 });
  });
});

describe('keys', () => {
  test('no key stays in a record, wherever it was, nor a cookie', async (t) => {
    const { exchanges, secrets } = await recordOf(t, [
      entryOf({
        request: {
          url: `${BASE}/pets?api_key=${KEY}&access_token=another-secret`,
          headers: pairs({
            Authorization: `Bearer ${KEY}`,
            Cookie: 'sid=abc-secret',
            'X-API-Key': 'third-secret',
          }),
        },
        response: { content: { text: JSON.stringify([{ id: 1, name: KEY, categoryId: 1 }]) } },
      }),
      entryOf({ at: 5, request: { headers: pairs({ Authorization: 'Basic dXNlcjpwYXNz' }) } }),
      entryOf({ at: 9, request: { headers: pairs({ Authorization: 'Bearer abc' }) } }),
    ]);
    const text = JSON.stringify(exchanges);
    for (const secret of [KEY, 'another-secret', 'abc-secret', 'third-secret', 'dXNlcjpwYXNz', 'Bearer abc'])
      assert.ok(!text.includes(secret), secret);
    assert.ok(secrets.includes(KEY));
  });

  test('what no bearer token can be is a mask of a sanitiser, in whatever words', async (t) => {
    const values = [
      'Bearer [36 bytes were stripped]',
      'Bearer ',
      'Bearer',
      'Bearer sk-…(51 chars)',
      'Bearer sk-...',
      'Bearer sk-...(51 chars)',
      'Bearer __REMOVED__',
      '__REMOVED__',
      '** stripped **',
      '',
    ];
    for (const value of values) {
      const { exchanges } = await recordOf(t, [masked(value)]);
      assert.equal(exchanges[0]?.credential.key.kind, 'masked', value);
    }
    for (const value of ['Bearer undefined', 'Bearer null', 'Bearer NaN', 'Bearer [object Object]']) {
      const { exchanges } = await recordOf(t, [masked(value)]);
      assert.equal(exchanges[0]?.credential.key.kind, 'unset', value);
      assert.deepEqual(exchanges[0].request.headers, [['Authorization', value]], 'it is no secret');
    }
    for (const value of ['Bearer abc.def_ghi==', 'Bearer a-b~c+d/e']) {
      const { exchanges } = await recordOf(t, [masked(value)]);
      assert.equal(exchanges[0]?.credential.key.kind, 'other', value);
    }
  });

  test('a type that only the body has was left out of few headers', async (t) => {
    const typeIn = async (mimeType: string) =>
      (
        await recordOf(t, [
          entryOf({
            request: { ...POST, headers: pairs({ Host: 'x' }), postData: { mimeType, text: '{}' } },
          }),
        ])
      ).exchanges[0]?.request.headers.find(([name]) => name === 'Content-Type')?.[1];
    assert.ok(isMask((await typeIn('application/json')) ?? ''));
    assert.equal(await typeIn('application/octet-stream'), undefined);
  });

  test('a placeholder is a masked key, and ours keep two keys apart', async (t) => {
    const { exchanges } = await recordOf(t, [
      masked('Bearer [redacted]'),
      masked('[redacted]'),
      masked('Bearer $PETSTORE_PRO_KEY'),
    ]);
    assert.deepEqual(
      exchanges.map(({ credential: { key } }) => key.kind),
      ['masked', 'masked', 'masked'],
    );
  });
});

/** Returns the further places of a request's key. */
const elsewhere = async (
  t: Parameters<typeof recordOf>[0],
  request: Record<string, unknown>,
): Promise<readonly string[]> => {
  const { exchanges } = await recordOf(t, [entryOf({ request })]);
  return exchanges.flatMap(({ credential }) => credential.elsewhere);
};

describe('a key that nobody named', () => {
  test('is found in another place of the request that carries it as a bearer token', async (t) => {
    assert.deepEqual(await elsewhere(t, { url: `${BASE}/pets?access_token=${KEY}` }), [
      'the query parameter access_token',
    ]);
    const headers = pairs({ Authorization: `Bearer ${KEY}`, 'X-API-Key': KEY });
    assert.deepEqual(await elsewhere(t, { headers }), ['the header X-API-Key']);
  });

  test('is not, if it is a mask or so short that other words hold it', async (t) => {
    for (const token of ['pets', '***', '[redacted]', 'available'])
      assert.deepEqual(
        await elsewhere(t, {
          url: `${BASE}/pets?status=available`,
          headers: pairs({ Authorization: `Bearer ${token}`, 'X-Note': `${token} ***` }),
        }),
        [],
      );
  });
});

describe('the address of the service', () => {
  test('is the only one ending with /v1 that got a key', async (t) => {
    const other = entryOf({ request: { url: 'https://cdn.example.com/v1/logo', headers: [] } });
    assert.equal(
      await meant(t, [
        other,
        entryOf(),
        entryOf({ request: { url: 'https://shop.example.com:443/v1/pets/7' } }),
      ]),
      BASE,
    );
  });

  test('is the one for animals, next to other services with a key', async (t) => {
    assert.equal(
      await meant(t, [entryOf({ request: { url: 'https://pay.example.com/v1/charges' } }), entryOf()]),
      BASE,
    );
  });

  test('is not clear with two stores, or without a key', async (t) => {
    assert.equal(
      await meant(t, [entryOf(), entryOf({ request: { url: 'https://other.example.com/v1/pets' } })]),
      null,
    );
    assert.equal(await meant(t, [entryOf({ request: { headers: [] } })]), null);
  });
});
