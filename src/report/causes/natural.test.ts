import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../wire/exchange/types.js';
import { SAME_ANIMAL } from '../../judge/checks/animals.js';
import type { Finding } from '../../judge/findings/finding.js';
import { exampleExchange, exampleResults } from '../example-run.test.support.js';
import { causeWords } from './likely.js';
import { naturalCauses } from './natural.js';
import { RATE_HEADERS } from '../../base/interface/rate-headers.js';
import { violation, limiterCauses, ANEW, TOGETHER } from './natural-causes.test.support.js';

const answered = (status: number, text: string, header = '', path = '/v1/pets'): Exchange => {
  const exchange = exampleExchange({ id: 'x9', text, path });
  const { answer } = exchange;
  if (answer.kind !== 'response') throw new TypeError('an example has a response');
  return {
    ...exchange,
    answer: { ...answer, status, ...(header && { headers: [[RATE_HEADERS.reset, header]] }) },
  };
};

/** A response with one header. */
function typed(value: string, name = 'Content-Type'): Exchange {
  const exchange = answered(404, '{}');
  const { answer } = exchange;
  return answer.kind === 'response'
    ? { ...exchange, answer: { ...answer, headers: [[name, value]] } }
    : exchange;
}

const CASES: readonly (readonly [says: string, finding: Finding, exchange?: Exchange])[] = [
  ['422 in place of 400', violation('create-missing-field'), answered(422, '{}')],
  ['200 in place of 201', violation('create-ok'), answered(200, '{}')],
  [
    'Without a limit a listing has 25 animals in place of 20',
    violation('list-limit-default'),
    answered(200, `[${Array.from({ length: 25 }, (_, at) => `{"id":${at}}`).join(',')}]`),
  ],
  [
    'Without a limit a listing has 2 animals',
    violation('list-limit-default'),
    answered(200, '[{"id":1},{"id":2}]'),
  ],
  [
    'returns that animal, and makes none',
    violation('pet-id-unique', { what: ['known id'] }, `54, ${SAME_ANIMAL}`),
  ],
  [
    'wrapped in another object',
    violation('error-shape'),
    answered(404, '{"error":{"code":"x","message":"y"}}'),
  ],
  [
    'The filter status=sold is not applied',
    violation('list-status-filter'),
    answered(200, '[{"status":"sold"},{"status":"pending"}]', '', '/v1/pets?limit=9&status=sold'),
  ],
  ['seconds to go (42)', violation('rate-headers-wellformed'), answered(200, '[]', '42')],
  [
    'in milliseconds (1790000000000)',
    violation('rate-headers-wellformed'),
    answered(200, '[]', '1790000000000'),
  ],
  [
    'those with 401, 404 have none',
    violation('rate-headers-present', undefined, '5 responses of 9 (status 401, 404) with none'),
  ],
  [
    'still refused 600 ms after',
    violation('rate-retry-after-honoured', { dueMs: 2_000, tookMs: 2_600, what: ['fraction'] }),
  ],
  ['application/problem+json', violation('json-media-type'), typed('application/problem+json')],
  ['HTML pages', violation('json-media-type'), typed('text/html; charset=utf-8')],
  ['FastAPI’s default', violation('error-shape'), answered(404, '{"detail":"Not found"}')],
  [
    'Spring Boot’s default',
    violation('error-shape'),
    answered(404, '{"timestamp":"2026-11-28","status":404,"error":"Not Found","path":"/v1/pets/9"}'),
  ],
  [
    'statusCode in place of status',
    violation('error-shape'),
    answered(404, '{"statusCode":404,"message":"x","error":"Not Found"}'),
  ],
  ['is a text', violation('error-shape'), answered(404, '{"code":"x","message":"y","status":"404"}')],
  ['in “data”', violation('pets-array'), answered(200, '{"total":2,"data":[{"id":1}]}')],
  ['written category_id', violation('pet-shape'), answered(200, '[{"id":1,"category_id":2}]')],
  ['written as a text', violation('pet-shape'), answered(200, '[{"id":"1","categoryId":2}]')],
  ['has status null', violation('pet-shape'), answered(200, '[{"id":1,"status":null}]')],
  [
    'read as doubles',
    violation('pet-int64', { what: ['category digits'] }),
    answered(201, '{"id":1,"categoryId":9007199254740994}'),
  ],
  [
    'rounded: JSON numbers are read as doubles',
    violation('pet-int64', { what: ['categoryId rounded'] }),
    answered(201, '{"id":1,"categoryId":9007199254740992}'),
  ],
  [
    'kept in fewer bits',
    violation('pet-int64', { what: ['categoryId wrapped'] }),
    answered(201, '{"id":1,"categoryId":1}'),
  ],
  ['get 500', violation('create-invalid-value'), answered(500, '{}')],
  ['403 comes in place of 401', violation('auth-missing-key'), answered(403, '{}')],
  ['the missing row is not caught', violation('get-unknown'), answered(500, '{}')],
  ['gets 200 without an animal', violation('get-unknown'), answered(200, 'null')],
  ['as in the IETF’s draft', violation('rate-headers-present'), typed('60', 'RateLimit-Limit')],
  ['a 401 has no rate headers', violation('rate-headers-present'), answered(401, '{}')],
  ['default of nginx', violation('rate-429', { status: 503 })],
  [
    'Retry-After is in milliseconds',
    violation('rate-retry-after-present', { what: ['milliseconds', 'all'] }),
  ],
];

const causesOf = (finding: Finding, exchange?: Exchange) => {
  const { requirements } = exampleResults({ findings: [finding] });
  return naturalCauses({ requirements, exchanges: exchange ? [exchange] : [] }, new Set());
};

test('pages in place of listings are no errors', () => {
  for (const mediaType of ['text/html', 'application/problem+json']) {
    const exchange = typed(mediaType);
    const answer = { ...exchange.answer, status: 200 } as Exchange['answer'];
    assert.deepEqual(causesOf(violation('json-media-type'), { ...exchange, answer }), [], mediaType);
  }
});

const COUNTED_APART = [
  violation('rate-429', { most: 180, got: 181 }),
  violation('rate-window', { most: 180, got: 181 }),
  violation('rate-remaining-counts', { most: 60, got: 119, what: ['beyond', 'apart'] }),
];

const UNCOUNTED = [
  violation('rate-429', { most: 60, got: 63 }),
  violation('rate-all-operations', { what: ['exempt', 'createPet'] }),
];

/** A refill may explain three more: then only this row is red. */
const NOT_COUNTED = [violation('rate-all-operations', { what: ['exempt', 'uncounted', 'createPet'] })];

for (const [what, findings, measurements, name, says] of [
  [
    'uncounted creations beside a refill',
    NOT_COUNTED,
    [
      ['burst', 'free', 63, 1, 60],
      ['burst', 'pro', 304, 1, 300],
    ],
    'creations-not-counted',
    /63 requests allowed in place of 60/,
  ],
  [
    'a counter for each operation',
    ANEW,
    [['burst', 'free', 66, 1, 60]],
    'counted-per-operation',
    /66 requests allowed in place of 60/,
  ],
  [
    'two processes, where a finding counts the first request as well',
    [violation('rate-429', { most: 60, got: 111 }, undefined, 'free'), ...COUNTED_APART.slice(1)],
    [['burst', 'free', 110, 1, 60]],
    'two-that-count-apart',
    /twice .*111 requests allowed in place of 60/,
  ],
  [
    'two processes',
    COUNTED_APART,
    [
      ['burst', 'free', 110, 1, 60],
      // Not refused within a window, on a busy machine.
      ['burst', 'pro', 204, 0, 300],
    ],
    'two-that-count-apart',
    /twice .*110 requests allowed in place of 60/,
  ],
  [
    'four processes',
    COUNTED_APART,
    [
      ['burst', 'free', 236, 1, 60],
      ['burst', 'pro', 1_190, 1, 300],
    ],
    'two-that-count-apart',
    /4 times .*236 requests allowed in place of 60/,
  ],
  [
    'creations',
    UNCOUNTED,
    [['burst', 'free', 63, 1, 60]],
    'creations-not-counted',
    /Creations are not counted/,
  ],
  [
    'lost updates at the edge',
    [TOGETHER],
    [['burst', 'free', 60, 1, 60]],
    'checks-before-it-counts',
    /5 with 2 left.*updates are lost/,
  ],
  [
    'lost updates in every burst at once',
    [
      TOGETHER,
      violation('rate-429', { most: 60, got: 63 }),
      violation('rate-remaining-counts', { most: 60, got: 63, what: ['beyond'] }),
    ],
    [['burst', 'free', 60, 1, 60]],
    'checks-before-it-counts',
    /5 with 2 left.*updates are lost/,
  ],
  [
    'one too many',
    [violation('rate-429', { most: 60, got: 61 })],
    [['burst', 'free', 61, 1, 60]],
    'limit-one-over',
    /61 in place of 60/,
  ],
  [
    'one too many, with one used before the burst of a plan',
    [violation('rate-429', { most: 60, got: 61 })],
    [
      ['burst', 'free', 61, 1, 60],
      ['burst', 'pro', 300, 1, 300],
    ],
    'limit-one-over',
    /61 in place of 60/,
  ],
  [
    'one too few',
    [violation('rate-not-early', { most: 60, got: 59 })],
    [['burst', 'free', 59, 1, 60]],
    'limit-one-early',
    /59 of 60/,
  ],
  [
    'one behind',
    [violation('rate-remaining-counts', { most: 61, got: 60, what: ['short'] })],
    [['burst', 'free', 60, 1, 60]],
    'remaining-one-behind',
    /one too high/,
  ],
] as const)
  test(`a mistake of a limiter is one cause of all rows that show it: ${what}`, () => {
    const [cause, ...others] = limiterCauses(findings, measurements);
    assert.deepEqual([cause?.name, others], [name, []]);
    assert.match(cause?.title ?? '', says);
    assert.deepEqual(cause?.rows.toSorted(), findings.map(({ requirement }) => requirement).toSorted());
  });

for (const [says, finding, exchange] of CASES)
  test(`a natural mistake is named with its amount: ${says}`, () => {
    const [cause, ...others] = causesOf(finding, exchange);
    assert.ok(cause && others.length === 0);
    assert.ok(causeWords(cause).includes(says), causeWords(cause));
    assert.match(causeWords(cause), /\([a-z0-9-]+\)$/);
  });

const causesFor = (...findings: readonly (Finding | undefined)[]) =>
  naturalCauses(
    {
      requirements: exampleResults({ findings: findings.flatMap((one) => one ?? []) }).requirements,
      exchanges: [answered(201, '{"id":1,"categoryId":9223372036854775808}')],
    },
    new Set(),
  ).map(({ name }) => name);

test('numbers read as doubles are named beside a number beyond int64 that was taken, and not for it', () => {
  const [beyond, rounded] = [['categoryId', 'range'], ['categoryId rounded']].map((what) =>
    violation('pet-int64', { what }),
  );
  assert.deepEqual(causesFor(beyond, rounded), ['numbers-as-doubles']);
  assert.deepEqual(causesFor(beyond), []);
});

test('other mistakes of the same rows are not named so', () => {
  assert.deepEqual(causesOf(violation('create-missing-field'), answered(201, '{}')), []);
  assert.deepEqual(causesOf(violation('rate-429', { most: 60, got: 90 })), []);
  const others = answered(200, '[{"status":"sold"},{"status":"pending"}]', '', '/v1/pets?status=available');
  assert.deepEqual(causesOf(violation('list-status-filter'), others), []);
  const date = '2026-11-26T11:18:49.991699+00:00';
  const resets = violation('rate-headers-wellformed', undefined, `${RATE_HEADERS.reset}: ${date}`);
  assert.deepEqual(causesOf(resets, answered(200, '[]', date)), []);
  const late = { dueMs: 2_000, tookMs: 9_000, what: ['fraction'] };
  assert.deepEqual(causesOf(violation('rate-retry-after-honoured', late)), []);
  const half = { dueMs: 2_000, tookMs: 2_005 };
  assert.deepEqual(causesOf(violation('rate-retry-after-honoured', half)), []);
  assert.deepEqual(
    causesOf(violation('rate-headers-present', undefined, '5 of 9 (status 200, 404) with none')),
    [],
  );
});
