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

/** Returns earlier requests of the run with these status codes; 0 of no operation. */
const before = (...statuses: readonly number[]): readonly Sample[] =>
  statuses.map((status, index) => {
    const sentAt = START - 1000 + index * 10;
    return sampleWith({ sentAt, answeredAt: sentAt + 5, status, remaining: null });
  });

describe('the sentence about a burst', () => {
  const cases: readonly (readonly [
    name: string,
    sentence: string,
    samples: readonly Sample[],
    earlier?: readonly Sample[],
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
      before(200, 200, 404),
    ],
    [
      'counts earlier requests of no operation, if Remaining shows that they counted',
      '60 of 60 requests allowed (5 earlier); the next one, POST /pets, got 429.',
      answers(downFrom(54)),
      before(200, 0, 0, 0, 400),
    ],
    [
      'counts no earlier request that was refused',
      '0 of 60 requests allowed; request 1 (POST /pets) got 429.',
      answers([]),
      before(429, 429),
    ],
    [
      'counts no earlier request that Remaining does not show',
      '60 of 60 requests allowed (1 earlier); the next one, POST /pets, got 429.',
      answers(downFrom(58)),
      before(200, 400, 0, 404),
    ],
    [
      'counts no more earlier requests than the run sent',
      '58 of 60 requests allowed (1 earlier); the next one, POST /pets, got 429.',
      answers(downFrom(56)),
      before(200),
    ],
    [
      'leaves open without Remaining whether requests of no operation counted',
      '58 of 60 requests allowed (1 earlier, 2 more may have counted); the next one, POST /pets, got 429.',
      answers(downFrom(56)).map((one) => ({ ...one, limit: null, remaining: null })),
      before(200, 0, 0),
    ],
    [
      'says what came back of earlier requests',
      '62 of 60 requests allowed (3 earlier, 2 of them came back within 3 s); the next one, POST /pets, got 429.',
      answers([...downFrom(56), 0, 0]).map((one, index) => ({
        ...one,
        sentAt: START + index * 50,
        answeredAt: START + index * 50 + 5,
      })),
      before(200, 200, 200),
    ],
    [
      'counts the windows if one ends during the burst',
      '63 requests allowed across 2 windows of 60; request 64 (POST /pets) got 429.',
      answers([12, 11, 10, ...downFrom(59)]).map((one, index) => (index < 3 ? inTheLastWindow(one) : one)),
      before(...Array.from({ length: 47 }, () => 200)),
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
  for (const [name, sentence, samples, earlier = []] of cases) {
    it(name, () => assert.equal(burstSentence(samples, { figures: FREE, earlier }), sentence));
  }
});
