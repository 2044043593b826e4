import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Judgement } from '../findings/finding.js';
import { exchangeOf, kindOf, list, pageOf, pet } from './exchange.test.support.js';
import {
  asManyAsFull,
  filled,
  idsAreUnique,
  noMoreThan,
  onlyWithStatus,
  petsOf,
  shownElsewhere,
  shows,
  underOneFilter,
  type ShownElsewhere,
} from './listing.js';
import { orderOf } from './observing.js';

const some = (count: number): string => list(...Array.from({ length: count }, (_, at) => pet(at + 1)));
const HTML = pageOf('<html>', { type: 'text/html' });
const FAILED = pageOf('[]', { status: 500 });
const PREREQUISITE = 'inconclusive: prerequisite';

/** Makes the listings of two filters, with animals of these ids. */
const filters = (
  sold: readonly number[],
  pending: readonly number[],
): Parameters<typeof underOneFilter>[0] => [
  { ...pageOf(list(...sold.map((id) => pet(id, '"status":"sold"')))), status: 'sold' },
  { ...pageOf(list(...pending.map((id) => pet(id, '"status":"pending"')))), status: 'pending' },
  pageOf(some(30)),
];
const SOLD = pet(1, '"status":"sold"');

/** Looks animals up in one other response. */
const elsewhere = (operation: 'createPet' | 'getPet' | 'listPets', text: string): ShownElsewhere =>
  shownElsewhere([exchangeOf({ operation, text, status: operation === 'createPet' ? 201 : 200 })]);

const RENAMED = { ...pageOf('[{"id":1,"name":"a"},{"id":2,"name":"b"}]'), status: 'available' } as const;

const CASES: readonly (readonly [what: string, judgement: Judgement, expected: string])[] = [
  ['as many animals as the limit', noMoreThan(20, pageOf(some(20))), 'kept'],
  ['fewer than the limit', noMoreThan(20, pageOf('[]')), 'kept'],
  ['one more than the limit', noMoreThan(20, pageOf(some(21))), 'violated'],
  ['a limit on a page that is not JSON', noMoreThan(20, HTML), PREREQUISITE],
  ['a limit on a page with status code 500', noMoreThan(20, FAILED), PREREQUISITE],
  ['a limit on an envelope', noMoreThan(20, pageOf('{"pets":[]}')), PREREQUISITE],
  [
    'a limit on a page without response',
    noMoreThan(1, pageOf('', { none: 'timeout' })),
    'inconclusive: transport',
  ],
  [
    'a limit on a page refused with 429',
    noMoreThan(1, pageOf('', { status: 429 })),
    'inconclusive: rate-limited',
  ],
  ['a limit on a page that is too long', noMoreThan(100, pageOf(some(2_001))), 'violated'],
  ['ids on a page that is too long', idsAreUnique(pageOf(some(2_001))), PREREQUISITE],
  ['a limit on animals of the wrong shape', noMoreThan(1, pageOf('[{},{}]')), 'violated'],

  ['as many animals as the control page', asManyAsFull(20, pageOf(some(20)), pageOf(some(20))), 'kept'],
  ['more than the control page', asManyAsFull(20, pageOf(some(25)), pageOf(some(20))), 'violated'],
  ['fewer than the control page', asManyAsFull(20, pageOf(some(10)), pageOf(some(20))), 'violated'],
  [
    'fewer than a control page that is not full',
    asManyAsFull(20, pageOf(some(10)), pageOf(some(15))),
    PREREQUISITE,
  ],
  [
    'fewer than a control page above its limit',
    asManyAsFull(20, pageOf(some(20)), pageOf(some(25))),
    PREREQUISITE,
  ],
  [
    'as many as a control page that is not full',
    asManyAsFull(20, pageOf(some(15)), pageOf(some(15))),
    'kept',
  ],
  ['as many as an invalid control page', asManyAsFull(20, pageOf(some(20)), HTML), PREREQUISITE],
  ['an invalid page against the control page', asManyAsFull(20, HTML, pageOf(some(20))), PREREQUISITE],

  ['a full page', filled(20, 48, pageOf(some(20))), 'kept'],
  ['a page above its limit', filled(20, 48, pageOf(some(21))), 'kept'],
  ['a page with a gap', filled(20, 48, pageOf(some(19))), 'violated'],

  ['only the requested status', onlyWithStatus('sold', pageOf(list(pet(1, '"status":"sold"')))), 'kept'],
  ['an empty page for a status', onlyWithStatus('sold', pageOf('[]')), 'kept'],
  ['another status', onlyWithStatus('sold', pageOf(list(pet(1, '"status":"sold"'), pet(2)))), 'violated'],
  [
    'no animal with its status',
    onlyWithStatus('sold', pageOf(list(pet(1, '')))),
    'inconclusive: too-little-data',
  ],
  ['one animal without a status', onlyWithStatus('sold', pageOf(list(SOLD, pet(2, '')))), 'violated'],
  [
    'no animal with its status, which a fetch shows',
    onlyWithStatus('sold', pageOf(list(pet(1, ''))), elsewhere('getPet', SOLD)),
    PREREQUISITE,
  ],
  [
    'one animal without its status, which its creation shows',
    onlyWithStatus('sold', pageOf(list(pet(1, ''), pet(2, '"status":"sold"'))), elsewhere('createPet', SOLD)),
    PREREQUISITE,
  ],
  [
    'an animal without a status in a fetch, too',
    onlyWithStatus('sold', pageOf(list(pet(1, ''))), elsewhere('getPet', pet(1, ''))),
    'violated',
  ],
  [
    'an animal that has another status in a fetch',
    onlyWithStatus('sold', pageOf(list(pet(1, ''))), elsewhere('getPet', pet(1))),
    'violated',
  ],
  [
    'an animal without a status that only another listing shows',
    onlyWithStatus('sold', pageOf(list(pet(1, ''))), elsewhere('listPets', list(SOLD))),
    'inconclusive: too-little-data',
  ],
  ['a status in capitals', onlyWithStatus('sold', pageOf(list(pet(1, '"status":"SOLD"')))), PREREQUISITE],
  ['a status of null', onlyWithStatus('sold', pageOf(list(pet(1, '"status":null')))), PREREQUISITE],
  [
    'another status and one in capitals',
    onlyWithStatus('sold', pageOf(list(pet(1, '"status":"SOLD"'), pet(2)))),
    'violated',
  ],
  [
    'a status under __proto__',
    onlyWithStatus('sold', pageOf(list('{"id":1,"__proto__":{"status":"sold"}}', SOLD))),
    'violated',
  ],
  ['entries that are not animals', onlyWithStatus('sold', pageOf('[null,[],{}]')), PREREQUISITE],

  ['other animals under each filter', underOneFilter(filters([1, 2], [3, 4]), new Set(['3']), false), 'kept'],
  [
    'a shared animal that another client may have changed',
    underOneFilter(filters([1, 2], [2, 3]), new Set(['3']), false),
    'kept',
  ],
  [
    'an animal of the run under two filters',
    underOneFilter(filters([1, 2], [2, 3]), new Set(['2']), false),
    'violated',
  ],
  ['two animals under two filters', underOneFilter(filters([1, 2], [2, 1]), new Set(), false), 'violated'],
  [
    'two animals under two filters where others change statuses',
    underOneFilter(filters([1, 2], [2, 1]), new Set(), true),
    'kept',
  ],
  [
    'an animal of the run under two filters where others change statuses',
    underOneFilter(filters([1, 2], [2, 3]), new Set(['2']), true),
    'violated',
  ],
  [
    'an id that another listing reuses',
    underOneFilter([...filters([1], [2]), RENAMED], new Set(['1']), false),
    'kept',
  ],
  ['an invalid page under a filter', underOneFilter([{ ...HTML, status: 'sold' }], new Set(), false), 'kept'],

  ['each id once', idsAreUnique(pageOf(some(3))), 'kept'],
  ['an id twice', idsAreUnique(pageOf(list(pet(1), pet(2), pet(1)))), 'violated'],
  ['an id twice in two notations', idsAreUnique(pageOf(list(pet(10), pet('1e1')))), 'violated'],
  [
    'two consecutive ids above 2^53',
    idsAreUnique(pageOf(list(pet('9007199254740992'), pet('9007199254740993')))),
    'kept',
  ],
  ['animals without ids', idsAreUnique(pageOf('[{},{}]')), PREREQUISITE],

  ['a listed animal', shows('2', pageOf(some(3)), 'which was created'), 'kept'],
  ['an animal that is not listed', shows('4', pageOf(some(3)), 'which was created'), 'violated'],
  [
    'an animal listed under another id with its unique name',
    shows('4', pageOf(some(3)), 'which was created', 'Rex 2'),
    'kept',
  ],
  [
    'an animal in a listing with string ids',
    shows('4', pageOf('[{"id":"4"}]'), 'which was created'),
    PREREQUISITE,
  ],
  ['an animal on an invalid page', shows('4', HTML, 'which was created'), PREREQUISITE],
];

for (const [what, judgement, expected] of CASES)
  test(`${what}: ${expected}`, () => {
    assert.equal(kindOf(judgement), expected);
    if (judgement.kind === 'violated') assert.ok(judgement.expected && judgement.actual && judgement.message);
    if ('exchanges' in judgement) assert.ok(judgement.exchanges.length > 0);
  });

test('hostile members do not break the checks of a listing', () => {
  const page = pageOf(
    '[{"id":1,"name":{"toString":1},"__proto__":{"name":"x"}},{"constructor":1},[],null,1,"a"]',
  );
  assert.equal(petsOf(page).length, 6);
  assert.equal(kindOf(idsAreUnique(page)), PREREQUISITE);
  assert.equal(kindOf(noMoreThan(6, page)), 'kept');
});

const ordered = (ids: readonly number[]): string => orderOf(pageOf(list(...ids.map((id) => pet(id)))));

test('an ascending, a descending and no order by id differ', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(), { minLength: 3 }), (ids) => {
      const up = ids.toSorted((a, b) => a - b);
      assert.equal(ordered(up), 'by id, ascending');
      assert.equal(ordered(up.toReversed()), 'by id, descending');
      assert.equal(ordered([...up.slice(1), ...up.slice(0, 1)]), 'not by id');
    }),
  );
  assert.equal(ordered([1]), 'too few animals to see an order');
});

test('an animal whose id cannot be read is named in words', () => {
  const page = pageOf(
    list('{"id":"7","name":"Rex","categoryId":1,"status":"available"}', pet(2, '"status":"sold"')),
  );
  const judged = onlyWithStatus('sold', page);
  assert.equal(judged.kind === 'violated' && judged.actual, 'an animal with status "available"');
});
