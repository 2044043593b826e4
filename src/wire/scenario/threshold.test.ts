import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valueText } from './threshold.js';

test('a figure that would read as its bound shows on which side it lies', () => {
  for (const [text, unit, value, shown] of [
    ['p99 < 1s', 'ms', 999.6, '999.6 ms'],
    ['hold: p99 < 1s', 'ms', 1_049, '1,049 ms'],
    ['listPets p50 <= 250ms', 'ms', 250.04, '250.04 ms'],
    ['p99 < 1s', 'ms', 1_000, '1 s'],
    ['p99 < 1s', 'ms', 1_200, '1.2 s'],
    ['errors < 1%', 'share', 0.009_96, '0.996 %'],
    ['errors < 1%', 'share', 0.010_01, '1.001 %'],
    ['errors < 1%', 'share', 0.01, '1 %'],
    ['perSecond > 100', 'number', 99.96, '99.96'],
    ['p99 < 1s', 'ms', null, '–'],
  ] as const)
    assert.equal(valueText({ text, unit, value }), shown, text);
});
