import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import type { Asked, Part } from './asked.js';
import { readRun } from './key-run.js';
import { refusesPastLimit } from './rate-429.js';
import { NOTHING_RUN } from './series.js';

const AT = 1_800_000_000_000;
const LIMIT = 300;
const FIGURES = { perMinute: LIMIT, perDay: 10_000, minuteSeconds: 10, daySeconds: 86_400 };

function partOf(place: number): Part {
  if (place === 0) return 'lone';
  return place < 7 ? 'six' : 'burst';
}

/** Returns a burst of so many requests that are served, and one that is refused. */
function burst(question: Asked['question'], from: number, lefts: readonly number[]): Asked[] {
  return [...lefts, null].map((left, place) => ({
    ...sampleWith({
      sentAt: AT + from + place * 2,
      answeredAt: AT + from + place * 2 + 1,
      limit: LIMIT,
      remaining: left ?? 0,
      status: left === null ? 429 : 200,
    }),
    question,
    part: partOf(place),
  }));
}

const falling = (from: number): number[] => Array.from({ length: from + 1 }, (_, place) => from - place);

/** Judges two bursts by what is left after each request that is served. */
const judged = (first: readonly number[], second: readonly number[]) => {
  const asked = [...burst('whole', 0, first), ...burst('second', 30_000, second)];
  const key = { ...NOTHING_RUN, key: 'pro', figures: FIGURES, exclusive: true, aloneSince: 0 } as const;
  const shown = refusesPastLimit(readRun({ ...key, asked }, { lowMs: 0, highMs: 0 }));
  return shown.kind === 'judged' ? shown.judgement.kind : shown.kind;
};

const WHOLE = falling(LIMIT - 1);

test('a timer may fill a bucket up again after the first request of a burst', () => {
  const filledUp = [LIMIT - 1, ...WHOLE];
  assert.equal(judged(WHOLE, WHOLE), 'kept');
  assert.equal(judged(filledUp, WHOLE), 'kept');
  assert.equal(judged(filledUp, filledUp), 'kept');
});

test('a burst that gets more than the plan, with a Remaining that shows no return, gets too many', () => {
  const larger = falling(LIMIT);
  assert.equal(judged(larger, larger), 'violated');
  assert.equal(judged([...WHOLE, 0], [...WHOLE, 0]), 'violated');
});
