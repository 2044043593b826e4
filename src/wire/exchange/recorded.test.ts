import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientExchange } from './client-exchange.js';
import { recordBounds } from './recorded.js';

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
