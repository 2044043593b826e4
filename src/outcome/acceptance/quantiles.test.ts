import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalQuantile, studentTQuantile } from './quantiles.js';

/** Values of printed tables, both tails. */
const TABLE: readonly (readonly [alpha: number, freedom: number, value: number])[] = [
  [0.05, 1, 12.706],
  [0.05, 2, 4.303],
  [0.05, 3, 3.182],
  [0.05, 10, 2.228],
  [0.01, 5, 4.032],
  [0.001, 10, 4.587],
  [0.001, 2, 31.6],
  [0.05, 1000, 1.962],
];

for (const [alpha, freedom, value] of TABLE)
  test(`Student's t of ${freedom} degrees of freedom for ${alpha} is ${value}`, () => {
    assert.ok(
      Math.abs(studentTQuantile(alpha, freedom) / value - 1) < 0.002,
      `${studentTQuantile(alpha, freedom)}`,
    );
  });

test('the normal value is right to a thousandth', () => {
  assert.ok(Math.abs(normalQuantile(0.05) - 1.96) < 0.001);
  assert.ok(Math.abs(normalQuantile(0.2) - 1.2816) < 0.001);
});
