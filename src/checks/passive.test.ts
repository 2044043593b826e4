import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequirementId } from '../contract/types.js';
import type { Exchange, Header, Intent } from '../exchange/types.js';
import { AT, exchangeOf, judging, list, pet, RATE_HEADERS } from './exchange.test.support.js';
import { judgePassively, PASSIVE_ROWS, type PassiveContext } from './passive.js';
import { rateFactsOf } from './rate-headers.js';

const context: PassiveContext = {
  ...judging,
  rates: rateFactsOf({ plan: { perMinute: 60, perDay: 1000 }, windows: { minute: 60, day: 86_400 } }),
};

/** Judges an exchange by one row. */
function outcome(
  row: RequirementId,
  exchange: Exchange,
): 'kept' | 'violated' | 'warns' | 'inconclusive' | 'not judged' {
  const { kept, findings } = judgePassively(exchange, context);
  const own = findings.filter(({ requirement }) => requirement === row);
  assert.ok(!(kept.includes(row) && own.length > 0), 'kept and found at once');
  if (kept.includes(row)) return 'kept';
  const [first] = own;
  if (!first) return 'not judged';
  if (first.kind === 'violated') return first.warns ? 'warns' : 'violated';
  assert.equal(first.kind, 'inconclusive');
  return 'inconclusive';
}

const DECLARED: Intent = { kind: 'declared', statuses: [200] };
const OPEN: Intent = { kind: 'open', row: 'list-status-unknown' };
const MALFORMED: Intent = { kind: 'open', row: 'get-malformed-id' };
const ERROR = '{"code":"unauthorized","message":"no key","status":401}';
const refused = (text: string, status = 401): Exchange =>
  exchangeOf({
    intent: { kind: 'expects', statuses: [401], chargedTo: 'auth-missing-key' },
    credential: { kind: 'none' },
    status,
    text,
  });
const without = (name: string): readonly Header[] => RATE_HEADERS.filter(([candidate]) => candidate !== name);
const withHeader = (name: string, value: string): Exchange =>
  exchangeOf({ headers: [...without(name), [name, value]] });

const CASES: readonly (readonly [
  row: RequirementId,
  what: string,
  exchange: Exchange,
  expected: ReturnType<typeof outcome>,
])[] = [
  ['declared-status', 'a declared status', exchangeOf({ intent: DECLARED }), 'kept'],
  ['declared-status', 'an undeclared status', exchangeOf({ intent: DECLARED, status: 500 }), 'violated'],
  ['declared-status', 'a status that another row names', exchangeOf({ status: 500 }), 'not judged'],
  ['declared-status', 'a valid key refused', exchangeOf({ intent: DECLARED, status: 403 }), 'not judged'],
  ['declared-status', 'a 429', exchangeOf({ intent: DECLARED, status: 429 }), 'not judged'],
  ['declared-status', 'a 5xx where the interface is silent', exchangeOf({ intent: OPEN, status: 502 }), 'warns'],
  ['declared-status', 'a 4xx where the interface is silent', exchangeOf({ intent: OPEN, status: 422 }), 'not judged'],

  ['json-media-type', 'JSON', exchangeOf({ text: '[]' }), 'kept'],
  ['json-media-type', 'a text type', exchangeOf({ type: 'text/plain' }), 'violated'],
  ['json-media-type', 'broken JSON', exchangeOf({ text: '[' }), 'violated'],
  ['json-media-type', 'bytes that are not UTF-8', exchangeOf({ notUtf8: true }), 'violated'],
  ['json-media-type', 'a member twice', exchangeOf({ text: '[{"id":1,"id":2}]' }), 'violated'],
  ['json-media-type', 'no body', exchangeOf({ text: '', type: null }), 'not judged'],
  ['json-media-type', 'a page for an undeclared status', exchangeOf({ status: 500, type: 'text/html' }), 'not judged'],
  ['json-media-type', 'a text for a declared 401', exchangeOf({ status: 401, type: 'text/plain' }), 'violated'],

  [
    'json-media-type',
    'a page for a declared 404 where the interface is silent',
    exchangeOf({ operation: 'getPet', intent: MALFORMED, status: 404, type: 'text/html', text: '<p>' }),
    'not judged',
  ],

  ['pets-array', 'an array', exchangeOf({ text: list(pet(1)) }), 'kept'],
  ['pets-array', 'an array of rubbish, which is another row’s affair', exchangeOf({ text: '[1]' }), 'kept'],
  ['pets-array', 'an envelope', exchangeOf({ text: '{"pets":[]}' }), 'violated'],
  ['pets-array', 'what is no JSON', exchangeOf({ text: '[' }), 'not judged'],
  ['pets-array', 'a fetched animal', exchangeOf({ operation: 'getPet', text: pet(1) }), 'not judged'],

  ['pet-shape', 'sound animals', exchangeOf({ text: list(pet(1), pet(2, '')) }), 'kept'],
  ['pet-shape', '1.0 for an id', exchangeOf({ text: list(pet('1.0')) }), 'kept'],
  ['pet-shape', 'no animals', exchangeOf({ text: '[]' }), 'not judged'],
  ['pet-shape', 'an envelope', exchangeOf({ text: '{"pets":[{}]}' }), 'not judged'],
  ['pet-shape', 'an id as text', exchangeOf({ text: '[{"id":"1","name":"a","categoryId":1}]' }), 'violated'],
  ['pet-shape', 'a fraction', exchangeOf({ text: list(pet(1.5)) }), 'violated'],
  ['pet-shape', 'a status in capitals', exchangeOf({ text: list(pet(1, '"status":"SOLD"')) }), 'violated'],
  ['pet-shape', 'a status of null', exchangeOf({ operation: 'getPet', text: pet(1, '"status":null') }), 'violated'],
  ['pet-shape', 'the last of many', exchangeOf({ text: list(pet(1), pet(2), '{"id":3}') }), 'violated'],
  ['pet-shape', 'a creation', exchangeOf({ operation: 'createPet', status: 201, text: '{"name":"a"}' }), 'violated'],

  ['error-shape', 'a sound Error', refused(ERROR), 'kept'],
  ['error-shape', 'an Error with more members', refused('{"code":"a","message":"b","status":1,"trace":[]}'), 'kept'],
  ['error-shape', 'a status as text', refused('{"code":"a","message":"b","status":"401"}'), 'violated'],
  ['error-shape', 'a list of problems', refused('[]'), 'violated'],
  ['error-shape', 'no body', refused(''), 'violated'],
  ['error-shape', 'an undeclared status', refused('{}', 403), 'not judged'],
  ['error-shape', 'a success', exchangeOf({}), 'not judged'],

  [
    'error-shape',
    'a declared 404 where the interface is silent',
    exchangeOf({ operation: 'getPet', intent: MALFORMED, status: 404, text: '{}' }),
    'not judged',
  ],
  [
    'rate-headers-present',
    'a router’s own 404',
    exchangeOf({ operation: 'getPet', intent: MALFORMED, status: 404, headers: [] }),
    'not judged',
  ],
  [
    'rate-headers-present',
    'a refusal where the interface is silent',
    exchangeOf({ intent: OPEN, status: 400, headers: [] }),
    'violated',
  ],

  ['error-status-matches', 'the same status', refused(ERROR), 'kept'],
  ['error-status-matches', 'the same status, written otherwise', refused(ERROR.replace('401}', '4.01e2}')), 'kept'],
  ['error-status-matches', 'another status', refused(ERROR.replace('401}', '400}')), 'violated'],
  [
    'error-status-matches',
    'no status at all, which is the shape’s affair',
    refused('{"code":"a","message":"b"}'),
    'not judged',
  ],

  ['rate-headers-present', 'all three', exchangeOf({}), 'kept'],
  ['rate-headers-present', 'all three on a 401', refused(ERROR), 'kept'],
  ['rate-headers-present', 'none', exchangeOf({ headers: [] }), 'violated'],
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'].map(
    (name) => ['rate-headers-present', `no ${name}`, exchangeOf({ headers: without(name) }), 'violated'] as const,
  ),
  [
    'rate-headers-present',
    'names in another case',
    exchangeOf({ headers: RATE_HEADERS.map(([name, value]) => [name.toLowerCase(), value]) }),
    'kept',
  ],
  ['rate-headers-present', 'what an HTTP layer answers', exchangeOf({ status: 431, headers: [] }), 'not judged'],

  ['rate-headers-wellformed', 'plain numbers', exchangeOf({}), 'kept'],
  ['rate-headers-wellformed', 'none of them', exchangeOf({ headers: [] }), 'not judged'],
  ['rate-headers-wellformed', 'a fraction', withHeader('X-RateLimit-Remaining', '58.5'), 'violated'],
  ['rate-headers-wellformed', 'a negative rest', withHeader('X-RateLimit-Remaining', '-1'), 'violated'],
  ['rate-headers-wellformed', 'more left than there is', withHeader('X-RateLimit-Remaining', '61'), 'violated'],
  ['rate-headers-wellformed', 'seconds to go', withHeader('X-RateLimit-Reset', '60'), 'violated'],
  ['rate-headers-wellformed', 'milliseconds', withHeader('X-RateLimit-Reset', String(AT + 60_000)), 'violated'],
  ['rate-headers-wellformed', 'a Reset long ago', withHeader('X-RateLimit-Reset', String(AT / 1000 - 60)), 'violated'],
  [
    'rate-headers-wellformed',
    'a Reset too far off',
    withHeader('X-RateLimit-Reset', String(AT / 1000 + 120)),
    'violated',
  ],
  [
    'rate-headers-wellformed',
    'a clock that is 3 s stale',
    withHeader('X-RateLimit-Reset', String(AT / 1000 + 63)),
    'kept',
  ],
  ['rate-headers-wellformed', 'no Date', exchangeOf({ headers: without('Date') }), 'not judged'],
];

for (const [row, what, exchange, expected] of CASES)
  test(`${row}, ${what}: ${expected}`, () => assert.equal(outcome(row, exchange), expected));

test('every passive row is seen both red and green', () => {
  for (const row of PASSIVE_ROWS) {
    const seen = new Set(CASES.filter(([id]) => id === row).map(([, , , expected]) => expected));
    assert.ok(seen.has('kept') && seen.has('violated'), row);
  }
});

test('what is none of the operations, and what was never answered, is judged by no row', () => {
  for (const exchange of [exchangeOf({ operation: null, status: 405, headers: [] }), exchangeOf({ none: 'timeout' })])
    assert.deepEqual(judgePassively(exchange, context), { kept: [], findings: [] });
});

test('every finding names its exchange', () => {
  const exchange = exchangeOf({ id: 'x99', intent: DECLARED, status: 500, headers: [] });
  const { findings } = judgePassively(exchange, context);
  assert.ok(findings.length >= 2);
  for (const finding of findings) assert.deepEqual('exchanges' in finding && finding.exchanges, ['x99']);
});

test('on an operation that is marked as unstable every violation only warns', () => {
  const unstable = { ...context, contract: { ...context.contract, markers: { listPets: 'beta' } as const } };
  const { findings } = judgePassively(exchangeOf({ text: '{}', headers: [] }), unstable);
  assert.ok(findings.length >= 2);
  for (const finding of findings) assert.equal(finding.kind === 'violated' && finding.warns, true);
});
