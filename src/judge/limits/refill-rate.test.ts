import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { START } from '../../testing/limiters/free-key.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import { fasterThanPlan } from './refill-rate.js';
import type { Sample } from './sample.js';

const FIGURES = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };
const KEY = { figures: FIGURES, earlier: [], fresh: null, steady: null };

/** Returns one response, so many seconds after the start; Remaining is what it leaves. */
const at = (seconds: number, remaining: number): Sample =>
  sampleWith({ sentAt: START + seconds * 1000, answeredAt: START + seconds * 1000 + 5, remaining });

const refusedAt = (seconds: number): Sample => ({ ...at(seconds, 0), status: 429, retryAfter: '1' });

/** Returns a request for each of so many that are back, 10 ms apart, and a 429. */
const burstAt = (seconds: number, back: number): readonly Sample[] => [
  ...Array.from({ length: back }, (_, place) => at(seconds + place / 100, back - 1 - place)),
  refusedAt(seconds + back / 100),
];

/** Returns bursts that find `back` requests every so many seconds. */
const repeated = (times: number, seconds: number, back: number): readonly Sample[] =>
  Array.from({ length: times }, (_, place) => burstAt((place + 1) * seconds, back)).flat();

const USED_UP = burstAt(0, 60);

describe('what came back after a 429', () => {
  const cases: readonly (readonly [
    name: string,
    isTooMuch: boolean,
    later: readonly Sample[],
    first?: number,
  ])[] = [
    ['is the plan’s rate, of a bucket that refills evenly', false, repeated(36, 1, 1)],
    ['is too much at four thirds of the rate', true, repeated(36, 0.75, 1)],
    ['is the plan’s rate, in steps of a quarter', false, repeated(4, 15.1, 15)],
    ['is too much, in steps of a quarter every tenth of a window', true, repeated(6, 6, 15)],
    ['is a whole window', false, repeated(2, 60, 60)],
    ['is too much, in windows of a third', true, repeated(3, 20, 60)],
    ['is too much, as a window on top of single requests', true, [...repeated(30, 1, 1), ...burstAt(45, 60)]],
    ['may have been others’, unknown requests', false, repeated(36, 0.75, 1), 40],
  ];
  for (const [name, isTooMuch, later, first = 59] of cases)
    it(name, () => {
      const samples = [at(-0.01, first), ...USED_UP, ...later];
      const found = fasterThanPlan(samples[0], samples, KEY);
      assert.equal(found !== null, isTooMuch, JSON.stringify(found));
    });

  it('is what left a log, if its requests are a window old', () => {
    const spread = Array.from({ length: 60 }, (_, place) => at(place / 2, 59 - place));
    // The first half of the log leaves within 15 s.
    const samples = [...spread, refusedAt(30), ...repeated(30, 0.5, 1).map((one) => later(one, 60_000))];
    assert.equal(fasterThanPlan(samples[0], samples, KEY), null);
  });
});

const later = (sample: Sample, ms: number): Sample => ({
  ...sample,
  sentAt: sample.sentAt + ms,
  answeredAt: sample.answeredAt + ms,
});
