import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseScenario, type Phase } from './scenario.js';
import { planCapacity } from '../../loadkit/plan.js';
import { placed, turnsOf } from './schedule.js';
import { arrivalsOfSlice, keysOfSlice, placesOf, type Slice } from './slice.js';
import { secret } from '../targets/secret.js';
import { planNames } from '../../base/interface/names.js';

const anyPhase: fc.Arbitrary<Phase> = fc.oneof(
  fc.record({
    kind: fc.constant('open' as const),
    name: fc.string(),
    seconds: fc.integer({ min: 1, max: 20 }),
    from: fc.integer({ min: 0, max: 40 }),
    to: fc.integer({ min: 1, max: 40 }),
  }),
  fc.record({
    kind: fc.constant('closed' as const),
    name: fc.string(),
    seconds: fc.integer({ min: 1, max: 20 }),
    connections: fc.integer({ min: 1, max: 20 }),
  }),
);

const anyCount = fc.integer({ min: 1, max: 12 });

const turns = turnsOf([
  { operation: 'listPets', weight: 5, limits: [1, 20, 100], statuses: ['sold', 'pending'] },
  { operation: 'getPet', weight: 2, limits: [], statuses: [] },
  { operation: 'createPet', weight: 1, limits: [], statuses: [] },
]);

const nonEmpty = <T>([first, ...others]: readonly T[]): readonly [T, ...T[]] => {
  assert.ok(first !== undefined);
  return [first, ...others];
};

/** Returns the requests of a slice in open loop: time, turn and key. */
const sentBy = (slice: Slice, phases: readonly Phase[], keys: readonly string[]) =>
  placed(phases).flatMap((phase) => {
    const { count, at } = arrivalsOfSlice(slice, nonEmpty(keysOfSlice(slice, keys)), phase);
    return Array.from({ length: count }, (_, place) => {
      const { atMs, nth, key } = at(place);
      return { nth, atMs, turn: turns.at(nth), key };
    });
  });

const slices = (count: number): readonly Slice[] =>
  Array.from({ length: count }, (_, index) => ({ index, count }));

test('all slices together are the schedule: each arrival once, with time and request', () => {
  fc.assert(
    fc.property(fc.array(anyPhase, { minLength: 1, maxLength: 4 }), anyCount, (phases, count) => {
      const whole = sentBy({ index: 0, count: 1 }, phases, ['a']);
      const parts = slices(count).flatMap((slice) => sentBy(slice, phases, ['a']));
      assert.deepEqual(
        parts.toSorted((one, other) => one.nth - other.nth),
        whole,
      );
    }),
  );
});

test('if slices divide the keys evenly, each arrival keeps its key', () => {
  fc.assert(
    fc.property(
      fc.array(anyPhase, { minLength: 1, maxLength: 1 }),
      fc.constantFrom(1, 2, 4),
      fc.constantFrom(1, 2, 3),
      (phases, count, times) => {
        const keys = Array.from({ length: count * times }, (_, at) => `key ${at}`);
        const parts = slices(count).flatMap((slice) => sentBy(slice, phases, keys));
        assert.deepEqual(
          parts.toSorted((one, other) => one.nth - other.nth),
          sentBy({ index: 0, count: 1 }, phases, keys),
        );
      },
    ),
  );
});

test('each key belongs to exactly one slice if there are enough keys', () => {
  for (let keys = 1; keys <= planNames.length; keys += 1)
    for (let count = 1; count <= keys; count += 1) {
      const all = planNames.slice(0, keys);
      const shared = slices(count).flatMap((slice) => keysOfSlice(slice, all));
      assert.deepEqual(shared.toSorted(), all.toSorted(), `${keys} keys, ${count} slices`);
    }
});

test('slices share places evenly', () => {
  fc.assert(
    fc.property(anyCount, fc.integer({ min: 0, max: 1000 }), (count, places) => {
      const each = slices(count).map((slice) => placesOf(slice, places));
      assert.equal(
        each.reduce((sum, some) => sum + some, 0),
        places,
      );
      assert.ok(Math.max(...each) - Math.min(...each) <= 1);
    }),
  );
});

const secretText = secret('pk-some-key');
const target = {
  name: 't',
  keys: { free: secretText, pro: secretText, business: secretText },
  suiteKey: 'free' as const,
  plans: {
    free: { perMinute: 600, perDay: 10_000 },
    pro: { perMinute: 600, perDay: 10_000 },
    business: { perMinute: 600, perDay: 10_000 },
  },
  windows: { minute: 60, day: 86_400 },
};

const planned = (rate: string, slice: Slice, more = '') =>
  planCapacity({
    scenario: parseScenario(
      `name: a\nphases: [{ name: p, duration: 60s, rate: ${rate} }]\noperations: [{ operation: listPets }]\nkeys: [free, pro, business]\n${more}`,
      's.yaml',
    ),
    target,
    writes: true,
    fetches: true,
    slice,
  });

test('a slice counts the requests it sends per key, even with an uneven split', () => {
  // The first of two slices has two keys; the second sends half of the schedule with one.
  assert.equal(planned('1200/min', { index: 0, count: 1 }).spending.get('pro')?.total, 400);
  assert.deepEqual(
    [...planned('1190/min', { index: 0, count: 2 }).spending].map(([key, { total }]) => [key, total]),
    [
      ['free', 298],
      ['business', 298],
    ],
  );
  assert.equal(planned('1190/min', { index: 1, count: 2 }).spending.get('pro')?.total, 595);
  assert.throws(
    () => planned('1400/min', { index: 1, count: 2 }),
    /700 requests within 60 s with the pro key|70\d requests/,
  );
});

test('more slices than keys are rejected unless overLimit is "allow"', () => {
  assert.throws(() => planned('60/min', { index: 0, count: 4 }), /4 parts would share 3 keys/);
  assert.deepEqual(planned('60/min', { index: 3, count: 4 }, 'overLimit: allow').keys, ['free']);
});

test('a slice without arrivals in a short phase sends nothing', () => {
  assert.deepEqual(planned('2/min', { index: 2, count: 3 }).keys, ['business']);
});
