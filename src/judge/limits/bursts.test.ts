import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import type { Asked } from './asked.js';
import { partsOf, stepIn } from './bursts.js';

const AT = 1_800_000_000_000;
const PLAN = {
  figures: { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 },
  limit: 60,
  windowMs: 60_000,
  perMs: 60 / 60_000,
};

/** Returns one request a millisecond, by Remaining and Reset in seconds. */
const burstOf = (...shown: readonly (readonly [remaining: number, reset: number])[]): readonly Asked[] =>
  shown.map(([remaining, reset], place) => ({
    ...sampleWith({ sentAt: AT + place, answeredAt: AT + place + 1, remaining, reset: AT / 1000 + reset }),
    question: 'whole',
    part: 'burst',
  }));

const sizesOf = (burst: readonly Asked[]): readonly number[] =>
  partsOf(burst, PLAN).map(({ length }) => length);

test('a window of the clock that begins after the first request splits a burst', () => {
  assert.deepEqual(sizesOf(burstOf([59, 1], [59, 61], [58, 61], [57, 61])), [1, 3]);
});

test('a counter that forgets little of its window before splits a burst', () => {
  assert.deepEqual(sizesOf(burstOf([59, 1], [45, 1], [45, 61], [44, 61])), [2, 2]);
});

test('a window that begins late splits a burst', () => {
  assert.deepEqual(sizesOf(burstOf([59, 1], [40, 1], [59, 61], [58, 61])), [2, 2]);
});

test('a first request that is not counted splits none', () => {
  assert.deepEqual(sizesOf(burstOf([59, 60], [59, 60], [58, 60], [57, 60])), [4]);
});

test('a Reset that grows with each request splits none', () => {
  assert.deepEqual(sizesOf(burstOf([59, 60], [59, 61], [58, 62], [57, 63])), [4]);
});

/** Returns a burst whose headers turn to the day, with as many left. */
const turned = (dayLeft: number): readonly Asked[] =>
  burstOf([59, 1], [22, 1], [dayLeft, 7000], [dayLeft - 1, 7000]).map((sample, place) =>
    place < 2 ? sample : { ...sample, limit: PLAN.figures.perDay },
  );

test('headers that turn to the day with more left than the minute had split a burst, with fewer none', () => {
  assert.deepEqual([sizesOf(turned(42)), sizesOf(turned(20))], [[2, 2], [4]]);
});

test('a step is seen where Remaining rises, at whatever operation', () => {
  assert.equal(stepIn(burstOf([9, 60], [0, 60], [20, 60], [19, 60]), PLAN), 29);
  const among = burstOf([45, 60], [44, 60], [49, 60], [48, 60], [43, 60]).map((sample, place) =>
    place === 2 || place === 3 ? { ...sample, operation: 'createPet' as const } : sample,
  );
  assert.equal(stepIn(among, PLAN), 14);
});
