import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequirementId } from '../../base/interface/types.js';
import type { Sample } from './sample.js';
import type { Figures } from './bounds.js';
import type { KeySeries } from './series.js';
import { freeKey, START } from '../../testing/limiters/free-key.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import { judgeLimits } from './judge.js';

const FIGURES: Figures = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };
const REFUSAL: Partial<Sample> = { status: 429, remaining: 0, retryAfter: '60' };

/** Returns sequential requests from `from` ms after the start; `at` changes each. */
const inARow = (count: number, at: (index: number) => Partial<Sample>, from = 0): readonly Sample[] =>
  Array.from({ length: count }, (_, index) => {
    const sentAt = START + from + index * 6;
    return sampleWith({ sentAt, answeredAt: sentAt + 5, remaining: Math.max(0, 59 - index), ...at(index) });
  });

/** Returns a burst of `served` allowed requests and its end. */
const burst = (
  served: number,
  end: Partial<Sample>,
  at: (index: number) => Partial<Sample> = () => ({}),
): Partial<KeySeries> => ({
  burst: {
    samples: inARow(served + 1, (index) => (index === served ? end : at(index))),
    refusalOperation: 'listPets',
    end: end.status === 429 ? 'refused' : 'unexpected-status',
    otherKey: null,
  },
});

/** Concurrent requests in the next window: 20 of 60 allowed, then 429s. */
const driveAllKeys: Partial<KeySeries> = {
  concurrent: {
    samples: inARow(30, (index) => (index >= 20 ? REFUSAL : { reset: START / 1000 + 120 }), 61_000),
    together: [],
    connections: 20,
    end: 'refused',
  },
};

/** Returns the kinds of a requirement's findings, with the text of the untested ones. */
function judged(row: RequirementId, key: Partial<KeySeries>): readonly string[] {
  const findings = judgeLimits({
    keys: [{ ...freeKey(FIGURES), ...key }],
    refusalBodies: [],
    operations: ['listPets'],
  }).filter(({ requirement }) => requirement === row);
  return findings.map((finding) => (finding.kind === 'untried' ? finding.what : finding.kind));
}

const LEFT = 'X-RateLimit-Remaining on a 429 (no isolated 429 seen)';
const ONE_ALLOWANCE = 'whether all operations share one allowance (Remaining miscounts)';
const WAS_LEFT =
  'whether parallel requests get more than was left (no response shows exactly how much that was)';

const BAN = 'a ban shorter than 1 min 10 s';

/** Returns a 429 and a retry `afterMs` later. */
const askedAgain = (afterMs: number, retryAfter: string): Partial<KeySeries> => {
  const refusal = sampleWith({
    ...REFUSAL,
    retryAfter,
    date: START,
    sentAt: START + 400,
    answeredAt: START + 405,
  });
  const sentAt = START + 405 + afterMs;
  const retry = sampleWith({
    sentAt,
    answeredAt: sentAt + 5,
    date: START + Math.floor((405 + afterMs) / 1000) * 1000,
  });
  return { ...burst(60, REFUSAL), recoveries: [{ refusal, refusals: 1, retry, resetRetry: null }] };
};

const CASES: readonly (readonly [string, RequirementId, Partial<KeySeries>, readonly string[]])[] = [
  ['a 429 at Remaining 0', 'rate-remaining-counts', burst(60, REFUSAL), ['kept']],
  ['a 503 at the limit', 'rate-remaining-counts', burst(60, { status: 503 }), ['kept', LEFT]],
  [
    'a Retry-After far beyond a minute',
    'rate-remaining-counts',
    burst(60, { ...REFUSAL, retryAfter: '60000' }),
    ['kept', LEFT],
  ],
  ['a burst of the whole plan', 'rate-all-operations', burst(60, REFUSAL), ['kept']],
  [
    'a Remaining that falls by 2 per request',
    'rate-all-operations',
    burst(30, REFUSAL, (index) => ({ remaining: 58 - 2 * index })),
    ['kept', ONE_ALLOWANCE],
  ],
  [
    'as many parallel requests as single ones',
    'rate-concurrent',
    { ...burst(60, REFUSAL), ...driveAllKeys },
    ['kept'],
  ],
  [
    'fewer single requests than the plan, with earlier ones of the run',
    'rate-concurrent',
    {
      ...burst(50, REFUSAL, (index) => ({ remaining: 49 - index })),
      ...driveAllKeys,
      earlier: inARow(10, () => ({}), -1000),
    },
    ['kept'],
  ],
  [
    'fewer single requests than the plan, with an unknown refill',
    'rate-concurrent',
    { ...burst(30, REFUSAL, (index) => ({ remaining: 29 - index })), ...driveAllKeys },
    ['kept', WAS_LEFT],
  ],
  ['a Retry-After of one minute', 'ban-only-after-abuse', askedAgain(60_000, '60'), ['kept']],
  [
    'a longer wait, as Retry-After demanded',
    'ban-only-after-abuse',
    askedAgain(70_000, '4000000000'),
    ['kept', BAN],
  ],
];

for (const [what, row, key, expected] of CASES)
  test(`${row}, ${what}: ${expected.join('; ')}`, () => assert.deepEqual(judged(row, key), expected));

const above = (index: number): Partial<Sample> => ({ remaining: index === 1 ? 61 : 60 - index, reset: null });

test('a Remaining above Limit does not hide one request too many', () => {
  assert.deepEqual(judged('rate-429', burst(61, REFUSAL, above)), ['violated']);
});
