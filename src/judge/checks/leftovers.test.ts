import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createdOf, exchangeOf, kindOf, list, pageOf, pet } from './exchange.test.support.js';
import {
  addsNone,
  isOfAnotherRun,
  isSignificant,
  leftNothing,
  leftSomething,
  newcomers,
  unreadable,
} from './leftovers.js';
import type { Page } from './listing.js';

const PREFIX = 'conformance-0a1b2c3d';
const NOTHING_ADDED = { prefix: PREFIX, creations: [] };
const named = (id: number, name: string): string =>
  `{"id":${id},"name":${JSON.stringify(name)},"categoryId":1}`;
const refusedCreation = (name: string) =>
  exchangeOf({ operation: 'createPet', status: 400, body: JSON.stringify({ name, categoryId: '1' }) });
const none = () => false;
const span = (before: Page, after: Page) => ({ before, after, between: [refusedCreation('x')] });
const holding = (ids: readonly number[]): Page => pageOf(list(...ids.map((id) => pet(id))));

test('an animal named in a rejected creation is a violation, on any page', () => {
  const refusals = [refusedCreation(`${PREFIX} aaaaaa`), refusedCreation(`${PREFIX} bbbbbb`)];
  const clean: Page = pageOf(list(named(1, 'Rex'), named(2, `${PREFIX} cccccc`)));
  const dirty: Page = pageOf(list(named(1, 'Rex'), named(2, `${PREFIX} bbbbbb`)));
  assert.equal(kindOf(addsNone([clean], refusals, NOTHING_ADDED)), 'kept');
  const judgement = addsNone([clean, dirty], refusals, NOTHING_ADDED);
  assert.equal(kindOf(judgement), 'violated');
  assert.deepEqual('exchanges' in judgement && judgement.exchanges, [refusals[1]?.id, dirty.exchange.id]);
});

test('a name that an accepted creation sent as well shows nothing of the rejected one', () => {
  const name = `${PREFIX} aaaaaa`;
  const page = pageOf(list(named(1, name)));
  // A 200 to a creation is wrong, and may add an animal all the same.
  for (const status of [200, 201]) {
    const { exchange } = createdOf(named(1, name), { status, body: JSON.stringify({ name, categoryId: 1 }) });
    const world = { prefix: PREFIX, creations: [refusedCreation(name), exchange] };
    assert.equal(kindOf(addsNone([page], [refusedCreation(name)], world)), 'kept', String(status));
  }
  assert.equal(kindOf(addsNone([page], [refusedCreation(name)], NOTHING_ADDED)), 'violated');
});

test('an unrelated animal with part of that name is not a violation', () => {
  const refusal = refusedCreation(`${PREFIX} aaaaaa`);
  assert.equal(
    kindOf(addsNone([pageOf(list(named(1, '1'), named(2, 'name')))], [refusal], NOTHING_ADDED)),
    'kept',
  );
});

test('an animal with another run’s name belongs to that run unless it existed before', () => {
  const before = pageOf(list(named(1, 'conformance-99999999 Nabc')));
  const isOthers = (name: Parameters<typeof isOfAnotherRun>[0]['name']): boolean =>
    isOfAnotherRun({ name }, { before }, PREFIX);
  assert.ok(isOthers('conformance-12345678 Nabcdef') && isOthers('conformance-12345678-load-free-7'));
  for (const name of [
    `${PREFIX} Nabcdef`,
    'conformance-99999999 Nabc',
    'conformance-1234567',
    'Rex',
    '',
    null,
  ])
    assert.ok(!isOthers(name), String(name));
});

test('hostile members do not break the comparison', () => {
  const page = pageOf(
    '[{"id":1,"name":{"toString":1},"__proto__":{"name":"x"}},{"constructor":1},[],null,1,"a"]',
  );
  assert.equal(kindOf(addsNone([page], [refusedCreation('a')], NOTHING_ADDED)), 'kept');
  assert.equal(
    kindOf(unreadable(span(page, page)) ?? leftNothing(span(page, page))),
    'inconclusive: prerequisite',
  );
});

test('exactly the new animals are found, in any order', () => {
  const ids = fc.uniqueArray(fc.nat(), { minLength: 1 });
  fc.assert(
    fc.property(ids, ids, (old, more) => {
      const fresh = more.filter((id) => !old.includes(id));
      const found = newcomers(span(holding(old), holding([...fresh, ...old.toReversed()])), none);
      assert.deepEqual(
        found.map(({ id }) => id),
        fresh.map(String),
      );
    }),
  );
});

test('an id listed once more than before is new unless it is explained', () => {
  const twice = span(holding([1, 2]), holding([1, 2, 2]));
  assert.equal(newcomers(twice, none).length, 1);
  assert.equal(newcomers(twice, ({ id }) => id === '2').length, 0);
  assert.equal(kindOf(leftSomething(twice, newcomers(twice, none))), 'violated');
});

test('in a shared store one new animal may belong to another client', () => {
  assert.deepEqual(
    [0, 1, 2].map((count) => [isSignificant(count, true), isSignificant(count, false)]),
    [
      [false, false],
      [true, false],
      [true, true],
    ],
  );
});

test('thousands of animals are separated', () => {
  const found = newcomers(span(holding([]), holding(Array.from({ length: 1200 }, (_, id) => id + 1))), none);
  const judgement = leftSomething(span(holding([]), holding([])), found);
  assert.match(judgement.kind === 'violated' ? judgement.message : '', /^1,200 animals were added/);
});
