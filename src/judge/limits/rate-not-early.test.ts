import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import type { Stall } from '../../wire/exchange/stalls.js';
import type { Asked } from './asked.js';
import { readRun } from './key-run.js';
import { notEarly } from './rate-not-early.js';
import { NOTHING_RUN } from './series.js';

const AT = 1_800_000_000_000;
const FIGURES = { perMinute: 60, perDay: 1000, minuteSeconds: 6, daySeconds: 86_400 };
/** 95 % of the plan. */
const EVERY_MS = 6000 / 57;

const OF_DAY = { limit: FIGURES.perDay, remaining: 400 };

/** Judges a steady run of 1.8 windows, of which some requests of the second window are refused. */
function judged(refused: number, stalls: readonly Stall[] = [], headers: Partial<Asked> = { remaining: 3 }) {
  const asked = Array.from({ length: 102 }, (_, place): Asked => ({
    ...sampleWith({
      sentAt: AT + place * EVERY_MS,
      answeredAt: AT + place * EVERY_MS + 2,
      ...headers,
      status: place % 10 === 5 && place > 60 && place < 60 + 10 * refused ? 429 : 200,
    }),
    question: 'steady',
    part: 'paced',
  }));
  const run = readRun(
    { ...NOTHING_RUN, key: 'free', figures: FIGURES, exclusive: true, aloneSince: 0, asked },
    null,
  );
  return notEarly({ ...run, stalls });
}

const kindOf = (shown: ReturnType<typeof judged>) =>
  shown?.kind === 'judged' ? shown.judgement.kind : shown?.kind;

test('two refusals of the steady run are a fault', () => {
  assert.equal(kindOf(judged(0)), 'kept');
  assert.equal(kindOf(judged(3)), 'violated');
});

test('a stall of this machine that is longer than the plan leaves free makes them doubtful', () => {
  const doubtful = judged(3, [{ from: AT + 7000, to: AT + 7500 }]);
  assert.ok(doubtful?.kind === 'open' && doubtful.code === 'machine-busy');
  assert.match(doubtful.text, /held up for (500 ms|0\.5 s)/);
  for (const stall of [
    { from: AT + 7000, to: AT + 7200 },
    { from: AT - 2000, to: AT - 1000 },
  ])
    assert.equal(kindOf(judged(3, [stall])), 'violated', 'a short one, and one before the run');
});

test('a refusal whose headers describe a day of which some is left is the minute’s', () => {
  assert.equal(kindOf(judged(0, [], OF_DAY)), 'kept');
  assert.equal(kindOf(judged(3, [], OF_DAY)), 'violated');
  assert.notEqual(kindOf(judged(3, [], { ...OF_DAY, remaining: 0 })), 'violated', 'the day refuses');
});

test('a single refusal that nothing excuses is told as a chance', () => {
  const single = judged(1);
  assert.ok(single?.kind === 'open');
  assert.match(single.text, /429 to 1 of \d+ requests of the steady run; one could be chance$/);
});
