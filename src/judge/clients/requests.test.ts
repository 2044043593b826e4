import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { judgedAs, recordOf, sent, START, type Given } from './traffic.test.support.js';
import type { ClientRow } from '../../base/interface/requirement-ids.js';
import { avoidsDeprecated } from './places.js';
import { creation, BIG, ROUNDED, pet } from './requests.test.support.js';

type Case = readonly [name: string, row: ClientRow, judged: ReturnType<typeof judgedAs>, ...given: Given[]];

const CASES: readonly Case[] = [
  [
    'the bounds of limit',
    'client-valid-request',
    'kept',
    { target: '/v1/pets?limit=1' },
    { target: '/v1/pets?limit=100' },
  ],
  ['limit=0', 'client-valid-request', 'violated', { target: '/v1/pets?limit=0' }],
  ['limit=101', 'client-valid-request', 'violated', { target: '/v1/pets?limit=101' }],
  ['limit with a word', 'client-valid-request', 'violated', { target: '/v1/pets?limit=undefined' }],
  ['an empty limit', 'client-valid-request', 'violated', { target: '/v1/pets?limit=' }],
  ['limit=05', 'client-valid-request', 'kept', { target: '/v1/pets?limit=05' }],
  ['limit=7.0', 'client-valid-request', 'kept', { target: '/v1/pets?limit=7.0' }],
  ['limit=7.5', 'client-valid-request', 'violated', { target: '/v1/pets?limit=7.5' }],
  ['limit twice', 'client-valid-request', 'kept', { target: '/v1/pets?limit=5&limit=6' }],
  ['limit twice, once wrong', 'client-valid-request', 'violated', { target: '/v1/pets?limit=5&limit=500' }],
  ['an undeclared parameter', 'client-valid-request', 'kept', { target: '/v1/pets?page=2' }],
  ['a status in capitals', 'client-valid-request', 'violated', { target: '/v1/pets?status=Sold' }],
  ['an id that is none', 'client-valid-request', 'violated', { target: '/v1/pets/undefined' }],
  ['an id beyond int64', 'client-valid-request', 'violated', { target: '/v1/pets/9223372036854775808' }],
  ...[
    '9.007199254740992e+15',
    '1E3',
    '+7',
    '%2B7',
    '7.0',
    '0x10',
    '%20',
    '7%20',
    '%37',
    '1_000',
    '7e0',
    '٧',
  ].map((text): Case => [
    `an id in another spelling: ${text}`,
    'client-valid-request',
    'violated',
    { target: `/v1/pets/${text}` },
  ]),
  ...['-7', '0', '007'].map((text): Case => [
    `an id in digits: ${text}`,
    'client-valid-request',
    'kept',
    { target: `/v1/pets/${text}` },
  ]),
  ['the largest id', 'client-valid-request', 'kept', { target: '/v1/pets/9223372036854775807' }],
  [
    'other paths',
    'client-valid-request',
    'not-shown',
    { target: '/v1/pets/' },
    { target: '/v1/pets/1/photo' },
  ],
  ['other methods', 'client-valid-request', 'not-shown', { method: 'DELETE', target: '/v1/pets/1' }],
  ['a valid creation', 'client-valid-request', 'kept', creation('{"name":"","categoryId":1}')],
  ['members more', 'client-valid-request', 'kept', creation('{"name":"","categoryId":1.0,"age":3}')],
  [
    'a creation of another type',
    'client-valid-request',
    'violated',
    creation('{"name":"","categoryId":1}', { type: 'text/plain' }),
  ],
  [
    'a creation without a type',
    'client-valid-request',
    'violated',
    creation('{"name":"","categoryId":1}', { type: null }),
  ],
  ['a creation without a category', 'client-valid-request', 'violated', creation('{"name":"Rex"}')],
  ['a creation without a name', 'client-valid-request', 'violated', creation('{"categoryId":1}')],
  ['creations in a list', 'client-valid-request', 'violated', creation('[{"name":"Rex","categoryId":1}]')],
  ['a category as text', 'client-valid-request', 'violated', creation('{"name":"Rex","categoryId":"1"}')],
  [
    'a null status',
    'client-valid-request',
    'violated',
    creation('{"name":"Rex","categoryId":1,"status":null}'),
  ],
  ['a creation without a body', 'client-valid-request', 'violated', creation('')],
  [
    'a compressed creation',
    'client-valid-request',
    'not-shown',
    creation('\u001F\uFFFD\b', { requestHeaders: [['Content-Encoding', 'gzip']] }),
  ],
  [
    'a member twice, of which parsers take either',
    'client-valid-request',
    'not-shown',
    creation('{"name":"a","name":"b","categoryId":1}'),
  ],
  [
    'a limit with a blank, as a plus in a query is read',
    'client-valid-request',
    'kept',
    { target: '/v1/pets?limit=+5' },
  ],
  [
    'the key as a limit, which is another row’s',
    'client-valid-request',
    'not-shown',
    { target: '/v1/pets?limit=$PETSTORE_FREE_KEY', elsewhere: ['the query parameter limit'] },
  ],
  [
    'a wrong limit beside a key in the query',
    'client-valid-request',
    'violated',
    { target: '/v1/pets?limit=0&api_key=$PETSTORE_FREE_KEY', elsewhere: ['the query parameter api_key'] },
  ],
  ['a key in the query', 'client-bearer-key', 'violated', { elsewhere: ['the query parameter api_key'] }],
  [
    'a key in the query, for the requests',
    'client-valid-request',
    'kept',
    { elsewhere: ['the query parameter api_key'] },
  ],
  ['no key', 'client-bearer-key', 'violated', { key: { kind: 'none' }, bearer: false }],
  [
    'a health check without a key',
    'client-bearer-key',
    'kept',
    {},
    { target: '/v1/health', key: { kind: 'none' } },
  ],
  ['a masked key', 'client-bearer-key', 'not-shown', { key: { kind: 'masked', mask: '***' } }],
  ['a test with a wrong key', 'client-bearer-key', 'kept', {}, { key: { kind: 'other', nth: 1 } }],
  ['only a wrong key', 'client-bearer-key', 'violated', { key: { kind: 'other', nth: 1 } }],
  ['below the base path', 'client-base-path', 'kept', { target: '/v1/anything' }],
  ['outside the base path', 'client-base-path', 'violated', { target: '/pets' }],
  ['in another version', 'client-base-path', 'violated', { target: '/v2/pets' }],
  ['beside the base path', 'client-base-path', 'violated', { target: '/v1pets' }],
  [
    'an icon without a key',
    'client-base-path',
    'not-shown',
    { target: '/favicon.ico', key: { kind: 'none' } },
  ],
  ['the deprecated operation', 'client-not-deprecated', 'violated', {}, { target: '/v1/pets/7' }],
  ['only listings', 'client-not-deprecated', 'kept', {}],
  ['nothing', 'client-not-deprecated', 'not-shown'],
  [
    'an id with its digits',
    'client-int64',
    'kept',
    { answer: `[${pet(BIG)}]` },
    { target: `/v1/pets/${BIG}` },
  ],
  [
    'an id rounded',
    'client-int64',
    'violated',
    { answer: `[${pet(BIG)}]` },
    { target: `/v1/pets/${ROUNDED}`, status: 404 },
  ],
  ...['1152921504607846900', '1152921504607847000', '1152921504607850000'].map((printed): Case => [
    `an id printed as ${printed}`,
    'client-int64',
    'violated',
    { answer: `[${pet('1152921504607846979')}]` },
    { target: `/v1/pets/${printed}`, status: 404 },
  ]),
  [
    'an id below 2^53 that someone cut',
    'client-int64',
    'not-shown',
    { answer: `[${pet('1234567890123456')}]` },
    { target: '/v1/pets/1234567890123460', status: 404 },
  ],
  ...[`1${'0'.repeat(25)}`, `1${'0'.repeat(400)}`].map((large): Case => [
    `an id of ${large.length} digits`,
    'client-int64',
    'not-shown',
    { answer: `[${pet(large)}]` },
    { target: '/v1/pets' },
  ]),
  [
    'a rounded id that was received',
    'client-int64',
    'not-shown',
    { answer: `[${pet(BIG)},${pet(ROUNDED)}]` },
    { target: `/v1/pets/${ROUNDED}` },
  ],
  [
    'a neighbour from elsewhere',
    'client-int64',
    'not-shown',
    { answer: `[${pet(BIG)}]` },
    { target: '/v1/pets/9007199254740994' },
  ],
  ['a small id', 'client-int64', 'not-shown', { answer: `[${pet('7')}]` }, { target: '/v1/pets/7' }],
  ...[
    '1000003',
    '-589934591',
    '1.1529215046078e18',
    '1.15292e+18',
    // Cut to 32 bits as a double, read as a 32-bit float, and with 15 digits as spreadsheets keep them.
    '999936',
    '1152921504606846976',
    '1152921504607840000',
  ].map((spoilt): Case => [
    `a category sent as ${spoilt}`,
    'client-int64',
    'violated',
    { answer: `[${pet('1', '1152921504607846979')},${pet('2', '1152921508311879681')}]` },
    creation(`{"name":"a","categoryId":${spoilt}}`),
  ]),
  [
    'a small category of the client',
    'client-int64',
    'not-shown',
    { answer: `[${pet('5', '7')},${pet('6', '4294967303')}]` },
    creation('{"name":"a","categoryId":2147483647}'),
  ],
  [
    'a category rounded',
    'client-int64',
    'violated',
    { answer: `[${pet('1', BIG)}]` },
    creation(`{"name":"a","categoryId":${ROUNDED}}`, { status: 201, answer: pet('2', ROUNDED) }),
  ],
  [
    'a rounded category that is listed later',
    'client-int64',
    'violated',
    { answer: `[${pet('1', BIG)}]` },
    creation(`{"name":"a","categoryId":${ROUNDED}}`, { status: 201, answer: pet('2', ROUNDED) }),
    { answer: `[${pet('2', ROUNDED)}]` },
  ],
  [
    'a redirect not followed',
    'client-key-stays',
    'kept',
    { status: 307, headers: [['Location', 'http://127.0.0.1:9/v1/pets']] },
  ],
  [
    'a redirect within the origin',
    'client-key-stays',
    'not-shown',
    { status: 307, headers: [['Location', '/v1/pets']] },
  ],
  ['a key at another origin', 'client-key-stays', 'violated', {}, { origin: 'http://127.0.0.1:9' }],
  [
    'no key at another origin',
    'client-key-stays',
    'kept',
    { status: 302, headers: [['Location', 'http://127.0.0.1:9/']] },
    { origin: 'http://127.0.0.1:9', key: { kind: 'none' } },
  ],
];

for (const [name, row, expected, ...given] of CASES)
  test(`${row}: ${name}: ${expected}`, () =>
    assert.equal(
      judgedAs(row, recordOf(given.map((each, at) => sent({ at: [at * 10, at * 10 + 1], ...each })))),
      expected,
    ));

test('a creation that is not UTF-8 is no JSON (RFC 8259, 8.1)', () => {
  const exchange = sent(creation('{"name":"Zo\uFFFD","categoryId":1}'));
  const body = { kind: 'whole', text: '{"name":"Zo\uFFFD","categoryId":1}', notUtf8: true } as const;
  const latin = { ...exchange, request: { ...exchange.request, body } };
  assert.equal(judgedAs('client-valid-request', recordOf([latin])), 'violated');
  assert.equal(judgedAs('client-valid-request', recordOf([exchange])), 'kept');
});

test('every valid listing keeps the row, and its parts in any other range break it', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -1000n, max: 1000n }), (limit) =>
      assert.equal(
        judgedAs('client-valid-request', recordOf([sent({ target: `/v1/pets?limit=${limit}` })])),
        limit >= 1n && limit <= 100n ? 'kept' : 'violated',
      ),
    ),
  );
});

test('any received id that comes back with its digits breaks nothing, and a spoilt one breaks the row', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (id) => {
      const back = (text: string) =>
        judgedAs(
          'client-int64',
          recordOf([
            sent({ answer: `[${pet(String(id))}]` }),
            sent({ target: `/v1/pets/${text}`, status: 404, at: [5, 6] }),
          ]),
        );
      const double = BigInt(Number(id));
      assert.equal(
        back(String(id)),
        double === id && BigInt(String(Number(id))) === id ? 'not-shown' : 'kept',
      );
      if (double !== id) assert.equal(back(String(double)), 'violated');
    }),
  );
});

test('a call after the removal is dated by the record', () => {
  const late = Date.parse('2031-01-01T00:00:00Z') - START;
  assert.equal(
    judgedAs('client-not-deprecated', recordOf([sent({ target: '/v1/pets/7', at: [late, late + 1] })])),
    'violated',
  );
});

test('calls of the deprecated operation are counted in one place', () => {
  const call = sent({ target: '/v1/pets/7' });
  const [judgement] = avoidsDeprecated(recordOf([call, call]));
  assert.ok(judgement?.kind === 'violated');
  // Reports add in how many more requests: another count beside it would contradict it.
  assert.doesNotMatch(judgement.message, /\btimes?\b/);
  assert.equal(judgement.actual, '2 calls');
});
