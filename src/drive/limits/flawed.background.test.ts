import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bucket } from '../../proof/limiters/buckets.js';
import {
  calendarWindow,
  countingLate,
  expiryRenewed,
  fixedFromFirst,
  leaking,
  type MakeLimiter,
  ofReference,
  slidingLogOldest,
} from '../../testing/limiters/limiters.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import { broken, PLAIN, simulate } from '../../testing/simulated/simulate.js';

const scaled =
  (make: MakeLimiter, share: number, windows = 1): MakeLimiter =>
  (limit, windowMs, phaseMs) =>
    make(Math.floor(limit * share), windowMs * windows, phaseMs);

const withoutHeaders = (behaviour: Behaviour): Behaviour => ({
  ...behaviour,
  spoil: (draft) => ({ ...draft, limit: null, remaining: null, reset: null }),
});

/** Allows one request too many: Remaining is one below the limit for the first two of a window. */
const oneOver = (make: MakeLimiter): Behaviour => ({
  make,
  applied: (figures) => ({ ...figures, perMinute: figures.perMinute + 1 }),
  spoil: (draft, { decision, figures }) => ({
    ...draft,
    remaining: String(Math.min(decision.remaining, figures.perMinute - 1)),
  }),
});

/** Counts every tenth request twice. */
const tenthTwice: MakeLimiter = (limit, windowMs, phaseMs) => {
  const limiter = fixedFromFirst(limit, windowMs, phaseMs);
  let count = 0;
  return (now) => {
    const decision = limiter(now);
    return (count += 1) % 10 === 0 && decision.served ? { ...limiter(now), served: true } : decision;
  };
};

const fixed: Behaviour = { make: fixedFromFirst };

/** Limiters with one mistake, and the row that turns red. */
const FLAWED: readonly (readonly [name: string, row: string, behaviour: Behaviour])[] = [
  ['one over, fixed window', 'rate-429', oneOver(fixedFromFirst)],
  ['one over, log', 'rate-429', oneOver(slidingLogOldest)],
  ['twice the plan', 'rate-429', { make: scaled(fixedFromFirst, 2) }],
  ['every fourth leaks', 'rate-429', { make: leaking(4, fixedFromFirst) }],
  ['counts late', 'rate-concurrent', { make: countingLate(15) }],
  [
    'a limiter for each connection',
    'rate-concurrent',
    { ...fixed, countedBy: (key, _of, _n, at) => `${key} ${at}` },
  ],
  [
    'a limiter for each operation',
    'rate-all-operations',
    { ...fixed, countedBy: (key, of) => `${key} ${of}` },
  ],
  [
    'creations are free',
    'rate-all-operations',
    { ...fixed, countedBy: (key, of) => (of === 'createPet' ? null : key) },
  ],
  ['one counter for all keys', 'rate-per-key', { ...fixed, countedBy: () => 'one' }],
  ['two servers', 'rate-429', { ...fixed, countedBy: (key, _of, count) => `${key} ${count % 2}` }],
  ['a window of a half', 'rate-window', { make: scaled(fixedFromFirst, 1, 1 / 2) }],
  ['a window of two', 'rate-not-early', { make: scaled(fixedFromFirst, 1, 2) }],
  ['a tenth early', 'rate-not-early', { make: scaled(fixedFromFirst, 0.9) }],
  ['an expiry that requests renew', 'rate-not-early', { make: expiryRenewed(false) }],
  [
    'a refill at four fifths',
    'rate-not-early',
    { make: ofReference(bucket((limit) => Math.floor(limit * 0.75), 0.8)) },
  ],
  ['every tenth request counts twice', 'rate-remaining-counts', { make: tenthTwice }],
  [
    'Retry-After rounded down',
    'rate-retry-after-honoured',
    { ...fixed, rounded: { retryAfter: 'down', reset: 'up' } },
  ],
  [
    'Retry-After rounded to the nearest second',
    'rate-retry-after-honoured',
    { ...fixed, rounded: { retryAfter: 'nearest', reset: 'up' } },
  ],
  [
    'Retry-After rounded to the nearest second, in windows of the clock',
    'rate-retry-after-honoured',
    { make: calendarWindow, rounded: { retryAfter: 'nearest', reset: 'up' } },
  ],
  ['a tenth over without headers', 'rate-429', withoutHeaders({ make: scaled(fixedFromFirst, 1.1) })],
  [
    'a half window without headers',
    'rate-window',
    withoutHeaders({ make: scaled(fixedFromFirst, 1, 1 / 2) }),
  ],
];

describe('plain questions find a mistake at real windows', () => {
  for (const [name, row, behaviour] of FLAWED)
    it(`${name}: ${row}`, async () => {
      const rows = broken((await simulate(behaviour, PLAIN)).findings);
      assert.ok(rows.includes(row), rows.join());
    });
});
