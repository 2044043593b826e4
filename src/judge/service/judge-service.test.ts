import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequirementId } from '../../base/interface/types.js';
import type { Traffic } from '../../wire/exchange/client-exchange.js';
import { judgedAs, recordOf, sent as sentBy, START, type Given } from '../clients/traffic.test.support.js';
import { judgeService } from './judge-service.js';
import { TRAFFIC_ROWS } from './rows.js';
import { RATE_HEADERS, rateHeadersWith } from '../../base/interface/rate-headers.js';

const RATE: readonly (readonly [string, string])[] = [
  ['Date', new Date(START).toUTCString()],
  ...rateHeadersWith({ limit: 60, remaining: 59, reset: START / 1000 + 60 }),
];
const JSON_HEADERS = [['Content-Type', 'application/json'], ...RATE] as const;

const pet = (id: number, more: object = {}): object => ({
  id,
  name: `Rex ${id}`,
  categoryId: 1,
  status: 'available',
  ...more,
});
const list = (...pets: readonly object[]): string => JSON.stringify(pets);
const many = (count: number, more: object = {}): string =>
  list(...Array.from({ length: count }, (_, at) => pet(at + 1, more)));
const error = (status: number): string => JSON.stringify({ code: 'x', message: 'y', status });
const REX = JSON.stringify({ name: 'Rex', categoryId: 1 });

/** Returns an exchange with all headers that a sound service sends. */
const sent = (given: Given) => sentBy({ headers: JSON_HEADERS, ...given });

const UNKNOWN: Given = { key: { kind: 'other', nth: 1 } };
const NO_KEY: Given = { key: { kind: 'none' }, bearer: false };

function keyless(given: Given) {
  const exchange = sent({ ...NO_KEY, ...given });
  const headers = exchange.request.headers.filter(([name]) => name !== 'Authorization');
  return { ...exchange, request: { ...exchange.request, headers } };
}

function bare(given: Given) {
  const exchange = sent({ ...NO_KEY, ...given });
  return { ...exchange, request: { ...exchange.request, headers: [] } };
}

const proxied = (...exchanges: Traffic['exchanges']): Traffic => recordOf(exchanges, { source: 'proxy' });
const har = (...exchanges: Traffic['exchanges']): Traffic => recordOf(exchanges, { source: 'har' });

function rowsOf(record: Traffic, wanted: 'violated' | 'kept'): readonly RequirementId[] {
  return judgeService([record]).flatMap(({ kind, requirement }) => (kind === wanted ? [requirement] : []));
}
const red = (record: Traffic): readonly RequirementId[] => rowsOf(record, 'violated');
const green = (record: Traffic): readonly RequirementId[] => rowsOf(record, 'kept');

/**
 * Returns polls at an even rate that refills exactly, as recorded by a clock that was set back 30 s in
 * between.
 */
const setBack: Traffic['exchanges'] = Array.from({ length: 60 }, (_, nth) => {
  const startedAt = START + nth * 1000 - (nth < 30 ? 0 : 29_500);
  return sent({
    answer: list(pet(1)),
    headers: JSON_HEADERS.map(([name, value]) =>
      name === 'Date' ? [name, new Date(START + nth * 1000).toUTCString()] : [name, value],
    ),
    times: {
      kind: 'client',
      startedAt,
      firstByteAt: startedAt + 9,
      endedAt: startedAt + 10,
      resolutionMs: 1,
    },
  });
});

const spread = (count: number, remaining: (at: number) => number, gapMs: number): Traffic['exchanges'] =>
  Array.from({ length: count }, (_, at) =>
    sent({
      answer: list(pet(1)),
      at: [at * gapMs, at * gapMs + 1],
      headers: [
        ['Content-Type', 'application/json'],
        ['Date', new Date(START).toUTCString()],
        ...rateHeadersWith({ limit: 60, remaining: remaining(at), reset: START / 1000 + 60 }),
      ],
    }),
  );

function at(time: string): NonNullable<Given['times']> {
  return { kind: 'server', readAt: Date.parse(time), writtenAt: Date.parse(time) };
}

describe('judgeService: what one exchange breaks', () => {
  test('what a recorder removed from headers and names is not held against the service', () => {
    const filtered = JSON_HEADERS.map(([name]) => [name, '[Filtered]'] as const);
    assert.deepEqual(red(har(sent({ answer: list(pet(1)), headers: filtered }))), []);
    const created = {
      method: 'POST',
      body: REX,
      status: 201,
      answer: JSON.stringify(pet(1, { name: '***' })),
    };
    assert.deepEqual(red(har(sent(created))), []);
    assert.deepEqual(red(proxied(sent(created))), ['created-pet-echo']);
    const body = '{"name":"Rex","categoryId":1,"status":"[redacted]"}';
    const withStatus = sent({ ...created, body, answer: JSON.stringify(pet(1)) });
    assert.deepEqual(red(har(withStatus)), []);
    assert.deepEqual(red(proxied(withStatus)), ['create-invalid-value']);
  });
  test('a request that HTTP or JSON does not allow shows nothing of the service', () => {
    const fragment = sent({ target: '/v1/pets#top', status: 404, answer: error(404) });
    assert.deepEqual(red(proxied(fragment)), []);
    const creation = sent({ method: 'POST', body: REX, status: 201, answer: JSON.stringify(pet(1)) });
    const body = { kind: 'whole', text: '{"name":"Zo\uFFFD","categoryId":1}', notUtf8: true } as const;
    assert.deepEqual(red(proxied({ ...creation, request: { ...creation.request, body } })), []);
  });
  test('bytes that are not UTF-8 break the media type, and a byte order mark warns', () => {
    const exchange = sent({ answer: list(pet(1)) });
    const answered = (flags: { readonly notUtf8?: true; readonly marked?: true }) => {
      const body = { kind: 'whole', text: list(pet(1)), ...flags } as const;
      return proxied({ ...exchange, answer: { ...exchange.answer, body } as typeof exchange.answer });
    };
    assert.deepEqual(red(answered({})), []);
    assert.deepEqual(red(answered({ notUtf8: true })), ['json-media-type']);
    assert.deepEqual(red(answered({ marked: true })), ['json-media-type']);
  });
  const cases: readonly (readonly [what: string, record: Traffic, rows: readonly RequirementId[]])[] = [
    ['a sound listing', proxied(sent({ answer: many(3) })), []],
    ['a listing with 500', proxied(sent({ status: 500, answer: error(500) })), ['list-ok']],
    ['a listing that is redirected', proxied(sent({ status: 302 })), ['list-ok']],
    ['an envelope', proxied(sent({ answer: '{"pets":[]}' })), ['pets-array']],
    ['text instead of JSON', proxied(sent({ answer: 'hello' })), ['json-media-type']],
    [
      'an HTML label',
      proxied(sent({ answer: list(), headers: [['Content-Type', 'text/html'], ...RATE] })),
      ['json-media-type'],
    ],
    ['status null', proxied(sent({ answer: list(pet(1, { status: null })) })), ['pet-shape']],
    [
      'an id beyond int64',
      proxied(sent({ answer: `[{"id":9223372036854775808,"name":"a","categoryId":1}]` })),
      ['pet-int64'],
    ],
    ['an id twice', proxied(sent({ answer: list(pet(1), pet(1)) })), ['pet-id-unique']],
    [
      'more than limit',
      proxied(sent({ target: '/v1/pets?limit=2', answer: many(3) })),
      ['list-limit-max-items'],
    ],
    ['more than 20', proxied(sent({ answer: many(21) })), ['list-limit-default']],
    [
      'another status',
      proxied(sent({ target: '/v1/pets?status=sold', answer: list(pet(1)) })),
      ['list-status-filter'],
    ],
    [
      'more than limit under a filter',
      proxied(sent({ target: '/v1/pets?status=available&limit=2', answer: many(3) })),
      ['list-filter-with-limit'],
    ],
    [
      'no rate headers',
      proxied(sent({ answer: list(), headers: [['Content-Type', 'application/json']] })),
      ['rate-headers-present'],
    ],
    [
      'Reset in seconds to go',
      proxied(sent({ answer: list(), headers: [...JSON_HEADERS.slice(0, -1), [RATE_HEADERS.reset, '60']] })),
      ['rate-headers-wellformed'],
    ],
    ['an Error without members', proxied(keyless({ status: 401, answer: '{}' })), ['error-shape']],
    [
      'another status in the Error',
      proxied(keyless({ status: 401, answer: error(400) })),
      ['error-status-matches'],
    ],
    ['no key, and served', proxied(keyless({ answer: list() })), ['auth-missing-key']],
    ['no key, and 403', proxied(keyless({ status: 403, answer: error(403) })), ['auth-missing-key']],
    [
      'a creation with 200',
      proxied(sent({ method: 'POST', body: REX, answer: JSON.stringify(pet(1)) })),
      ['create-ok'],
    ],
    [
      'another name than sent',
      proxied(sent({ method: 'POST', body: REX, status: 201, answer: JSON.stringify(pet(1)) })),
      ['created-pet-echo'],
    ],
    [
      'a creation without name, and 201',
      proxied(
        sent({ method: 'POST', body: '{"categoryId":1}', status: 201, answer: JSON.stringify(pet(1)) }),
      ),
      ['create-missing-field'],
    ],
    [
      'a creation with a wrong type, and 201',
      proxied(
        sent({
          method: 'POST',
          body: '{"name":"a","categoryId":"1"}',
          status: 201,
          answer: JSON.stringify(pet(1)),
        }),
      ),
      ['create-invalid-value'],
    ],
    ['an unknown animal with 410', proxied(sent({ target: '/v1/pets/7', status: 410 })), ['declared-status']],
    [
      'a known animal with 500',
      proxied(sent({ answer: list(pet(7)) }), sent({ target: '/v1/pets/7', status: 500 })),
      ['get-ok'],
    ],
    [
      'another animal than asked for',
      proxied(sent({ target: '/v1/pets/7', answer: JSON.stringify(pet(8)) })),
      ['get-ok'],
    ],
    [
      'a 429 without Retry-After',
      proxied(sent({ status: 429, answer: error(429) })),
      ['rate-retry-after-present'],
    ],
    [
      'a Retry-After in words, and no Error',
      proxied(sent({ status: 429, headers: [...JSON_HEADERS, ['Retry-After', 'soon']], answer: '{}' })),
      ['rate-retry-after-present', 'rate-429-error-body'],
    ],
    [
      'a 401 without rate headers to a request with the key in its query',
      proxied(
        keyless({
          target: '/v1/pets?api_key=abc',
          status: 401,
          answer: error(401),
          headers: [
            ['Content-Type', 'application/json'],
            ['Date', new Date(START).toUTCString()],
          ],
        }),
      ),
      ['rate-headers-present'],
    ],
    [
      'an Error of another status to a request with the key in its path, under Basic',
      proxied(sent({ bearer: false, status: 401, answer: error(400) })),
      ['error-status-matches'],
    ],
    [
      'a base address without /v1',
      { ...proxied(sent({ target: '/api/pets', answer: list() })), basePath: '/api' },
      ['base-path-v1'],
    ],
    ['Remaining that stays', proxied(...spread(8, () => 59, 100)), ['rate-remaining-counts']],
    [
      'a token that the target file does not know',
      proxied(sent({ ...UNKNOWN, answer: many(21) })),
      ['list-limit-default'],
    ],
  ];
  for (const [what, record, rows] of cases)
    test(what, () => assert.deepEqual(red(record).toSorted(), [...rows].toSorted()));

  test('each row that traffic can show was broken above', () => {
    const broken = new Set(cases.flatMap(([, , rows]) => rows));
    assert.deepEqual(
      [...TRAFFIC_ROWS.keys()].filter((row) => !broken.has(row)),
      [],
    );
  });
});

describe('judgeService: what is held against no server', () => {
  const cases: readonly (readonly [what: string, record: Traffic])[] = [
    [
      'limit=1000 refused with 400 or any other',
      proxied(sent({ target: '/v1/pets?limit=1000', status: 422 })),
    ],
    ['Remaining that stays while it refills, by a clock that was set back', har(...setBack)],
    ['limit=1000 served', proxied(sent({ target: '/v1/pets?limit=1000', answer: many(30) }))],
    ['a faulty creation refused with 422', proxied(sent({ method: 'POST', body: '{}', status: 422 }))],
    [
      'a valid creation refused with 400',
      proxied(sent({ method: 'POST', body: REX, status: 400, answer: error(400) })),
    ],
    ['a key that expired', proxied(sent({ status: 401, answer: error(401) }))],
    ['a ban', proxied(sent({ status: 403, answer: '<html>', headers: [] }))],
    ['a gateway', proxied(sent({ status: 502, answer: '<html>', headers: [] }))],
    ['a cache', proxied(sent({ status: 304, headers: [] }))],
    [
      'another media type asked for',
      proxied(withHeader(sent({ status: 406, answer: '' }), 'Accept', 'text/html')),
    ],
    ['a body that the record lacks', proxied(lacking(sent({ answer: 'x' })))],
    ['a record that lost its keys', har(keyless({ answer: many(3) }))],
    [
      'a key in the query that is refused, and one that is served with 500',
      proxied(
        keyless({ target: '/v1/pets?api_key=abc', status: 401, answer: error(401) }),
        keyless({ target: '/v1/pets?api_key=abc', status: 500, answer: error(500) }),
      ),
    ],
    [
      'several keys under one mask',
      har(
        ...spread(8, () => 59, 100).map((each) => ({
          ...each,
          credential: { ...each.credential, key: { kind: 'masked', mask: '***' } as const },
        })),
      ),
    ],
    ['a key in the query', proxied(keyless({ target: '/v1/pets?api_key=abc', answer: list() }))],
    [
      'headers as a page sees them',
      har(sent({ answer: list(), headers: [['Content-Type', 'application/json']] })),
    ],
    [
      'digits that a recorder rounds',
      har(
        created(
          `{"name":"a","categoryId":9007199254740993}`,
          `{"id":1,"name":"a","categoryId":9007199254740992}`,
        ),
      ),
    ],
    [
      'a name that a recorder decodes',
      har(created(`{"name":"Zoë","categoryId":1}`, `{"id":1,"name":"ZoÃ«","categoryId":1}`)),
    ],
    ['one request a second under a limit of 60', proxied(...spread(40, () => 30, 1000))],
    ['what was used before, and comes back', proxied(...spread(20, () => 30, 100))],
    ['an edge of two windows', proxied(...spread(4, (at) => (at < 2 ? 59 - at : 61 - at), 100))],
    [
      'after the removal',
      proxied(sent({ target: '/v1/pets/7', status: 410, times: at('2031-01-01T00:00:00Z') })),
    ],
  ];
  for (const [what, record] of cases) test(what, () => assert.deepEqual(red(record), []));

  function created(body: string, answer: string) {
    return sent({ method: 'POST', body, status: 201, answer });
  }
  function withHeader(exchange: ReturnType<typeof sent>, name: string, value: string) {
    return {
      ...exchange,
      request: { ...exchange.request, headers: [...exchange.request.headers, [name, value] as const] },
    };
  }
  function lacking(exchange: ReturnType<typeof sent>) {
    const { answer } = exchange;
    return answer.kind === 'none'
      ? exchange
      : { ...exchange, answer: { ...answer, body: { kind: 'missing', why: 'x' } as const } };
  }
});

describe('judgeService: what keeps a row', () => {
  test('a listing keeps its limit only where more animals were seen', () => {
    const short = sent({ target: '/v1/pets?limit=3', answer: many(3) });
    assert.ok(!green(proxied(short)).includes('list-limit-max-items'));
    assert.ok(
      green(proxied(short, sent({ target: '/v1/pets?limit=50', answer: many(9) }))).includes(
        'list-limit-max-items',
      ),
    );
  });

  test('a filter is kept only where an animal of another status was seen', () => {
    const filtered = sent({ target: '/v1/pets?status=sold', answer: list(pet(1, { status: 'sold' })) });
    assert.ok(!green(proxied(filtered)).includes('list-status-filter'));
    assert.ok(green(proxied(filtered, sent({ answer: list(pet(2)) }))).includes('list-status-filter'));
  });

  test('a refused creation counts only after a creation that succeeded', () => {
    const refused = sent({ method: 'POST', body: '{"name":"a"}', status: 400, answer: error(400) });
    assert.ok(!green(proxied(refused)).includes('create-missing-field'));
    const created = sent({
      method: 'POST',
      body: REX,
      status: 201,
      answer: JSON.stringify(pet(1, { name: 'Rex' })),
    });
    assert.ok(green(proxied(refused, created)).includes('create-missing-field'));
    assert.deepEqual(red(proxied(refused, created)), []);
  });

  test('a request without any recorded header may have had a key and a type', () => {
    const answer = JSON.stringify(pet(1, { name: 'Rex' }));
    const created = { method: 'POST', body: REX, status: 201, answer };
    const record = har(sent({ answer: list() }), bare({ answer: list() }), bare(created));
    assert.deepEqual(red(record), []);
    for (const row of ['client-bearer-key', 'client-valid-request'] as const)
      assert.notEqual(judgedAs(row, record), 'violated', row);
    assert.deepEqual(red(har(sent({ answer: list() }), bare({ status: 302 }))), []);
  });

  test('a HAR file in which no request has a key is read as one that lost them, unless all got 401', () => {
    assert.ok(green(har(keyless({ answer: list() }))).includes('list-ok'));
    assert.ok(green(har(keyless({ status: 401, answer: error(401) }))).includes('auth-missing-key'));
    assert.deepEqual(red(har(keyless({ answer: list() }), sent({ answer: list() }))), ['auth-missing-key']);
  });

  test('Remaining that falls with each request keeps its row, and rows that nothing shows say why', () => {
    const record = proxied(...spread(8, (at) => 59 - at, 100));
    assert.ok(green(record).includes('rate-remaining-counts'));
    const reasons = judgeService([record]).flatMap((finding) =>
      finding.kind === 'not-applicable' ? [[finding.requirement, finding.reason.text] as const] : [],
    );
    assert.ok(reasons.some(([row, why]) => row === 'rate-429-error-body' && why.startsWith('no 429')));
  });

  test('equal violations are one finding, with their number', () => {
    const [finding, ...others] = judgeService([
      proxied(...Array.from({ length: 9 }, () => sent({ status: 500 }))),
    ]).filter(({ kind }) => kind === 'violated');
    assert.equal(others.length, 0);
    assert.ok(
      finding?.kind === 'violated' && finding.message.endsWith('(9 times)') && finding.exchanges.length === 3,
    );
  });
});

test('a listing that the interface leaves open has no limit to keep', () => {
  // Servers may read 05 as 5, as no number, or in octal.
  for (const query of ['limit=05', 'limit=5.0', 'limit=5&limit=5', 'limit=5&page=2'])
    assert.deepEqual(red(proxied(sent({ target: `/v1/pets?${query}`, answer: many(20) }))), [], query);
  assert.deepEqual(red(proxied(sent({ target: '/v1/pets?limit=5', answer: many(20) }))), [
    'list-limit-max-items',
  ]);
});

/** Returns the rows that a listing with a 404 breaks. */
const redWhenFailed = (query: string): readonly RequirementId[] =>
  red(proxied(sent({ target: `/v1/pets${query}`, status: 404, answer: error(404) })));

test('no row names the status code of a filtered listing, however its filter is written', () => {
  for (const query of ['?status=sold', '?%73tatus=sold', '?limit=2&st%61tus=sold'])
    assert.deepEqual(redWhenFailed(query), ['declared-status'], query);
  assert.deepEqual(redWhenFailed('?limit=2'), ['list-ok']);
});
