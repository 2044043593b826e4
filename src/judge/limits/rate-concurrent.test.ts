import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import { NOTHING_RUN } from './series.js';
import type { Asked, Part } from './asked.js';
import { readRun } from './key-run.js';
import { judgeParallel } from './rate-concurrent.js';

const AT = 1_800_000_000_000;
/** A bucket of 60 in 1.5 s returns one request in 25 ms. */
const FIGURES = { perMinute: 60, perDay: 1000, minuteSeconds: 1.5, daySeconds: 86_400 };

/** Returns requests of a bucket at its edge: one by one, a pause, then five at once. */
function edgeAt(from: number, pauseMs: number, served: number, question: Asked['question']): Asked[] {
  const asked = (at: number, part: Part, remaining: number, status = 200): Asked => ({
    ...sampleWith({ sentAt: AT + from + at, answeredAt: AT + from + at + 1, remaining, status }),
    question,
    part,
    ...(part === 'together' && { left: 1 }),
  });
  // Two show the same: something came back.
  const lone = [5, 4, 4, 3, 2, 1].map((left, place) => asked(place, 'burst', left));
  const together = [0, 1, 2, 3, 4].map((place) =>
    asked(6 + pauseMs, 'together', Math.max(0, served - place - 1), place < served ? 200 : 429),
  );
  return [...lone, ...together];
}

const judged = (pauseMs: number, served: number, figures = FIGURES) => {
  const asked = [...edgeAt(0, pauseMs, served, 'second'), ...edgeAt(5000, pauseMs, served, 'third')];
  const run = readRun({ ...NOTHING_RUN, key: 'free', figures, exclusive: true, aloneSince: 0, asked }, null);
  return judgeParallel(run);
};

test('what came back in a pause before parallel requests is no excess', () => {
  const shown = judged(52, 3);
  assert.ok(shown?.kind === 'judged' && shown.judgement.kind === 'kept', JSON.stringify(shown));
});

test('three at once with one left, right after it, are too many', () => {
  const shown = judged(0, 3, { ...FIGURES, minuteSeconds: 15 });
  assert.ok(shown?.kind === 'judged' && shown.judgement.kind === 'violated', JSON.stringify(shown));
});

test('a part of a request that comes back with three at once completes one', () => {
  const shown = judged(0, 3);
  assert.ok(shown?.kind === 'judged' && shown.judgement.kind === 'kept', JSON.stringify(shown));
});

/** Judges edges at which a window of a minute begins with the parallel requests, so long before its Reset. */
const beganBeforeReset = (earlyMs: number) => {
  const figures = { ...FIGURES, minuteSeconds: 60 };
  const edge = (from: number, question: Asked['question']): Asked[] => {
    const end = AT + from + 6;
    return edgeAt(from, 0, 5, question).map((sample, place) => {
      const isNext = sample.part === 'together';
      const resetMs = end + earlyMs + (isNext ? 60_000 : 0);
      return {
        ...sample,
        date: Math.floor(sample.sentAt / 1000) * 1000,
        reset: resetMs / 1000,
        ...(isNext && { remaining: 65 - place }),
      };
    });
  };
  const asked = [...edge(994, 'second'), ...edge(120_994, 'third')];
  const clock = { lowMs: 0, highMs: 0 };
  const run = readRun({ ...NOTHING_RUN, key: 'free', figures, exclusive: true, aloneSince: 0, asked }, clock);
  return judgeParallel(run);
};

test('a window may begin two seconds before a Reset that adds two rounded times', () => {
  const shown = beganBeforeReset(2000);
  assert.ok(shown?.kind !== 'judged' || shown.judgement.kind !== 'violated', JSON.stringify(shown));
  const early = beganBeforeReset(3000);
  assert.ok(early?.kind === 'judged' && early.judgement.kind === 'violated', JSON.stringify(early));
});

/** Reads bursts in which each response comes after so long; after the last the window was over. */
const outlasted = (everyMs: number, stalls: readonly (readonly [number, number])[] = []) => {
  const asked = (from: number, question: Asked['question']): Asked[] =>
    Array.from({ length: 20 }, (_, place) => ({
      ...sampleWith({
        sentAt: AT + from + place * everyMs,
        answeredAt: AT + from + (place + 1) * everyMs,
        remaining: 59 - (place % 15),
        status: 200,
      }),
      question,
      part: 'burst',
    }));
  const run = readRun(
    {
      ...NOTHING_RUN,
      key: 'free',
      figures: FIGURES,
      exclusive: true,
      aloneSince: 0,
      asked: [...asked(0, 'second'), ...asked(10_000, 'third')],
    },
    null,
  );
  return judgeParallel({ ...run, stalls: stalls.map(([from, to]) => ({ from: AT + from, to: AT + to })) });
};

const reasonOf = (shown: ReturnType<typeof judgeParallel>) => (shown?.kind === 'open' ? shown : null);

test('a burst that outlasted its window says so, and whose time it was', () => {
  assert.equal(reasonOf(outlasted(90))?.code, 'slow-responses');
  assert.match(reasonOf(outlasted(90))?.text ?? '', /a burst outlasted its window/);
  assert.equal(reasonOf(outlasted(90, [[100, 1400]]))?.code, 'machine-busy');
  assert.equal(reasonOf(outlasted(20))?.code, 'too-little-data');
});
