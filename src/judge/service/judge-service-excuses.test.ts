import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequirementId } from '../../base/interface/types.js';
import type { Traffic } from '../../wire/exchange/client-exchange.js';
import { judgedAs, START, type Given } from '../clients/traffic.test.support.js';
import { judgeService } from './judge-service.js';
import {
  JSON_HEADERS,
  pet,
  list,
  many,
  error,
  REX,
  sent,
  NO_KEY,
  keyless,
  proxied,
  har,
  rowsOf,
  red,
  spread,
  at,
} from './judge-service.test.support.js';

function bare(given: Given) {
  const exchange = sent({ ...NO_KEY, ...given });
  return { ...exchange, request: { ...exchange.request, headers: [] } };
}

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
      'the largest int64, which JSON written anew puts outside',
      har(
        created(
          `{"name":"a","categoryId":9223372036854776000}`,
          `{"id":9223372036854776000,"name":"a","categoryId":9223372036854776000}`,
        ),
        sent({ answer: `[{"id":1,"name":"a","categoryId":-9223372036854776000}]` }),
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
