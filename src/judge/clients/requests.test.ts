import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { judgedAs, recordOf, sent } from './traffic.test.support.js';
import { creation, testsOf, type Case } from './requests.test.support.js';

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
  [
    'a key in the query, for the requests',
    'client-valid-request',
    'kept',
    { elsewhere: ['the query parameter api_key'] },
  ],
];

testsOf(CASES);

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
