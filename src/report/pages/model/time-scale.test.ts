import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { timeScale } from './time-scale.js';

const burst = (from: number): readonly number[] => Array.from({ length: 21 }, (_, at) => from + at * 50);

test('long waits are folded and labelled, and bursts get most of the width', () => {
  const { at, stretches } = timeScale([...burst(3_200), ...burst(62_000), ...burst(124_000)], 125_000);
  const folds = stretches.filter(({ idle }) => idle);
  assert.deepEqual(
    folds.map(({ from, to }) => Math.round((to - from) / 100) / 10),
    [3.1, 57.7, 60.9],
  );
  for (const from of [3_200, 62_000, 124_000]) assert.ok(at(from + 1_000) - at(from) > 0.15);
  assert.ok(at(125_000) > 0.999);
});

test('a pause that is short in relation to the total is not folded', () => {
  const { stretches } = timeScale([...burst(0), ...burst(1_400), 61_000], 61_000);
  assert.equal(stretches.filter(({ idle }) => idle).length, 1);
});

test('a wait that is the subject gets the given share of the width', () => {
  const [, fold] = timeScale([...burst(0), 61_000], 61_000, { folded: 0.4 }).stretches;
  assert.ok(fold?.idle && Math.abs(fold.end - fold.start - 0.4) < 1e-9);
});

test('a short part stays visible beside a long one, also without a wait between them', () => {
  const paced = Array.from({ length: 121 }, (_, second) => 61_000 + second * 1_000);
  const { at } = timeScale([...burst(0), ...paced, ...burst(181_100)], 182_100, {
    parts: [
      [0, 1_000],
      [61_000, 181_000],
      [181_100, 182_200],
    ],
  });
  assert.ok(at(1_000) > 0.09);
  assert.ok(at(182_100) - at(181_050) > 0.09);
  assert.ok(at(181_050) - at(61_000) > 0.5);
  // A part may end later than its last event, in a wait that is folded.
  const folded = timeScale([...burst(0), ...burst(61_000)], 62_000, { parts: [[0, 1_100]] });
  assert.ok(folded.at(1_000) > 0.1);
  // The wait after a part is no part of it.
  const bare = timeScale([...burst(0), 9_000, ...burst(20_000)], 21_000, { parts: [[-0.01, 1_000]] });
  assert.ok(bare.at(1_000) > 0.1);
});

test('the time scale is linear without long waits', () => {
  const { at, stretches } = timeScale(
    Array.from({ length: 61 }, (_, second) => second * 1_000),
    60_000,
  );
  assert.deepEqual(
    stretches.filter(({ idle }) => idle),
    [],
  );
  assert.ok(Math.abs(at(30_000) - 0.5) < 0.001);
});

test('positions increase with time and stay within the drawing', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 50 }),
      fc.double({ min: 1, max: 1e9, noNaN: true }),
      (shares, span) => {
        const events = shares.map((share) => share * span).sort((one, other) => one - other);
        const { at } = timeScale(events, span, {
          parts: events.slice(1, 4).map((at, index) => [events[index] ?? 0, at] as const),
        });
        const places = events.map(at);
        for (const [index, place] of places.entries())
          assert.ok(place >= 0 && place <= 1 && place >= (places[index - 1] ?? 0) - 1e-9);
      },
    ),
    { examples: [[[1, 0], 1.611192878799628]] },
  );
});
