import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import type { Asked } from './asked.js';
import { countersIn } from './bursts.js';

const FIGURES = { perMinute: 60, perDay: 1_000, minuteSeconds: 60, daySeconds: 86_400 };

const burst = (lefts: readonly number[]): readonly Asked[] =>
  lefts.map((remaining) => ({ ...sampleWith({ remaining }), question: 'whole', part: 'burst' }));

const falling = Array.from({ length: 60 }, (_, sent) => 59 - sent);

for (const [what, lefts, counters] of [
  ['one counter', falling, 1],
  ['two counters in turn', falling.flatMap((left) => [left, left]), 2],
  ['three, of which two are not used up', [...falling, ...falling.slice(0, 55), ...falling.slice(0, 52)], 3],
  ['a limit that is twice too high', [...falling, ...falling.map(() => 0)], 1],
  ['a server without a limiter beside one', falling.flatMap((left) => [left, 59]), 1],
  ['a constant', falling.map(() => 59), 1],
] as const)
  test(`Remaining shows how many counters there are: ${what}`, () => {
    assert.equal(countersIn(burst(lefts), { figures: FIGURES }), counters);
  });
