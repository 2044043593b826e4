import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../wire/exchange/types.js';
import { AT, createdOf, exchangeOf, judging, list, pet } from '../checks/exchange.test.support.js';
import { animalsIn } from '../checks/pets.js';
import { countAnimals, mostCommonStatus, othersChangeStatuses, steadyIds } from './animals.js';
import { endOf } from './whole-pages.js';
import { newWorld } from './world.js';
import { worldOf } from './world-after.js';

const sold = (id: number): string => pet(id, '"status":"sold"');
const available = (id: number): string => pet(id);

test('animals come from every response to the run’s key, with their latest state', () => {
  const world = worldOf(
    [
      exchangeOf({ text: list(available(1), available(2)) }),
      createdOf(sold(3)).exchange,
      exchangeOf({ operation: 'getPet', text: sold(1) }),
      exchangeOf({ text: list(available(9)), credential: { kind: 'none' } }),
      exchangeOf({ status: 400, text: available(8) }),
      exchangeOf({ none: 'timeout' }),
      exchangeOf({ text: '[{"id":"7"},{"name":"x"},null,[],1,{"id":1.5}]' }),
      exchangeOf({ text: 'no JSON' }),
    ],
    judging,
  );
  assert.deepEqual([...world.animals.keys()], ['1', '2', '3']);
  assert.deepEqual(
    [countAnimals(world), countAnimals(world, 'sold'), countAnimals(world, 'pending')],
    [3, 2, 0],
  );
});

test('ids keep all digits', () => {
  const ids = animalsIn(exchangeOf({ text: list(pet('9007199254740993'), pet('9007199254740992')) })).map(
    ({ id }) => id,
  );
  assert.deepEqual(ids, ['9007199254740993', '9007199254740992']);
});

test('the most common status is found', () => {
  const world = worldOf([exchangeOf({ text: list(available(1), sold(2), sold(3)) })], judging);
  assert.equal(mostCommonStatus(world, ['available', 'pending', 'sold']), 'sold');
  assert.equal(mostCommonStatus(newWorld(judging), ['available', 'pending', 'sold']), 'available');
});

const sinceIn = (...listings: readonly Exchange[]) => worldOf(listings, judging).animals.get('1')?.since;

test('an animal of the first listing was there before the run; one that an empty listing lacked was not', () => {
  const ALL = { path: '/v1/pets?limit=100' };
  const empty = exchangeOf({ ...ALL, text: '[]' });
  const full = exchangeOf({ ...ALL, text: list(available(1)), sentAt: AT + 1_000 });
  assert.equal(sinceIn(full), -Infinity);
  assert.equal(sinceIn(empty, full), AT + 1_005);
  // So the empty page is not short of it: another client added it in between.
  const world = worldOf([empty, full], judging);
  assert.deepEqual(
    world.pages.map((page) => endOf(page, world)),
    [null, null],
  );
});

test('a status changes where responses without a filter show several of one animal', () => {
  const created = [createdOf(available(3)).exchange, createdOf(available(4)).exchange];
  const steadyIn = (...later: readonly Exchange[]) => {
    const world = worldOf([...created, ...later], judging);
    return [[...steadyIds(world)], othersChangeStatuses(world)];
  };
  const filtered = exchangeOf({ path: '/v1/pets?status=sold', text: list(sold(3), sold(4)) });
  assert.deepEqual(steadyIn(filtered), [['3', '4'], false]);
  assert.deepEqual(steadyIn(exchangeOf({ text: list(sold(3), available(4)) })), [['4'], false]);
  const fetch = exchangeOf({ operation: 'getPet', text: sold(1) });
  assert.deepEqual(steadyIn(exchangeOf({ text: list(available(1)) }), fetch), [['3', '4'], true]);
});
