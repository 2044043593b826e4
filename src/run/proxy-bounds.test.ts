import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientExchange } from '../wire/exchange/client-exchange.js';
import { bounded } from './proxy-bounds.js';

const exchange: ClientExchange = {
  id: 't1',
  credential: { key: { kind: 'none' }, bearer: false, elsewhere: [] },
  request: { method: 'POST', target: '/v1/pets', headers: [], body: { kind: 'whole', text: '12345' } },
  times: { kind: 'unknown' },
  answer: { kind: 'response', status: 201, headers: [], body: { kind: 'whole', text: '1234567' } },
};

test('a full record misses bodies first, and then only counts', () => {
  const bounds = bounded({ exchanges: 2, characters: 15 });
  assert.deepEqual(bounds.take(exchange), exchange);
  const second = bounds.take(exchange);
  assert.equal(second?.request.body.kind, 'missing');
  assert.equal(second.answer.kind === 'response' && second.answer.body.kind, 'missing');
  assert.equal(bounds.take(exchange), null);
});
