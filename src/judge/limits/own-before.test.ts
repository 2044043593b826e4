import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeLimits } from './judge.js';
import type { Sample } from './sample.js';
import { broken } from '../../testing/simulated/simulate.js';
import { freeKey, START } from '../../testing/limiters/free-key.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';

const FIGURES = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

/** Returns responses 100 ms apart; Remaining falls to 0 and stays there. */
const asked = (count: number): readonly Sample[] =>
  Array.from({ length: count }, (_, at) => {
    const sentAt = START + at * 100;
    return sampleWith({
      sentAt,
      answeredAt: sentAt + 5,
      remaining: Math.max(0, 59 - at),
      reset: START / 1000 + 60,
      date: Math.floor(sentAt / 1000) * 1000,
    });
  });

/** Returns the findings on a key with `served` allowed requests, the first of them before the burst. */
const judged = (served: number) => {
  const samples = asked(served + 1).map((sample, at) =>
    at < served ? sample : { ...sample, status: 429, retryAfter: '54' },
  );
  const [before, ...burst] = samples;
  assert.ok(before);
  const key = {
    ...freeKey(FIGURES),
    earlier: [before],
    burst: { samples: burst, refusalOperation: 'listPets' as const, end: 'refused' as const, otherKey: null },
  };
  return broken(judgeLimits({ keys: [key], refusalBodies: [], operations: ['listPets'] }));
};

test('requests of the run before a burst count in its window', () => {
  assert.deepEqual(judged(60), []);
  assert.deepEqual(judged(61), ['rate-429']);
});
