import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientExchange } from './client-exchange.js';
import { recordBounds, withoutSecrets } from './recorded.js';

const exchange: ClientExchange = {
  id: 't1',
  credential: { key: { kind: 'none' }, bearer: false, elsewhere: [] },
  request: { method: 'POST', target: '/v1/pets', headers: [], body: { kind: 'whole', text: '12345' } },
  times: { kind: 'unknown' },
  answer: { kind: 'response', status: 201, headers: [], body: { kind: 'whole', text: 'x'.repeat(3000) } },
};

const kinds = ({ request, answer }: ClientExchange) => [
  request.body.kind,
  answer.kind === 'response' && answer.body.kind,
];

test('a record without room keeps short bodies, and the beginning of others, until it is full', () => {
  const bounds = recordBounds({ exchanges: 2, body: 10_000, room: 3005 });
  assert.deepEqual(kinds(bounds.take(exchange)), ['whole', 'whole']);
  assert.equal(bounds.isFull(), false);
  assert.deepEqual(kinds(bounds.take(exchange)), ['whole', 'cut']);
  assert.equal(bounds.isFull(), true);
  assert.equal(bounds.reason, 'beyond the first 2');
});

test('secrets of another kind leave no record, and the name of a key that was replaced stays', () => {
  const { request, answer } = withoutSecrets({
    ...exchange,
    request: {
      ...exchange.request,
      target: '/v1/pets?api_key=$PETSTORE_FREE_KEY&access_token=abc&limit=5',
      headers: [
        ['Cookie', 'sid=abc'],
        ['X-API-Key', '$PETSTORE_FREE_KEY'],
      ],
    },
    answer: { kind: 'response', status: 200, headers: [['Set-Cookie', 'sid=abc']], body: { kind: 'empty' } },
  });
  assert.equal(request.target, '/v1/pets?api_key=$PETSTORE_FREE_KEY&access_token=[redacted]&limit=5');
  assert.deepEqual(request.headers, [
    ['Cookie', '[redacted]'],
    ['X-API-Key', '$PETSTORE_FREE_KEY'],
  ]);
  assert.ok(answer.kind === 'response' && answer.headers[0]?.[1] === '[redacted]');
});

test('a header or parameter of any name for a secret leaves no record, also within an address', () => {
  const secret = 'abc-secret';
  const names = ['X-CSRF-Token', 'X-Access-Token', 'Api-Key', 'X-Session-Id', 'X-Amz-Signature', 'Cookie2'];
  const leads = `https://shop.example.com/login?limit=5&ticket=${secret}&sig=${secret}`;
  const target = `/v1/pets?session=${secret}&X-Amz-Credential=${secret}&status=sold`;
  const record = withoutSecrets({
    ...exchange,
    request: {
      ...exchange.request,
      target,
      headers: [...names.map((name) => [name, secret] as const), ['Referer', leads]],
    },
    answer: { kind: 'response', status: 302, headers: [['Location', leads]], body: { kind: 'empty' } },
  });
  assert.ok(!JSON.stringify(record).includes(secret), JSON.stringify(record));
  assert.ok(record.request.target.endsWith('&status=sold'));
});

test('headers that the interface and HTTP read stay as they are', () => {
  const headers = [
    ['Authorization', 'Bearer $PETSTORE_FREE_KEY'],
    [':authority', 'shop.example.com'],
    ['WWW-Authenticate', 'Bearer realm="pets"'],
    ['Host', 'shop.example.com'],
  ] as const;
  const { request } = withoutSecrets({ ...exchange, request: { ...exchange.request, headers } });
  assert.deepEqual(request.headers, headers);
});
