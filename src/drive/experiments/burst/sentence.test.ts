import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Sample } from '../../../judge/limits/sample.js';
import { START } from '../../../testing/limiters/free-key.js';
import { sampleWith } from '../../../testing/limiters/sample-with.js';
import { burstSentence } from './sentence.js';

const FREE = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

const inTurn = (index: number): Partial<Sample> => ({
  sentAt: START + index * 10,
  answeredAt: START + index * 10 + 5,
});

/** Moves a response into a window that has just ended. */
const inTheLastWindow = (sample: Sample): Sample => ({ ...sample, reset: START / 1000 });

/** Returns sequential responses, each with its Remaining, then the one that ends them. */
const answers = (lefts: readonly number[], end: Partial<Sample> = { status: 429 }): readonly Sample[] => [
  ...lefts.map((remaining, index) => sampleWith({ ...inTurn(index), remaining })),
  sampleWith({ ...inTurn(lefts.length), remaining: 0, operation: 'createPet', ...end }),
];

const downFrom = (first: number): readonly number[] =>
  Array.from({ length: first + 1 }, (_, index) => first - index);

describe('the sentence about a burst', () => {
  const cases: readonly (readonly [
    name: string,
    sentence: string,
    samples: readonly Sample[],
    before?: number,
  ])[] = [
    [
      'states the whole limit',
      '60 of 60 requests allowed; request 61 (POST /pets) got 429.',
      answers(downFrom(59)),
    ],
    [
      'counts earlier requests',
      '60 of 60 requests allowed (3 earlier); the next one, POST /pets, got 429.',
      answers(downFrom(56)),
      3,
    ],
    [
      'counts the windows if one ends during the burst',
      '63 requests allowed across 2 windows of 60; request 64 (POST /pets) got 429.',
      answers([12, 11, 10, ...downFrom(59)]).map((one, index) => (index < 3 ? inTheLastWindow(one) : one)),
      47,
    ],
    [
      'says at once why a sound bucket allows more than its plan',
      '62 of 60 requests allowed (2 of them came back within 3.1 s); request 63 (POST /pets) got 429.',
      answers([...downFrom(59), 0, 0]).map((one, index) => ({
        ...one,
        sentAt: START + index * 50,
        answeredAt: START + index * 50 + 5,
      })),
    ],
    [
      'has no excuse for more than a refill',
      '62 of 60 requests allowed; request 63 (POST /pets) got 429.',
      answers([...downFrom(59), 0, 0]),
    ],
    [
      'states another status code than 429',
      '60 of 60 requests allowed; request 61 (POST /pets) got 503.',
      answers(downFrom(59), { status: 503 }),
    ],
    [
      'states a missing response',
      '60 of 60 requests allowed; request 61 (POST /pets) got no response.',
      answers(downFrom(59), { status: 0, remaining: null }),
    ],
    [
      'states that no request was refused',
      '60 of 60 requests allowed; none refused.',
      answers(downFrom(59)).slice(0, -1),
    ],
  ];
  for (const [name, sentence, samples, before] of cases) {
    it(name, () => assert.equal(burstSentence(samples, FREE, before), sentence));
  }
});
