import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { RecordedBody } from '../exchange/client-exchange.js';
import { isMask } from '../exchange/mask.js';
import { addressesIn, addressMeant } from './addresses.js';
import { BASE, entryOf, fileOf, harOf, KEY, pairs, recordOf } from './har.test.support.js';
import { readHar } from './read-har.js';

const PACKED = gzipSync('[]').toString('base64');
const GZIP = { 'Content-Encoding': 'gzip' };
const POST = { method: 'POST', url: `${BASE}/pets` };
const json = pairs({ 'Content-Type': 'application/json', Authorization: `Bearer ${KEY}` });

const response = (content: object | undefined, headers: Readonly<Record<string, string>> = {}) =>
  entryOf({ response: { content, headers: pairs(headers) } });

const timesOf = async (t: Parameters<typeof recordOf>[0], entries: readonly unknown[]) => {
  const { exchanges } = await recordOf(t, entries);
  return exchanges.map(({ times }) =>
    times.kind === 'client'
      ? [times.firstByteAt - times.startedAt, times.endedAt - times.startedAt, times.resolutionMs]
      : times.kind,
  );
};

const listing = (...queryString: readonly object[]) =>
  entryOf({ request: { url: `${BASE}/pets`, queryString } });

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
    ['a response of unknown size', entryOf({ response: { _transferSize: -1 } }), null],
    [
      'a redirect of the browser itself',
      entryOf({ response: { status: 307, headers: pairs({ 'Non-Authoritative-Reason': 'HSTS' }) } }),
      'from a cache',
    ],
    ['what a test answered itself', entryOf({ _wasFulfilled: true }), 'answered by the test itself'],
    [
      'what DevTools got from a service worker',
      entryOf({ _fetchedViaServiceWorker: true }),
      'answered by a service worker',
    ],
    ['status 0', entryOf({ response: { status: 0 } }), 'without a response'],
    ['status -1', entryOf({ response: { status: -1 } }), 'without a response'],
    ['200 with a failure', entryOf({ response: { _failureText: 'net::ERR_ABORTED' } }), 'without a response'],
    ['no object', 7, null],
    ['no address', entryOf({ request: { url: '/v1/pets' } }), 'unreadable'],
    ['no method', entryOf({ request: { method: null } }), 'unreadable'],
    ['a socket', entryOf({ request: { url: 'wss://shop.example.com/v1/pets' } }), 'unreadable'],
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

describe('bodies', () => {
  const answers: readonly (readonly [what: string, entry: unknown, kind: RecordedBody['kind']])[] = [
    ['text', response({ text: '[]', size: 2 }), 'whole'],
    [
      'text that parses, with a wrong size',
      response({ text: '[]', size: 99 }, { 'Content-Length': '77' }),
      'whole',
    ],
    ['Base64', response({ text: Buffer.from('["ä"]').toString('base64'), encoding: 'base64' }), 'whole'],
    ['text cut short', response({ text: '[{"id":1', size: 99 }), 'cut'],
    ['text shorter than Content-Length', response({ text: '[{"id":1' }, { 'Content-Length': '77' }), 'cut'],
    [
      '"" with a Content-Length: mitmproxy after a break',
      response({ text: '', size: 0 }, { 'Content-Length': '77' }),
      'missing',
    ],
    ['"" without one', response({ text: '', size: 0 }), 'missing'],
    ['"" with Content-Length: 0', response({ text: '', size: 0 }, { 'Content-Length': '0' }), 'empty'],
    ['nothing', response({ size: -1, mimeType: 'x-unknown' }), 'missing'],
    ['no content', response(undefined), 'missing'],
    ['a comment', response({ size: 9, comment: 'not kept' }), 'missing'],
    ['cut short, and no length', response({ text: '[{"id":1' }), 'cut'],
    ['words in its place', response({ text: '[Filtered]', size: 10 }), 'missing'],
    ['compressed, as Base64', response({ text: PACKED, encoding: 'base64' }, GZIP), 'whole'],
    [
      'compressed, as Polly.js',
      response({ text: JSON.stringify([PACKED]), encoding: 'base64' }, GZIP),
      'whole',
    ],
    ['compressed, read as text', response({ text: '\u001F\uFFFD\b\u0000', size: 4 }, GZIP), 'missing'],
    ['a page with an error', response({ text: '<html>', size: 6 }), 'whole'],
  ];
  for (const [what, entry, kind] of answers)
    test(`of a response: ${what}`, async (t) => {
      const { exchanges } = await recordOf(t, [entry]);
      const answer = exchanges[0]?.answer;
      assert.equal(answer?.kind === 'response' ? answer.body.kind : 'none', kind);
    });

  test('of a response: compressed bytes are read', async (t) => {
    for (const text of [PACKED, JSON.stringify([PACKED])]) {
      const { exchanges } = await recordOf(t, [response({ text, encoding: 'base64' }, GZIP)]);
      const answer = exchanges[0]?.answer;
      assert.deepEqual(answer?.kind === 'response' && answer.body, { kind: 'whole', text: '[]' });
    }
  });

  const requests: readonly (readonly [what: string, request: object, kind: RecordedBody['kind']])[] = [
    ['text', { ...POST, headers: json, postData: { mimeType: 'application/json', text: '{}' } }, 'whole'],
    [
      'Base64, as harlem',
      { ...POST, headers: json, postData: { encoding: 'base64', text: 'e30=' } },
      'whole',
    ],
    [
      'parameters only',
      { ...POST, headers: json, postData: { mimeType: 'application/json', params: [{ name: '{"a":1}' }] } },
      'missing',
    ],
    ['in another file', { ...POST, headers: json, postData: { _file: 'a.json' } }, 'missing'],
    ['left out', { ...POST, headers: json }, 'missing'],
    ...['null', '{}', '""'].map(
      (text) =>
        [
          `${text} in its place`,
          { ...POST, headers: [...json, { name: 'Content-Length', value: '29' }], postData: { text } },
          'missing',
        ] as const,
    ),
    [
      'words in its place, without any header',
      { ...POST, headers: [], postData: { text: 'not kept' } },
      'missing',
    ],
    [
      'words in its place, as long as announced',
      { ...POST, headers: pairs({ 'Content-Length': '8' }), postData: { text: 'not kept' } },
      'whole',
    ],
    ['none, as Content-Length says', { ...POST, headers: pairs({ 'content-length': '0' }) }, 'empty'],
    ['of GET', {}, 'empty'],
  ];
  for (const [what, request, kind] of requests)
    test(`of a request: ${what}`, async (t) => {
      const { exchanges } = await recordOf(t, [entryOf({ request: request as Record<string, unknown> })]);
      assert.equal(exchanges[0]?.request.body.kind, kind);
    });

  test('a long body is judged whole, and kept as its beginning', async (t) => {
    const text = JSON.stringify(
      Array.from({ length: 9000 }, (_, id) => ({ id, name: 'x'.repeat(30), categoryId: 1 })),
    );
    const { exchanges, streamed } = await recordOf(t, [entryOf({ response: { content: { text } } })]);
    const kindIn = (all: typeof exchanges) =>
      all[0]?.answer.kind === 'response' ? all[0].answer.body.kind : 'none';
    assert.deepEqual([kindIn(streamed), kindIn(exchanges)], ['whole', 'cut']);
  });
});

describe('forms of other recorders', () => {
  test('lower-case methods, a query apart from the address, and headers as an object', async (t) => {
    const [exchange] = (
      await recordOf(t, [
        entryOf({
          request: {
            method: 'get',
            queryString: [{ name: 'limit', value: '5' }],
            headers: { authorization: `Bearer ${KEY}` },
          },
        }),
      ])
    ).exchanges;
    assert.deepEqual([exchange?.request.method, exchange?.request.target], ['GET', '/v1/pets?limit=5']);
    assert.equal(exchange?.credential.bearer, true);
  });

  test('a parameter that a recorder wrote as a number is read, and one without a value is masked', async (t) => {
    const { exchanges } = await recordOf(t, [
      listing({ name: 'limit', value: 5 }),
      { ...listing({ name: 'status', value: null }), time: 21 },
    ]);
    assert.deepEqual(
      exchanges.map(({ request }) => decodeURIComponent(request.target)),
      ['/v1/pets?limit=5', '/v1/pets?status=[removed]'],
    );
  });
  test('headers whose values a recorder left out are masked', async (t) => {
    for (const member of [{}, { value: null }, { value: [] }]) {
      const { exchanges } = await recordOf(t, [
        entryOf({
          request: { headers: [{ name: 'Authorization', ...member }] },
          response: { headers: [{ name: 'X-RateLimit-Limit', ...member }] },
        }),
      ]);
      assert.equal(exchanges[0]?.credential.key.kind, 'masked');
      const { answer } = exchanges[0];
      assert.ok(answer.kind === 'response' && isMask(answer.headers[0]?.[1] ?? ''));
    }
  });
  test('headers whose values a recorder left empty are masked', async (t) => {
    const { exchanges } = await recordOf(t, [
      entryOf({ request: { headers: pairs({ Authorization: '' }) } }),
    ]);
    assert.equal(exchanges[0]?.credential.key.kind, 'masked');
  });
  test('repeated headers in one line, and the fields of HTTP/2', async (t) => {
    const headers = pairs({ ':status': '200', 'X-RateLimit-Limit': '60\n61' });
    const answer = (await recordOf(t, [entryOf({ response: { headers } })])).exchanges[0]?.answer;
    assert.deepEqual(answer?.kind === 'response' && answer.headers, [
      ['X-RateLimit-Limit', '60'],
      ['X-RateLimit-Limit', '61'],
    ]);
  });

  const text = harOf([entryOf()]);
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
  for (const [what, content] of [
    ['gzip', gzipSync(text)],
    ['a byte order mark', `\uFEFF${text}`],
    ['UTF-16, as PowerShell writes it', utf16],
    ['UTF-16, big-endian', Buffer.from(utf16).swap16()],
    ['gzipped UTF-16', gzipSync(utf16)],
  ] as const)
    test(what, async (t) => assert.equal((await recordOf(t, content)).exchanges.length, 1));

  test('a file that was cut short has its beginning and no end, gzipped or not', async (t) => {
    const long = harOf(Array.from({ length: 200 }, (_, at) => entryOf({ at: at * 1000 })));
    const plain = await recordOf(t, long.slice(0, -long.length / 2));
    assert.ok(plain.exchanges.length > 50 && plain.traffic.end === null);
    const zipped = gzipSync(long);
    const half = await recordOf(t, zipped.subarray(0, zipped.length - 40));
    assert.equal(half.traffic.end, null);
  });

  test('what is no HAR file is an error that says so', async (t) => {
    const file = fileOf(t, '{"openapi":"3.0.0"}');
    const reading = { file, baseUrl: BASE, keys: {}, nextId: () => 't1', onExchange: () => undefined };
    await assert.rejects(readHar(reading), /is no HAR file/);
    await assert.rejects(addressesIn([reading.file]), /is no HAR file/);
    await assert.rejects(readHar({ ...reading, file: `${file}.none` }), /cannot be read/);
  });
});

describe('times', () => {
  test('the first byte comes after all phases before it', async (t) => {
    assert.deepEqual(await timesOf(t, [entryOf({ at: 1 })]), [[17, 20, 1]]);
  });

  test('an unknown phase before it may have lasted until the end; a negative queue is none', async (t) => {
    const firefox = { blocked: -1, dns: 0, connect: 0, send: 0, wait: 5, receive: 0 };
    const queue = { blocked: -1.2, send: 1, wait: 5, receive: 4 };
    assert.deepEqual(
      await timesOf(t, [entryOf({ at: 1, timings: firefox }), entryOf({ at: 2, timings: queue })]),
      [
        [20, 20, 1],
        [6, 20, 1],
      ],
    );
  });

  test('a length beyond all reason is none', async (t) => {
    const { exchanges } = await recordOf(t, [entryOf({ time: 1e300 })]);
    assert.equal(exchanges[0]?.times.kind, 'unknown');
  });
  test('without a length, or with equal starts throughout, there are no times', async (t) => {
    assert.deepEqual(await timesOf(t, [entryOf({ time: -1 })]), ['unknown']);
    const equal = [20, 21, 22].map((time) => entryOf({ time }));
    assert.deepEqual(await timesOf(t, equal), ['unknown', 'unknown', 'unknown']);
  });

  test('whole seconds, and lengths in seconds are found from the file', async (t) => {
    assert.deepEqual(await timesOf(t, [entryOf()]), [[17, 20, 1000]]);
    const [python] = await timesOf(t, [entryOf({ at: 1, time: 0.250001, timings: {} })]);
    assert.ok(Array.isArray(python) && Math.round(python[1] ?? 0) === 250);
  });

  test('a clock that ran back shows in the order of the file, and the newest first is an order too', async (t) => {
    const unitOf = async (...starts: readonly number[]) =>
      (
        await timesOf(
          t,
          starts.map((at) => entryOf({ at })),
        )
      ).map((each) => each[2]);
    assert.deepEqual(await unitOf(1, 500, 900), [1, 1, 1]);
    assert.deepEqual(await unitOf(900, 500, 1), [1, 1, 1]);
    assert.deepEqual(await unitOf(1, 500, 200), [1000, 1000, 1000]);
    assert.deepEqual(await unitOf(1, 10, 5), [1, 1, 1], 'side by side');
    const twice = [entryOf({ at: 1 }), entryOf({ at: 500 }), entryOf({ at: 1 }), entryOf({ at: 500 })];
    assert.deepEqual(await timesOf(t, twice), [
      [17, 20, 1],
      [17, 20, 1],
    ]);
  });

  test('entries in any order are a record in the order of their starts', async (t) => {
    const { exchanges } = await recordOf(t, [entryOf({ at: 500 }), entryOf({ at: 1 })]);
    const starts = exchanges.map(({ times }) => (times.kind === 'client' ? times.startedAt : 0));
    assert.deepEqual(
      starts,
      starts.toSorted((one, other) => one - other),
    );
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
