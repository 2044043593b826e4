import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { NewPet } from '../../base/interface/types.js';
import { createdOf, exchangeOf, kindOf, pageOf } from './exchange.test.support.js';
import type { Judgement } from '../findings/finding.js';
import {
  returnedIdFault,
  lookRounded,
  onlyDigitsLost,
  returnedOtherId,
  categoriesKeepDigits,
} from './rounded-ids.js';
import { petsOf } from './listing.js';
import { differenceFrom, listedAsCreated, onSecondLook, type ListedPet } from './matching.js';

const SENT: NewPet = { name: 'Rex', categoryId: '1', status: 'sold' };
const CREATED = createdOf('{"id":7,"name":"Rex","categoryId":1,"status":"sold"}');
const ALL = ['name', 'categoryId', 'status'] as const;

/** Makes an animal in a listing from its members. */
function seen(members: string, statusCounts = true): ListedPet {
  const page = pageOf(`[{${members}}]`);
  const [pet] = petsOf(page);
  assert.ok(pet);
  return { exchange: page.exchange, pet, statusCounts };
}

const same = seen('"id":7,"name":"Rex","categoryId":1.0,"status":"sold"');
const against = (...listedPets: readonly ListedPet[]): Judgement =>
  listedAsCreated(CREATED, SENT, listedPets, ALL);

const CASES: readonly (readonly [what: string, judgement: Judgement, expected: string])[] = [
  ['the members as created', against(same), 'kept'],
  [
    'another name only on the second page',
    against(same, seen('"id":7,"name":"rex","categoryId":1,"status":"sold"')),
    'violated',
  ],
  ['another category', against(seen('"id":7,"name":"Rex","categoryId":0,"status":"sold"')), 'violated'],
  ['another status', against(seen('"id":7,"name":"Rex","categoryId":1,"status":"available"')), 'violated'],
  ['no status', against(seen('"id":7,"name":"Rex","categoryId":1')), 'violated'],
  [
    'another status under a filter',
    against(seen('"id":7,"name":"Rex","categoryId":1,"status":"available"', false)),
    'kept',
  ],
  [
    'no status if none was sent',
    listedAsCreated(
      CREATED,
      { name: 'Rex', categoryId: '1' },
      [seen('"id":7,"name":"Rex","categoryId":1')],
      ALL,
    ),
    'kept',
  ],
  ['a name that is not a string', against(seen('"id":7,"name":null,"categoryId":1,"status":"sold"')), 'kept'],
  [
    'a category beyond int64',
    against(seen('"id":7,"name":"Rex","categoryId":18446744073709551615,"status":"sold"')),
    'kept',
  ],
  [
    'the sent name although the 201 response had another',
    listedAsCreated(createdOf('{"id":7,"name":"REX","categoryId":1,"status":"sold"}'), SENT, [same], ALL),
    'kept',
  ],
  [
    'the name of the 201 response although another was sent',
    listedAsCreated(
      createdOf('{"id":7,"name":"REX","categoryId":1,"status":"sold"}'),
      SENT,
      [seen('"id":7,"name":"REX","categoryId":1,"status":"sold"')],
      ALL,
    ),
    'kept',
  ],
  [
    'a failed creation',
    listedAsCreated(createdOf('{}', { status: 500 }), SENT, [same], ALL),
    'inconclusive: prerequisite',
  ],
];

for (const [what, judgement, expected] of CASES)
  test(`an animal listed with ${what}: ${expected}`, () => assert.equal(kindOf(judgement), expected));

test('a different name or category is reported before a different status', () => {
  const pet = same.pet;
  const status = seen('"id":7,"name":"Rex","categoryId":1,"status":"pending"');
  const name = seen('"id":7,"name":"Re","categoryId":1,"status":"sold"');
  assert.equal(differenceFrom(pet, [status, name])?.member, 'name');
  assert.equal(differenceFrom(pet, [status])?.member, 'status');
  assert.equal(differenceFrom(pet, [same]), null);
});

const NOT_FOUND = exchangeOf({ operation: 'getPet', status: 404 });

test('a second look separates a changed status from a wrong one', () => {
  const sold = seen('"id":7,"name":"Rex","categoryId":1,"status":"sold"').pet;
  const pending = seen('"id":7,"name":"Rex","categoryId":1,"status":"pending"').pet;
  const first = { fetched: sold, listed: pending };
  const look = { fetch: exchangeOf({ operation: 'getPet' }), listing: exchangeOf() };
  const kinds = [
    onSecondLook(first, { ...look, fetched: pending, listed: pending }),
    onSecondLook(first, { ...look, fetched: sold, listed: pending }),
    onSecondLook(first, { ...look, fetched: pending, listed: sold }),
    onSecondLook(first, { ...look, fetched: sold, listed: null, filter: 'pending' }),
    onSecondLook(first, { ...look, fetched: pending, listed: null, filter: 'pending' }),
    onSecondLook(first, { ...look, fetched: null, listed: sold }),
    onSecondLook(first, { ...look, fetch: NOT_FOUND, fetched: null, listed: null }),
  ].map(kindOf);
  const [unclear, changed] = ['inconclusive: prerequisite', 'inconclusive: too-little-data'];
  assert.deepEqual(kinds, ['kept', 'violated', changed, 'kept', unclear, unclear, changed]);
});

test('two different integers that are equal as doubles are detected', () => {
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (id) => {
      const isExact = BigInt(Number(id)) === id;
      assert.equal(onlyDigitsLost(id, BigInt(Number(id))), !isExact);
      assert.equal(onlyDigitsLost(id, id), false);
    }),
  );
  assert.equal(onlyDigitsLost(5n, 6n), false);
  assert.equal(onlyDigitsLost(8341836299305812017n, 8341836299305812000n), true);
  assert.equal(onlyDigitsLost(8341836299305812017n, 8341836299305812016n), false);
  assert.equal(onlyDigitsLost(2n ** 53n, 2n ** 53n + 1n), true);
});

test('an unlisted id is wrong if the animal is listed under another id', () => {
  const exchange = exchangeOf();
  const shown = (id: string) => [{ id, exchange }];
  assert.equal(returnedIdFault('7', [], null).kind, 'right');
  assert.equal(returnedIdFault('7', [...shown('8'), ...shown('7')], false).kind, 'right');
  assert.equal(returnedIdFault('7', shown('8'), true).kind, 'listing');
  assert.equal(returnedIdFault('7', shown('8'), null).kind, 'either');
  assert.equal(returnedIdFault('7', shown('8'), false).kind, 'answer');
  assert.equal(returnedIdFault('9007199254740992', shown('9007199254740993'), false).kind, 'digits');
  assert.equal(kindOf(returnedOtherId(CREATED, { kind: 'answer', shownAs: '8', exchange })), 'violated');
});

test('ids look rounded only if their common endings cannot be chance', () => {
  const random = fc.bigInt(2n ** 60n, 2n ** 62n);
  fc.assert(fc.property(fc.uniqueArray(random, { minLength: 8 }), (ids) => !lookRounded(ids.map(String))));
  fc.assert(
    fc.property(fc.uniqueArray(random, { minLength: 8 }), (ids) =>
      lookRounded(ids.map((id) => String(BigInt(Number(id))))),
    ),
  );
  assert.ok(lookRounded(['4611686018427388000', '4611686018427389000', '4611686018427390000']));
  assert.ok(!lookRounded(['1', '2', '3', '9007199254740994']));
});

const answer = (category: string) => {
  const page = pageOf(`[{"id":1,"name":"Rex","categoryId":${category}}]`);
  return { exchange: page.exchange, pets: petsOf(page) };
};

const keepDigits = (...categories: readonly string[]) =>
  categoriesKeepDigits(categories.map(answer), new Set()).kind;

test('categories that differ only beyond double precision stay different', () => {
  assert.equal(keepDigits('9007199254740993', '9007199254740992'), 'violated');
  assert.equal(keepDigits('9007199254740993', '9007199254740993.0'), 'kept');
  assert.equal(keepDigits('1', '2'), 'kept');
});
