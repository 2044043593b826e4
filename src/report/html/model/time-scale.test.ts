import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { timeScale } from './time-scale.js';

test('a long wait is folded and says how long it was; what happened gets the room', () => {
  const { at, stretches } = timeScale([0, 500, 4_000, 60_000, 61_000, 62_000], 62_000);
  const [fold] = stretches.filter(({ idle }) => idle);
  assert.ok(fold && fold.to - fold.from > 55_000 && fold.end - fold.start < 0.15);
  assert.ok(at(4_000) > 0.4 && at(60_000) < 0.75 && at(62_000) === 1);
});

test('without a wait time runs evenly', () => {
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

test('places rise with time and stay on the drawing', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 50 }),
      fc.double({ min: 1, max: 1e9, noNaN: true }),
      (shares, span) => {
        const events = shares.map((share) => share * span).sort((one, other) => one - other);
        const { at } = timeScale(events, span);
        const places = events.map(at);
        for (const [index, place] of places.entries())
          assert.ok(place >= 0 && place <= 1 && place >= (places[index - 1] ?? 0) - 1e-9);
      },
    ),
    { examples: [[[1, 0], 1.611192878799628]] },
  );
});
