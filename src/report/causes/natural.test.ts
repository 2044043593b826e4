import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequirementId } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { SAME_ANIMAL } from '../../judge/checks/animals.js';
import type { Finding, Measured } from '../../judge/findings/finding.js';
import { exampleExchange, exampleResults } from '../example-run.test.support.js';
import { causeWords, likelyCauses } from './likely.js';
import { naturalCauses } from './natural.js';

const answered = (status: number, text: string, header = '', path = '/v1/pets'): Exchange => {
  const exchange = exampleExchange({ id: 'x9', text, path });
  const { answer } = exchange;
  if (answer.kind !== 'response') throw new TypeError('an example has a response');
  return {
    ...exchange,
    answer: { ...answer, status, ...(header && { headers: [['X-RateLimit-Reset', header]] }) },
  };
};

const violation = (requirement: RequirementId, measured?: Measured, actual?: string): Finding => ({
  kind: 'violated',
  requirement,
  message: 'it is not as it should be',
  ...(actual !== undefined && { actual }),
  ...(measured && { measured }),
  exchanges: ['x9'],
});

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
  ['still refused 600 ms after', violation('rate-retry-after-honoured', { dueMs: 2_000, tookMs: 2_600 })],
  ['61 in place of 60', violation('rate-429', { most: 60, got: 61 })],
  ['one too high', violation('rate-remaining-counts', { most: 0, got: 1, status: 429 })],
];

const causesOf = (finding: Finding, exchange?: Exchange) => {
  const { requirements } = exampleResults({ findings: [finding] });
  return naturalCauses({ requirements, exchanges: exchange ? [exchange] : [] }, new Set());
};

for (const [says, finding, exchange] of CASES)
  test(`a natural mistake is named with its amount: ${says}`, () => {
    const [cause, ...others] = causesOf(finding, exchange);
    assert.ok(cause && others.length === 0);
    assert.ok(causeWords(cause).includes(says), causeWords(cause));
    assert.match(causeWords(cause), /\([a-z0-9-]+\)$/);
  });

test('other mistakes of the same rows are not named so', () => {
  assert.deepEqual(causesOf(violation('create-missing-field'), answered(500, '{}')), []);
  assert.deepEqual(causesOf(violation('rate-429', { most: 60, got: 90 })), []);
  const others = answered(200, '[{"status":"sold"},{"status":"pending"}]', '', '/v1/pets?status=available');
  assert.deepEqual(causesOf(violation('list-status-filter'), others), []);
  const date = '2026-11-26T11:18:49.991699+00:00';
  const resets = violation('rate-headers-wellformed', undefined, `X-RateLimit-Reset: ${date}`);
  assert.deepEqual(causesOf(resets, answered(200, '[]', date)), []);
  assert.deepEqual(causesOf(violation('rate-retry-after-honoured', { dueMs: 2_000, tookMs: 9_000 })), []);
  assert.deepEqual(
    causesOf(violation('rate-headers-present', undefined, '5 of 9 (status 200, 404) with none')),
    [],
  );
});

const SHARED: readonly Finding[] = [
  violation('rate-per-key', { what: ['refused'] }, 'refused with 429'),
  violation('rate-not-early', { most: 300, got: 60, what: ['steady'] }),
];
const OF_FREE = violation(
  'rate-limit-value',
  { most: 300, got: 60 },
  'X-RateLimit-Limit: 60 on 9 of 9 responses',
);

for (const [what, findings, name, rows, says] of [
  [
    'one limit for all keys',
    [...SHARED, OF_FREE],
    'counted-by-address',
    ['rate-limit-value', 'rate-per-key', 'rate-not-early'],
    /^All keys share one allowance of 60, as a limit per address does\. .*\(refused with 429\)/,
  ],
  [
    'keys with their own limits',
    SHARED,
    'keys-share-one-counter',
    ['rate-per-key', 'rate-not-early'],
    /^All keys share one counter, as a limit per address does\./,
  ],
] as const)
  test(`a limit per address is one cause of all rows that show it: ${what}`, () => {
    const [cause, ...others] = likelyCauses(exampleResults({ findings }), [], []);
    assert.deepEqual([cause?.flaws[0]?.name, cause?.rows, others], [name, rows, []]);
    assert.match(cause?.flaws[0]?.title ?? '', says);
  });

test('no limit per address is named where another key was served', () =>
  assert.deepEqual(likelyCauses(exampleResults({ findings: [OF_FREE] }), [], []), []));
