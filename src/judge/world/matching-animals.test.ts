import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PetStatus } from '../../base/interface/contract.js';
import { exchangeOf, judging, list, pet } from '../checks/exchange.test.support.js';
import { matchingSurely } from './matching-animals.js';
import { worldOf } from './world-after.js';

/** Makes a listing at a time, in ms, of animals with a status each. */
function listing(query: string, sentAt: number, animals: ReadonlyMap<number, PetStatus>) {
  const text = list(...[...animals].map(([id, status]) => pet(id, `"status":"${status}"`)));
  const exchange = exchangeOf({ text });
  const request = { ...exchange.request, path: `/v1/pets?${query}` };
  return { ...exchange, probe: `GET /pets?${query}`, request, sentAt };
}

/** Returns ten animals of a status, with ids from one on. */
const ten = (from: number, status: PetStatus) =>
  new Map<number, PetStatus>(Array.from({ length: 10 }, (_, at) => [from + at, status]));

const THREE_OF_EACH = new Map<number, PetStatus>([
  [1, 'pending'],
  [2, 'pending'],
  [3, 'pending'],
  [4, 'sold'],
  [5, 'sold'],
  [6, 'sold'],
]);

test('animals that others removed do not match a page, although two filters show one animal each', () => {
  const world = worldOf(
    [
      listing('limit=100', 1_000, THREE_OF_EACH),
      listing('limit=2&status=pending', 9_000, new Map([[1, 'pending']])),
      listing('limit=2&status=sold', 9_100, new Map([[4, 'sold']])),
    ],
    judging,
  );
  for (const page of world.pages.slice(1)) assert.equal(matchingSurely(page, world), 1);
});

test('animals that pages of one length lack match them, where both filters end there', () => {
  const many = new Map<number, PetStatus>(
    Array.from({ length: 24 }, (_, at) => [at + 1, at < 12 ? 'pending' : 'sold']),
  );
  const world = worldOf(
    [
      listing('limit=100', 1_000, many),
      listing('limit=100&status=pending', 9_000, ten(1, 'pending')),
      listing('limit=100&status=sold', 9_100, ten(13, 'sold')),
    ],
    judging,
  );
  for (const page of world.pages.slice(1)) assert.equal(matchingSurely(page, world), 12);
});

test('an animal of the run that no listing shows matches a page of the length at which the target ends pages', () => {
  const twenty = new Map<number, PetStatus>(Array.from({ length: 20 }, (_, at) => [at + 1, 'pending']));
  const creation = {
    ...exchangeOf({
      operation: 'createPet',
      intent: { kind: 'expects', statuses: [201], chargedTo: 'create-ok' },
      status: 201,
      text: pet(21, '"status":"pending"'),
    }),
    sentAt: 2_000,
  };
  const before = listing('limit=100', 1_000, twenty);
  const soon = worldOf([before, creation, listing('limit=100', 3_000, twenty)], judging);
  const late = worldOf([before, creation, listing('limit=100', 5_000, twenty)], judging);
  const newest = ({ pages }: typeof soon) => pages.at(-1) ?? assert.fail('no page');
  assert.equal(matchingSurely(newest(soon), soon), 20, 'it may be late');
  assert.equal(matchingSurely(newest(late), late), 21);
});
