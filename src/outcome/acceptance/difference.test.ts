import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differenceOf } from './difference.js';
import { randomFrom } from '../../base/kernel/random.js';

const SECONDS = 120;
const BLOCK = 5;

/** Returns the blocks of a run of two minutes: p99 of seconds that depend on the second before. */
function runOf(seed: number, factor = 1): readonly number[] {
  const random = randomFrom(seed * 7919);
  let noise = 0;
  const logs = Array.from({ length: SECONDS }, () => {
    noise = 0.5 * noise + (random() + random() + random() - 1.5) * 0.2;
    return Math.log(20 * factor) + noise;
  });
  return Array.from({ length: SECONDS / BLOCK }, (_, at) => {
    const own = logs.slice(at * BLOCK, (at + 1) * BLOCK);
    return Math.exp(own.reduce((sum, value) => sum + value, 0) / BLOCK);
  });
}

const pairs = Array.from({ length: 200 }, (_, pair) => [2 * pair + 1, 2 * pair + 2] as const);

test('of 200 pairs of runs of one server, at most 5 in 100 are called different', (t) => {
  const alarms = pairs.filter(([one, other]) => {
    const found = differenceOf([runOf(one)], runOf(other));
    return !found || found.low > 0 || found.high < 0;
  });
  t.diagnostic(`${alarms.length} of 200 called different`);
  assert.ok(alarms.length <= 10, `${alarms.length} of 200`);
});

test('a server made 10 % slower is found in 90 of 100 runs of two minutes', (t) => {
  const found = pairs
    .slice(0, 100)
    .filter(([one, other]) => (differenceOf([runOf(one)], runOf(other, 1.1))?.low ?? 0) > 0);
  t.diagnostic(`${found.length} of 100 found`);
  assert.ok(found.length >= 90, `${found.length} of 100`);
});

test('a difference in the other direction is the same with another sign, and short runs say nothing', () => {
  const [one, other] = [runOf(1), runOf(2, 1.3)];
  const [there, back] = [differenceOf([one], other), differenceOf([other], one)];
  assert.ok(there && back);
  assert.ok(Math.abs((1 + there.low) * (1 + back.high) - 1) < 1e-9);
  assert.equal(differenceOf([one.slice(0, 7)], other), null);
  assert.equal(differenceOf([[]], []), null);
  assert.equal(differenceOf([], other), null);
});

/** Returns runs of a server that is some per cent faster or slower each night. */
const nights = (seed: number, count: number): readonly (readonly number[])[] => {
  const random = randomFrom(seed * 104_729);
  return Array.from({ length: count }, (_, night) =>
    runOf(seed * 50 + night, 1 + (random() + random() + random() - 1.5) * 0.2),
  );
};

const isDifferent = (before: readonly (readonly number[])[], after: readonly number[]): boolean => {
  const found = differenceOf(before, after);
  return !found || found.low > 0 || found.high < 0;
};

test('several earlier runs show how much nights differ, so that a lucky one is no yardstick', (t) => {
  const series = Array.from({ length: 200 }, (_, at) => nights(at + 1, 7));
  const alarmsBy = (earlier: number): number =>
    series.filter((runs) => isDifferent(runs.slice(0, earlier), runs[6] ?? [])).length;
  const [one, five] = [alarmsBy(1), alarmsBy(6)];
  t.diagnostic(
    `of 200 nights, ${one} were called different from the night before, ${five} from the six before`,
  );
  assert.ok(one > 60, `${one} of 200`);
  assert.ok(five <= 10, `${five} of 200`);
});
