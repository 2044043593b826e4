import assert from 'node:assert/strict';
import { test } from 'node:test';
import { perSecondOf, rateText } from './units.js';

test('a rate is shown in a unit in which its figures are not lost', () => {
  for (const text of ['100/s', '90/min', '50/min', '1/min', '1/h', '2.5/h', '0/s'])
    assert.equal(rateText(perSecondOf(text) ?? Number.NaN), text);
});
