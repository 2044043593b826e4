import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FINE_GRAIN_MS } from './bounds.js';
import { coarsestGrainMs, limiterGrain } from './limiter-grain.js';
import type { Sample } from './sample.js';
import type { Figures } from './series.js';
import { START } from './simulated/free-key.js';
import { sampleWith } from './simulated/sample-with.js';

const PRO: Figures = { perMinute: 300, perDay: 10_000, minuteSeconds: 60, daySeconds: 86_400 };
const RESET = START / 1000 + 60;

/** Requests 20 ms apart, each with what it says is left. */
const oneByOne = (lefts: readonly number[]): readonly Sample[] =>
  lefts.map((remaining, index) => {
    const sentAt = START + index * 20;
    return sampleWith({ sentAt, answeredAt: sentAt + 5, limit: 300, remaining, reset: RESET });
  });

/** Down by one a request, but up by `clump` at each of the places. */
function falling(count: number, places: readonly number[], clump: number, first = 299): readonly number[] {
  const lefts: number[] = [];
  for (let index = 0, left = first; index < count; index += 1, left -= 1) {
    if (places.includes(index)) left += clump;
    lefts.push(left);
  }
  return lefts;
}

describe('the grain of a limiter’s clock', () => {
  const coarsest = coarsestGrainMs(PRO);
  const cases: readonly (readonly [name: string, ms: number, isSeen: boolean, lefts: readonly number[]])[] = [
    ['fine where nothing comes back', FINE_GRAIN_MS, true, falling(120, [], 0)],
    ['fine where one comes back every 200 ms', FINE_GRAIN_MS, true, falling(120, [10, 20, 30, 40, 50, 60], 1)],
    ['whole seconds where five come back at once', coarsest, true, falling(120, [30, 80], 5)],
    ['fine where as many leak, but sooner than a second after', FINE_GRAIN_MS, true, falling(120, [30, 31, 32], 2)],
    ['fine where more leak than a second brings', FINE_GRAIN_MS, true, falling(120, [30], 15)],
    ['fine where only the first two say the same', FINE_GRAIN_MS, true, falling(120, [1], 1)],
    ['in doubt where they do, and things come back', coarsest, false, falling(120, [1, 55, 110], 1)],
  ];
  for (const [name, ms, isSeen, lefts] of cases) {
    it(name, () => assert.deepEqual(limiterGrain(oneByOne(lefts), PRO), { ms, isSeen }));
  }

  it('fine in windows of a few seconds, whatever comes back', () => {
    const short = { ...PRO, minuteSeconds: 3 };
    assert.equal(limiterGrain(oneByOne(falling(120, [30, 80], 5)), short).ms, FINE_GRAIN_MS);
  });

  it('fine where requests side by side say in which order they like what is left', () => {
    const samples = oneByOne(falling(120, [30, 80], 5)).map((sample) => ({
      ...sample,
      answeredAt: sample.sentAt + 50,
    }));
    assert.equal(limiterGrain(samples, PRO).ms, FINE_GRAIN_MS);
  });
});
