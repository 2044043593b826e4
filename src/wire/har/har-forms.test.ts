import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { isMask } from '../exchange/mask.js';
import { addressesIn } from './addresses.js';
import { BASE, entryOf, fileOf, harOf, KEY, pairs, recordOf } from './har.test.support.js';
import { readHar } from './read-har.js';

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
    for (const blocked of [-1, 0]) {
      const timings = { blocked, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: 0 };
      assert.deepEqual(await timesOf(t, [entryOf({ at: 1, time: 0, timings })]), ['unknown']);
    }
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
