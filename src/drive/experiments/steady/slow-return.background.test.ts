import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { broken, type Circumstances, type Simulated, simulate } from '../../../testing/simulated/simulate.js';
import { type MakeLimiter, tokenBucket } from '../../../testing/limiters/limiters.js';
import { type Beat, clumped } from '../../../testing/limiters/clumped.js';
import { searching } from '../../../testing/limiters/searching.js';
import type { Behaviour, Rounding } from '../../../testing/limiters/server.js';

const circumstances = fc.record<Circumstances>({
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  minuteSeconds: fc.constant(60),
  freeLimit: fc.constantFrom(60, 300, 600, 1200),
  latencyMs: fc.constantFrom(0.4, 2, 20),
  jitterMs: fc.constantFrom(0.1, 0.5, 5),
  offsetMs: fc.integer({ min: -90_000, max: 90_000 }),
  staleMs: fc.constantFrom(0, 900),
  grainMs: fc.constantFrom(0, 1),
  usedBefore: fc.constant(0),
  dayLeft: fc.constant(null),
});

const beats = fc.record<Required<Beat>>({
  share: fc.constantFrom(2, 3, 4, 5, 6, 8, 10, 12, 15).map((often) => 1 / often),
  anchor: fc.constantFrom('first', 'start', 'clock'),
  amount: fc.constant('sum'),
  holds: fc.constant(1),
  reset: fc.constantFrom('beat', 'full'),
  rate: fc.constantFrom(0.5, 0.7, 0.8),
});

const told = fc.record({
  retryAfterAs: fc.constantFrom('seconds' as const, 'date' as const),
  rounded: fc.record({
    retryAfter: fc.constantFrom<Rounding>('up', 'down', 'nearest'),
    reset: fc.constantFrom<Rounding>('up', 'down', 'nearest'),
  }),
});

/** Creates a slow bucket whose Reset is at most a window ahead; a later one would be a violation. */
const bucket = (beat: Beat, how: Partial<Behaviour>): Behaviour => ({
  ...how,
  make: withinWindow(clumped(beat)),
});

const withinWindow =
  (make: MakeLimiter): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = make(limit, windowMs, phaseMs);
    return (now) => {
      const decision = limiter(now);
      return { ...decision, resetAt: Math.min(decision.resetAt, now + windowMs) };
    };
  };

/** True if nothing is violated or open, and `rate-not-early` was tested in full. */
const passes = ({ findings }: Simulated): boolean =>
  findings.every(
    ({ kind, requirement }) => kind !== 'violated' && (kind !== 'inconclusive' || isOfTwo(requirement)),
  ) && !findings.some(({ kind, requirement }) => kind === 'untried' && requirement === 'rate-not-early');

const isOfTwo = (row: string): boolean => row === 'rate-per-key' || row === 'rate-all-operations';

const SEARCH = searching(5);

describe('a bucket with refill steps', () => {
  it('never passes if it refills less than the plan after it was empty', () =>
    fc.assert(
      fc.asyncProperty(circumstances, beats, told, async (around, beat, how) => {
        assert.ok(!passes(await simulate(bucket(beat, how), around)), 'passed whole');
      }),
      SEARCH,
    ));

  it('fails rate-not-early by its steps if a window has many', async () => {
    const around: Circumstances = {
      seed: 7,
      minuteSeconds: 60,
      freeLimit: 300,
      latencyMs: 2,
      jitterMs: 0.1,
      offsetMs: 0,
      staleMs: 0,
      grainMs: 0,
      usedBefore: 0,
      dayLeft: null,
    };
    const slow: Beat = { share: 1 / 12, anchor: 'first', amount: 'sum', holds: 1, reset: 'beat', rate: 0.8 };
    assert.deepEqual(broken((await simulate(bucket(slow, {}), around)).findings), ['rate-not-early']);
  });

  it('violates nothing at the plan’s rate', () =>
    fc.assert(
      fc.asyncProperty(circumstances, beats, async (around, beat) => {
        const { findings } = await simulate(bucket({ ...beat, rate: 1 }, {}), around);
        assert.deepEqual(broken(findings), []);
      }),
      SEARCH,
    ));
});

describe('a bucket that refills evenly', () => {
  it('fails rate-not-early if it needs an eighth longer than the plan or more', () =>
    fc.assert(
      fc.asyncProperty(
        circumstances,
        fc.constantFrom(9 / 8, 1.25, 1.5),
        told,
        async (around, slower, how) => {
          const make = withinWindow((limit, windowMs, phaseMs) =>
            tokenBucket(limit, windowMs * slower, phaseMs),
          );
          const rounded = { ...how.rounded, retryAfter: 'up' } as const;
          const { findings } = await simulate({ ...how, rounded, make }, { ...around, freeLimit: 60 });
          assert.ok(broken(findings).includes('rate-not-early'), broken(findings).join());
        },
      ),
      SEARCH,
    ));
});
