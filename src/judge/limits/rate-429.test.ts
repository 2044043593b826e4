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
function burst(question: Asked['question'], from: number, lefts: readonly number[], end = 429): Asked[] {
  return [...lefts, null].map((left, place) => ({
    ...sampleWith({
      sentAt: AT + from + place * 2,
      answeredAt: AT + from + place * 2 + 1,
      limit: LIMIT,
      remaining: left ?? 0,
      status: left === null ? end : 200,
    }),
    question,
    part: partOf(place),
  }));
}

const falling = (from: number): number[] => Array.from({ length: from + 1 }, (_, place) => from - place);

/** Judges two bursts by what is left after each request that is served. */
const judged = (first: readonly number[], second: readonly number[], end = 429) => {
  const asked = [...burst('whole', 0, first, end), ...burst('second', 30_000, second, end)];
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

const QUESTIONS = ['whole', 'second', 'third'] as const;

/** Judges bursts of a Free key, in which 60 requests leave nothing or one more comes back after the first. */
const judgedFree = (...ticks: readonly boolean[]) => {
  const asked = ticks.flatMap((isTick, at) =>
    burst(QUESTIONS[at] ?? 'whole', at * 120_000, isTick ? [59, ...falling(59)] : falling(59)).map(
      (one, place) => ({
        ...one,
        // So long after it the rest comes, that two ticks may come just then.
        ...(place === 0 && { sentAt: one.sentAt - 60, answeredAt: one.answeredAt - 60 }),
        limit: 60,
      }),
    ),
  );
  const figures = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };
  const key = { ...NOTHING_RUN, key: 'free', figures, exclusive: true, aloneSince: 0 } as const;
  const shown = refusesPastLimit(readRun({ ...key, asked }, { lowMs: 0, highMs: 0 }));
  return shown.kind === 'judged' ? shown.judgement.kind : shown.kind;
};

test('a bucket that holds one more shows it in each burst', () => {
  assert.equal(judgedFree(true, true, true), 'violated');
  assert.equal(judgedFree(true, false), 'once');
  assert.equal(judgedFree(true, true), 'once');
  assert.equal(judgedFree(true, true, false), 'kept');
  assert.equal(judgedFree(false, true, false), 'kept');
});

const endingWith503After = (served: number) => judged(WHOLE.slice(0, served), WHOLE.slice(0, served), 503);

test('another status than 429 is charged only where much of the allowance was used', () => {
  assert.equal(endingWith503After(5), 'open');
  assert.equal(endingWith503After(LIMIT), 'violated');
});

test('another status than 429 is charged where Remaining fell to 0, though a bucket holds less than the plan', () => {
  const quarter = falling(LIMIT / 4);
  assert.equal(judged(quarter, quarter, 503), 'violated');
  assert.equal(judged(quarter.slice(0, -1), quarter.slice(0, -1), 503), 'open');
});
