import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gainShown, largestClump } from './clumps.js';
import type { Sample } from './sample.js';
import type { Figures } from './bounds.js';
import { START } from '../../testing/limiters/free-key.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';

const PRO: Figures = { perMinute: 300, perDay: 10_000, minuteSeconds: 60, daySeconds: 86_400 };
const RESET = START / 1000 + 60;

/** Returns requests 20 ms apart, each with its Remaining. */
const oneByOne = (lefts: readonly number[]): readonly Sample[] =>
  lefts.map((remaining, index) => {
    const sentAt = START + index * 20;
    return sampleWith({ sentAt, answeredAt: sentAt + 5, limit: 300, remaining, reset: RESET });
  });

/** Returns a Remaining that falls by one per request, and rises by `clump` at each of the places. */
function falling(count: number, places: readonly number[], clump: number, first = 299): readonly number[] {
  const lefts: number[] = [];
  for (let index = 0, left = first; index < count; index += 1, left -= 1) {
    if (places.includes(index)) left += clump;
    lefts.push(left);
  }
  return lefts;
}

describe('the refill between requests', () => {
  const cases: readonly (readonly [name: string, shown: number, lefts: readonly number[]])[] = [
    ['is 0 if Remaining falls by 1 per request', 0, falling(120, [], 0)],
    ['is the sum of even steps of 1', 6, falling(120, [10, 20, 30, 40, 50, 60], 1)],
    ['is the sum of two steps of 5', 10, falling(120, [30, 80], 5)],
    ['is one step of 50', 50, falling(120, [70], 50)],
    ['is 0 if only the first two responses have equal Remaining', 0, falling(120, [1], 1)],
    ['is 0 if Remaining stays at 0', 0, [...falling(4, [], 0, 3), 0, 0]],
  ];
  for (const [name, shown, lefts] of cases)
    it(name, () => assert.equal(gainShown(oneByOne(lefts), PRO), shown));

  it('comes in steps, which single requests show while Remaining is above 0', () => {
    assert.deepEqual(largestClump(oneByOne(falling(120, [30, 80], 5)), PRO), {
      size: 5,
      isSooner: true,
      sudden: 5,
    });
    assert.deepEqual(largestClump(oneByOne(falling(120, [1], 1)), PRO), {
      size: 0,
      isSooner: false,
      sudden: 0,
    });
    const atZero = falling(10, [5, 6, 7], 1, 4);
    assert.deepEqual(largestClump(oneByOne(atZero), PRO), { size: 0, isSooner: false, sudden: 0 });
  });

  it('has no step where a new window of less than the plan begins', () => {
    const burst = oneByOne(falling(100, [], 0, 99));
    const retryAt = START + 60_000;
    const later = sampleWith({
      sentAt: retryAt,
      answeredAt: retryAt + 5,
      limit: 300,
      remaining: 99,
      reset: RESET + 60,
    });
    assert.deepEqual(largestClump([...burst, later], PRO), { size: 0, isSooner: false, sudden: 0 });
    const sooner = { ...later, sentAt: retryAt - 45_000, answeredAt: retryAt - 44_995, remaining: 74 };
    assert.deepEqual(largestClump([...burst, sooner], PRO), { size: 75, isSooner: true, sudden: 0 });
  });
});
