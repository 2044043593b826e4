import assert from 'node:assert/strict';
import { test } from 'node:test';
import { START } from '../../../testing/limiters/free-key.js';
import { sampleWith } from '../../../testing/limiters/sample-with.js';
import { rateFaults } from './header-faults.js';

const FREE = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

const kindsOf = (underWayMs: number, reset: number): readonly string[] =>
  rateFaults(
    sampleWith({ sentAt: START, answeredAt: START + underWayMs, date: START, reset }),
    FREE,
    null,
  ).map(({ kind }) => kind);

test('Reset is compared with the whole time between request and response', () => {
  const now = START / 1000;
  assert.deepEqual(kindsOf(15_000, now + 75), []);
  assert.deepEqual(kindsOf(5, now + 75), ['too-far']);
  assert.deepEqual(kindsOf(15_000, now - 15), []);
  assert.deepEqual(kindsOf(5, now - 15), ['past']);
});
