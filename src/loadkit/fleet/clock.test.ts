import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { offsetOf } from './redis.js';

test('the clock offset is exact to half of the shortest round trip', () => {
  const way = fc.double({ min: 0.01, max: 500, noNaN: true });
  fc.assert(
    fc.property(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.array(fc.tuple(way, way), { minLength: 1, maxLength: 9 }),
      (ahead, ways) => {
        const all = ways.map(([there, back], at) => ({
          sentAt: at * 1000,
          answeredAt: at * 1000 + there + back,
          theirs: at * 1000 + there + ahead,
        }));
        const { offsetMs, errorMs } = offsetOf(all);
        assert.ok(Math.abs(offsetMs - ahead) <= errorMs + 1e-6);
        assert.ok(errorMs <= Math.min(...ways.map(([there, back]) => (there + back) / 2)) + 1e-6);
      },
    ),
  );
});

test('the clock offset is unknown without a measurement', () => {
  assert.equal(offsetOf([]).errorMs, Infinity);
});
