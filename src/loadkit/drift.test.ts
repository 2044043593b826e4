import assert from 'node:assert/strict';
import { test } from 'node:test';
import { driftsOf, trendOf } from './drift.js';
import { randomFrom } from '../base/kernel/random.js';

/** Returns the p99 of each second: noise that depends on the second before, some slow seconds, and a trend. */
function secondsOf(seed: number, length: number, changeAnHour: number) {
  const random = randomFrom(seed);
  let noise = 0;
  return Array.from({ length }, (_, place) => {
    noise = 0.6 * noise + (random() + random() + random() - 1.5) * 0.2;
    const slow = random() < 0.01 ? 5 : 1;
    return {
      at: (place + 1) * 1000,
      value: 20 * Math.exp(noise) * slow * (1 + changeAnHour) ** (place / 3600),
    };
  });
}

const runs = Array.from({ length: 200 }, (_, seed) => seed + 1);

test('a steady run has no trend: at most 2 of 200 runs of half an hour', () => {
  const alarms = runs.filter((seed) => trendOf(secondsOf(seed, 1800, 0)) !== null);
  assert.ok(alarms.length <= 2, `${alarms.length} of 200`);
});

test('a rise of 20 % an hour is found in 190 of 200 runs of two hours, and its interval holds it', () => {
  const found = runs.flatMap((seed) => trendOf(secondsOf(seed, 7200, 0.2)) ?? []);
  assert.ok(found.length >= 190, `${found.length} of 200`);
  const truth = 1.2 ** (7170 / 3600) - 1;
  const right = found.filter(({ low, high }) => low <= truth && truth <= high);
  assert.ok(right.length >= found.length - 4, `${right.length} of ${found.length}`);
});

test('a fall is found as well, and a short run says nothing', () => {
  const trend = trendOf(secondsOf(7, 7200, -0.3));
  assert.ok(trend && trend.high < 0);
  assert.equal(trendOf(secondsOf(7, 240, 3)), null);
  assert.equal(trendOf([]), null);
});

test('a ramp has no drift, a constant rate has', () => {
  const seconds = secondsOf(3, 7200, 0.3).map(({ at, value }) => ({
    phase: 'hold',
    at,
    ms: 1000,
    p50: 0,
    p99: value,
  }));
  const of = (to: number) =>
    driftsOf(
      [{ kind: 'open', name: 'hold', seconds: 7200, from: 10, to }],
      seconds as unknown as Parameters<typeof driftsOf>[1],
    );
  assert.deepEqual(
    of(10).map(({ phase, metric }) => [phase, metric]),
    [['hold', 'p99']],
  );
  assert.deepEqual(of(20), []);
});
