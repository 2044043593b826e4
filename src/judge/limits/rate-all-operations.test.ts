import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperationName } from '../../base/interface/types.js';
import { freeKey, START } from '../../testing/limiters/free-key.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import type { Figures } from './bounds.js';
import { judgeLimits } from './judge.js';
import type { Sample } from './sample.js';
import type { KeySeries } from './series.js';

const OPERATIONS: readonly OperationName[] = ['listPets', 'createPet', 'getPet'];
const FIGURES: Figures = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };
const SHORT: Figures = { ...FIGURES, minuteSeconds: 3, daySeconds: 4320 };

/** Returns sequential requests from a time on, `everyMs` apart. */
const inARow = (from: number, everyMs: number, requests: readonly Partial<Sample>[]): readonly Sample[] =>
  requests.map((request, index) => {
    const sentAt = from + index * everyMs;
    return sampleWith({ sentAt, answeredAt: sentAt + 1, date: Math.floor(sentAt / 1000) * 1000, ...request });
  });

const of = (operation: OperationName, lefts: readonly number[]): readonly Partial<Sample>[] =>
  lefts.map((remaining) => ({ operation, remaining }));

const refused = (operation: OperationName): Partial<Sample> => ({
  operation,
  status: 429,
  remaining: 0,
  retryAfter: '1',
});

/** Returns the kinds of the findings on rate-all-operations for one key. */
const judged = (
  figures: Figures,
  burst: readonly Sample[],
  earlier: readonly Sample[] = [],
): readonly string[] => {
  const key: KeySeries = {
    ...freeKey(figures),
    earlier,
    burst: { samples: burst, refusalOperation: 'createPet', otherKey: null, end: 'refused' },
  };
  return judgeLimits({ keys: [key], refusalBodies: [], operations: OPERATIONS })
    .filter(({ requirement }) => requirement === 'rate-all-operations')
    .map(({ kind }) => kind);
};

const down = (from: number, to: number): readonly number[] =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index);

const ALL_REFUSED = [refused('createPet'), refused('getPet'), refused('listPets')];

/** A burst of a sliding counter that gives back a request of the suites at each GET /pets/{id}. */
const HIDDEN = inARow(START, 6, [
  ...of('listPets', down(19, 10)),
  ...of('createPet', down(9, 7)),
  ...of('getPet', [7, 7, 7]),
  ...of('listPets', down(6, 0)),
  ...ALL_REFUSED,
]);

test('rate-all-operations passes if the traffic of the suites shows that GET /pets/{id} counts', () => {
  const suites = inARow(START - 8000, 100, [
    ...of('listPets', down(50, 27)),
    ...of('createPet', down(26, 24)),
    ...of('getPet', down(23, 20)),
  ]);
  assert.deepEqual(judged(FIGURES, HIDDEN, suites), ['kept']);
});

test('rate-all-operations stays open if no response shows that GET /pets/{id} counts', () => {
  const suites = inARow(START - 8000, 100, of('listPets', down(50, 20)));
  assert.deepEqual(judged(FIGURES, HIDDEN, suites), ['inconclusive']);
});

/**
 * A burst in a window of 3 s, without Remaining: only the number of allowed requests shows that operations
 * count.
 */
const counted = (served: number): readonly Sample[] =>
  inARow(
    START,
    6,
    [
      ...of('listPets', down(served - 6, 1)),
      ...of('createPet', down(3, 1)),
      ...of('getPet', down(3, 1)),
      ...ALL_REFUSED,
    ].map((request) => ({ ...request, remaining: null })),
  );

test('rate-all-operations passes if exactly the limit is allowed and then each operation is refused', () => {
  assert.deepEqual(judged(SHORT, counted(60)), ['kept']);
});

test('rate-all-operations passes if the limit and less than an operation sent are allowed, as with a refill', () => {
  assert.deepEqual(judged(SHORT, counted(62)), ['kept']);
});

test('rate-all-operations stays open if as many more than the limit are allowed as an operation sent', () => {
  assert.deepEqual(judged(SHORT, counted(63)), ['inconclusive']);
});
