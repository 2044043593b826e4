import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sample } from './sample.js';
import { NOTHING_RUN, type KeySeries } from './series.js';
import { judgementsOf } from '../findings/finding.js';
import { unknownRounding } from './rate-retry-after-honoured.js';

const START = Date.parse('2026-11-20T10:00:07.300Z');

const sampleAt = (sentAt: number, status: number): Sample => ({
  intendedAt: sentAt,
  sentAt,
  answeredAt: sentAt + 2,
  operation: 'listPets',
  status,
  limit: 60,
  remaining: 58,
  reset: Math.ceil(START / 1000) + 60,
  retryAfter: status === 429 ? '60' : null,
  date: null,
});

/** Returns a key that got 429 `afterMs` after its first request, and a retry. */
const keyRefused = (afterMs: number, { minuteSeconds = 60, again = 200, lateMs = 0 } = {}): KeySeries => {
  const refusal = sampleAt(START + afterMs, 429);
  return {
    ...NOTHING_RUN,
    key: 'free',
    figures: { perMinute: 60, perDay: 10_000, minuteSeconds, daySeconds: 86_400 },
    exclusive: true,
    aloneSince: START,
    burst: {
      samples: [sampleAt(START, 200), refusal],
      refusalOperation: 'listPets',
      otherKey: null,
      end: 'refused',
    },
    recoveries: [
      { refusal, retry: sampleAt(START + afterMs + 60_002 + lateMs, again), resetRetry: null, refusals: 1 },
    ],
  };
};

const TOLD = keyRefused(3_600);
const UNTOLD = keyRefused(3_300);

for (const [what, keys, says] of [
  ['a 429 at the right moment', [TOLD], null],
  ['a conclusive 429 for one of two keys', [UNTOLD, TOLD], null],
  ['a 429 at other moments', [UNTOLD, keyRefused(3_990)], /rounded up .*no 429 came at a suitable moment/],
  [
    'a 429 at the right moment and a late retry',
    [keyRefused(3_600, { lateMs: 420 })],
    /at a suitable moment/,
  ],
  ['windows of a few seconds', [keyRefused(600, { minuteSeconds: 4 })], /rounded up .*4 s window/],
  ['a retry that got 429', [keyRefused(3_300, { again: 429 })], null],
  ['no key', [], null],
] as const)
  test(`the rounding of waits after ${what} ${says === null ? 'needs no remark' : 'is reported as not tested'}`, () => {
    const found = judgementsOf(unknownRounding(keys, null));
    if (says === null) return assert.deepEqual(found, []);
    const [first] = found;
    assert.ok(found.length === 1 && first?.kind === 'untried');
    assert.match(first.what, says);
    return undefined;
  });
