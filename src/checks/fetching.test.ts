import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchangeOf, judging, kindOf } from './exchange.test.support.js';
import { isTheOneAskedFor } from './fetching.js';
import { readPet } from './pets.js';

for (const [what, status, text, kind] of [
  ['the animal', 200, '{"id":7,"name":"Rex","categoryId":3}', 'kept'],
  ['another animal', 200, '{"id":8,"name":"Rex","categoryId":3}', 'violated'],
  ['the animal, with a category that is a text', 200, '{"id":7,"name":"Rex","categoryId":"3"}', 'kept'],
  ['another animal, with a category that is a text', 200, '{"id":8,"name":"Rex","categoryId":"3"}', 'violated'],
  ['an animal with an id that is a text', 200, '{"id":"8","name":"Rex","categoryId":3}', 'untried'],
  ['no animal', 200, '{}', 'untried'],
  ['an Error', 404, '{"code":"not_found","message":"no such animal","status":404}', 'kept'],
] as const)
  test(`a fetch of animal 7 that gives ${what}: ${kind}`, () => {
    const exchange = exchangeOf({ operation: 'getPet', path: '/v1/pets/7', status, text });
    assert.equal(kindOf(isTheOneAskedFor('7', { exchange, reading: readPet(exchange, judging) })), kind);
  });
