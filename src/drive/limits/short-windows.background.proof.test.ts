import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  bursty,
  calendarWindow,
  expiryRenewed,
  fixedFromFirst,
  gcra,
  type MakeLimiter,
  slidingCounter,
  slidingLogNewest,
  slidingLogOldest,
  tokenBucket,
} from '../../testing/limiters/limiters.js';
import { broken, type Circumstances, PLAIN, simulate } from '../../testing/simulated/simulate.js';
import type { Behaviour, Rounding } from '../../testing/limiters/server.js';
import { searching } from '../../testing/limiters/searching.js';

const circumstances = fc.record<Circumstances>({
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  minuteSeconds: fc.constant(60),
  freeLimit: fc.constantFrom(60, 70, 80),
  latencyMs: fc.constantFrom(0.4, 2, 20),
  jitterMs: fc.constantFrom(0.1, 0.5, 8),
  offsetMs: fc.integer({ min: -90_000, max: 90_000 }),
  staleMs: fc.constantFrom(0, 1300),
  grainMs: fc.constantFrom(0, 1),
  usedBefore: fc.constant(0),
  dayLeft: fc.constant(null),
});
const rounding = fc.constantFrom<Rounding>('up', 'down', 'nearest');
const told = fc.record({
  retryAfterAs: fc.constantFrom('seconds' as const, 'date' as const),
  rounded: fc.record({ retryAfter: rounding, reset: rounding }),
});

const SEARCH = searching(4);

const failsBy = (
  row: string,
  behaviour: (how: Pick<Behaviour, 'retryAfterAs' | 'rounded'>) => Behaviour,
): Promise<void> =>
  fc.assert(
    fc.asyncProperty(circumstances, told, async (around, how) => {
      const rows = broken((await simulate(behaviour(how), around)).findings);
      assert.ok(rows.includes(row), rows.join() || 'nothing broken');
    }),
    SEARCH,
  );

const SHARES: Readonly<Record<string, number>> = {
  'a sixth': 1 / 6,
  'a quarter': 1 / 4,
  'a third': 1 / 3,
  half: 1 / 2,
  'two thirds': 2 / 3,
  'three quarters': 3 / 4,
};

const ALGORITHMS: Readonly<Record<string, MakeLimiter>> = {
  'from the first request on': fixedFromFirst,
  'aligned to the clock': calendarWindow,
  'of a sliding log, Reset by the oldest request': slidingLogOldest,
  'of a sliding log, Reset by the newest request': slidingLogNewest,
};

/** A Retry-After that was not rounded up is a second mistake, and may be the one that shows. */
const failsByWindow = (behaviour: Behaviour): Promise<void> =>
  fc.assert(
    fc.asyncProperty(circumstances, told, async (around, how) => {
      const rows = broken((await simulate({ ...behaviour, ...how }, around)).findings);
      const isRounded = how.rounded.retryAfter !== 'up' && rows.includes('rate-retry-after-honoured');
      assert.ok(rows.includes('rate-window') || isRounded, rows.join() || 'nothing broken');
    }),
    SEARCH,
  );

describe('a window shorter than a minute fails, with any rounding of Retry-After and Reset', () => {
  for (const [share, part] of Object.entries(SHARES))
    for (const [name, make] of Object.entries(ALGORITHMS))
      it(`${share} of a minute, ${name}`, async () =>
        failsByWindow({
          make,
          applied: (figures) => ({ ...figures, minuteSeconds: figures.minuteSeconds * part }),
        }));
});

describe('a sliding counter with a window shorter than a minute', () => {
  for (const [share, part] of Object.entries(SHARES))
    it(`never passes with ${share} of a minute`, async () => {
      await fc.assert(
        fc.asyncProperty(circumstances, told, async (around, how) => {
          const { findings } = await simulate(
            {
              make: slidingCounter,
              ...how,
              applied: (figures) => ({ ...figures, minuteSeconds: figures.minuteSeconds * part }),
            },
            around,
          );
          const kinds = findings
            .filter(({ requirement }) => requirement === 'rate-window')
            .map(({ kind }) => kind);
          assert.ok(kinds.some((kind) => kind !== 'kept') || broken(findings).length > 0, kinds.join());
        }),
        SEARCH,
      );
    });
});

describe('an expiry that each request extends', () => {
  for (const byRefusals of [false, true])
    it(byRefusals ? 'fails if a 429 extends it as well' : 'fails if a 429 does not extend it', async () =>
      failsBy('rate-not-early', () => ({ make: expiryRenewed(byRefusals) })),
    );

  const plans = new Map([
    ['free', { perMinute: 60, perDay: 1000 }],
    ['pro', { perMinute: 300, perDay: 10_000 }],
    ['business', { perMinute: 1000, perDay: 100_000 }],
  ] as const);
  for (const [plan, { perMinute }] of plans) {
    const make: MakeLimiter = (limit, ...rest) =>
      (limit === perMinute ? expiryRenewed(false) : fixedFromFirst)(limit, ...rest);
    it(`fails or is reported as not tested on the ${plan} plan only`, async () => {
      const { findings } = await simulate({ make }, PLAIN, { plans });
      const isSaid = findings.some(
        ({ kind, requirement }) => kind === 'untried' && requirement === 'rate-not-early',
      );
      assert.ok(broken(findings).includes('rate-not-early') || (plan === 'free' && isSaid));
    });
  }
});

describe('a burst allowance on top of an even rate fails', () => {
  for (const remaining of ['both', 'top', 'none'] as const)
    it(`if Remaining counts ${remaining}`, async () => {
      await fc.assert(
        fc.asyncProperty(circumstances, async (around) => {
          const rows = broken((await simulate({ make: bursty(remaining) }, around)).findings);
          const found = [
            'rate-window',
            'rate-429',
            ...(remaining === 'none' ? ['rate-remaining-counts'] : []),
          ];
          assert.ok(
            found.some((row) => rows.includes(row)),
            rows.join() || 'nothing broken',
          );
        }),
        SEARCH,
      );
    });
});

describe('a window of exactly a minute passes, with any rounding of Reset', () => {
  const sound = {
    ...ALGORITHMS,
    'of a sliding counter': slidingCounter,
    'of a bucket': tokenBucket,
    'of GCRA': gcra,
  };
  for (const [name, make] of Object.entries(sound))
    it(name, async () => {
      await fc.assert(
        fc.asyncProperty(circumstances, told, async (around, { retryAfterAs, rounded }) => {
          const how = { retryAfterAs, rounded: { ...rounded, retryAfter: 'up' as const } };
          const { findings } = await simulate({ make, ...how }, around);
          const breaches = findings.filter(({ kind }) => kind === 'violated');
          assert.deepEqual(broken(findings), [], JSON.stringify(breaches, null, 1));
        }),
        SEARCH,
      );
    });
});
