import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequirementId } from '../../base/interface/types.js';
import type { Traffic } from '../../wire/exchange/client-exchange.js';
import { START, type Given } from '../clients/traffic.test.support.js';
import { TRAFFIC_ROWS } from './rows.js';
import { RATE_HEADERS } from '../../base/interface/rate-headers.js';
import {
  RATE,
  JSON_HEADERS,
  pet,
  list,
  many,
  error,
  REX,
  sent,
  keyless,
  proxied,
  har,
  red,
  spread,
} from './judge-service.test.support.js';

const UNKNOWN: Given = { key: { kind: 'other', nth: 1 } };

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
    [
      'an id beyond int64 in a recording, next to one that a recorder may have rounded',
      har(
        sent({
          answer:
            `[{"id":1,"name":"a","categoryId":9223372036854776000},` +
            `{"id":18446744073709551615,"name":"a","categoryId":1}]`,
        }),
      ),
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
