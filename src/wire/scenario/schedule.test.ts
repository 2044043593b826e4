import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { spendingOf } from '../../loadkit/allowance.js';
import type { OpenPhase, OperationShare, Phase } from './scenario.js';
import { arrivalsOf, placed, turnsOf } from './schedule.js';

const open = (seconds: number, from: number, to = from): OpenPhase => ({
  kind: 'open',
  name: 'p',
  seconds,
  from,
  to,
});
const closed = (seconds: number, name = 'c'): Phase => ({ kind: 'closed', name, seconds, connections: 4 });
const share = (operation: OperationShare['operation'], weight: number): OperationShare => ({
  operation,
  weight,
  limits: [],
  statuses: [],
});

/** Returns every arrival of some phases, in ms from the start. */
const everyArrival = (phases: readonly Phase[]): readonly number[] =>
  placed(phases).flatMap(({ phase, startMs, count }) =>
    phase.kind === 'open'
      ? Array.from({ length: count ?? 0 }, (_, at) => startMs + arrivalsOf(phase).at(at))
      : [],
  );

test('a rate per minute gives the exact count per minute', () => {
  assert.equal(arrivalsOf(open(60, 1000 / 60)).count, 1000);
  assert.equal(arrivalsOf(open(120, 1000 / 60)).count, 2000);
  assert.equal(arrivalsOf(open(60, 57 / 60)).count, 57);
  assert.equal(arrivalsOf(open(30, 1, 10)).count, 165);
});

test('a constant rate has equal intervals, across phases as well', () => {
  const at = everyArrival([open(3, 20), open(2, 20)]);
  for (let place = 1; place < at.length; place += 1)
    assert.ok(Math.abs((at[place] ?? 0) - (at[place - 1] ?? 0) - 50) < 1e-6);
});

const rate = fc.double({ min: 0.05, max: 200, noNaN: true });
const anyOpen = fc
  .record({ seconds: fc.double({ min: 0.5, max: 90, noNaN: true }), from: rate, to: rate })
  .map(({ seconds, from, to }) => open(seconds, from, to));

test('arrivals increase, stay within their phase, and match the rate in number', () => {
  fc.assert(
    fc.property(anyOpen, (phase) => {
      const { count, at } = arrivalsOf(phase);
      const mean = ((phase.from + phase.to) / 2) * phase.seconds;
      assert.ok(Math.abs(count - mean) <= 0.5 + 1e-6);
      for (let place = 0; place < count; place += 1) {
        assert.ok(at(place) >= 0 && at(place) <= phase.seconds * 1000);
        if (place > 0) assert.ok(at(place) >= at(place - 1));
      }
    }),
    { numRuns: 60 },
  );
});

test('operations are distributed by weight and evenly mixed in any range', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 3, maxLength: 3 }),
      fc.nat(500),
      (weights, from) => {
        fc.pre(weights.some((weight) => weight > 0));
        const names = ['listPets', 'getPet', 'createPet'] as const;
        const turns = turnsOf(names.map((name, at) => share(name, weights[at] ?? 0)));
        const all = weights.reduce((sum, weight) => sum + weight, 0);
        names.forEach((name, at) => {
          const length = 40;
          const seen = Array.from({ length }, (_, place) => turns.at(from + place)).filter(
            (turn) => turn.operation === name,
          );
          // At most two turns away from its share.
          assert.ok(Math.abs(seen.length - (length * (weights[at] ?? 0)) / all) <= 2);
        });
      },
    ),
  );
});

test('query values alternate in all combinations', () => {
  const turns = turnsOf([
    { operation: 'listPets', weight: 1, limits: [5, 20], statuses: ['available', 'sold'] },
  ]);
  const seen = [0, 1, 2, 3].map((place) => `${turns.at(place).limit} ${turns.at(place).status}`);
  assert.deepEqual(seen.toSorted(), ['20 available', '20 sold', '5 available', '5 sold']);
});

const business = {
  plan: 'business',
  figures: { perMinute: 1000, perDay: 100_000 },
  windows: { minute: 60, day: 86_400 },
  keys: 1,
  earlier: 0,
  overLimit: false,
};

test('a schedule at the limit is allowed, and one above is not', () => {
  assert.equal(spendingOf([open(600, 1000 / 60)], business).exceeds, null);
  assert.match(spendingOf([open(600, 1001 / 60)], business).exceeds ?? '', /1001 requests within 60 s/);
  assert.equal(spendingOf([open(600, 1001 / 60)], { ...business, keys: 2 }).exceeds, null);
  assert.match(spendingOf([open(60, 10), open(10, 100)], business).exceeds ?? '', /within 60 s/);
  assert.match(
    spendingOf([open(60, 1)], { ...business, figures: { perMinute: 60, perDay: 50 } }).exceeds ?? '',
    /a day/,
  );
  assert.equal(spendingOf([open(600, 99)], { ...business, overLimit: true }).exceeds, null);
});

test('earlier requests count in the first window', () => {
  assert.match(
    spendingOf([open(60, 1000 / 60)], { ...business, earlier: 2 }).exceeds ?? '',
    /sends 1000 requests .*, and up to 2 go before it, but its plan allows 1000\./,
  );
});

test('a closed loop gets the rest of the plan, and is rejected without any rest', () => {
  assert.deepEqual([...spendingOf([open(60, 10), closed(5)], business).closed.values()], [400]);
  assert.deepEqual([...spendingOf([closed(5, 'a'), closed(5, 'b')], business).closed.values()], [500, 500]);
  assert.match(spendingOf([open(60, 1000 / 60), closed(5)], business).exceeds ?? '', /leaves no request/);
});

test('the calculated maximum per window equals a count of all arrivals', () => {
  fc.assert(
    fc.property(
      fc.array(anyOpen, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 60 }),
      (phases, minute) => {
        const { mostInWindow } = spendingOf(phases, {
          ...business,
          figures: { perMinute: 1e9, perDay: 1e9 },
          windows: { minute, day: 86_400 },
        });
        const at = everyArrival(phases);
        let [most, from] = [0, 0];
        for (let to = 0; to < at.length; to += 1) {
          while ((at[to] ?? 0) - (at[from] ?? 0) >= minute * 1000) from += 1;
          most = Math.max(most, to - from + 1);
        }
        assert.ok(
          Math.abs(most - mostInWindow) <= 1 + phases.length,
          `${most} counted, ${mostInWindow} reckoned`,
        );
      },
    ),
    { numRuns: 60 },
  );
});
