import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { FAMILIES } from '../../base/interface/families.js';
import { type Beat, clumped } from '../../testing/limiters/clumped.js';
import { fixedFromFirst, type MakeLimiter, slidingLogOldest } from '../../testing/limiters/limiters.js';
import { searching } from '../../testing/limiters/searching.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import { broken, type Circumstances, PLAIN, simulate } from '../../testing/simulated/simulate.js';

const circumstances = fc.record<Circumstances>({
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  minuteSeconds: fc.constantFrom(3, 60),
  freeLimit: fc.constantFrom(60, 70, 80),
  latencyMs: fc.constantFrom(0.4, 2),
  jitterMs: fc.constantFrom(0.1, 0.5),
  offsetMs: fc.integer({ min: -90_000, max: 90_000 }),
  staleMs: fc.constantFrom(0, 1300),
  // Some flaws take less than a millisecond.
  grainMs: fc.constant(0),
  usedBefore: fc.constant(0),
  dayLeft: fc.constant(null),
});

const SEARCH = searching(8);

const flawed = (flaw: Partial<Behaviour>): Behaviour => ({ make: fixedFromFirst, ...flaw });

/** Allows one request too many: Remaining is one below the limit for the first two of a window. */
const oneOver = (make: MakeLimiter): Behaviour => ({
  make,
  applied: (figures) => ({ ...figures, perMinute: figures.perMinute + 1 }),
  spoil: (draft, { decision, figures }) => ({
    ...draft,
    remaining: String(Math.min(decision.remaining, figures.perMinute - 1)),
  }),
});

/** True for a row in which one request too many may show. */
const isOfHowMuch = (row: string): boolean => FAMILIES['how much'].some((id) => id === row);

/** Bans, each with the requirements that it violates. */
const BANS: readonly (readonly [
  name: string,
  rows: readonly string[],
  ban: NonNullable<Behaviour['ban']>,
  declared: number | null,
])[] = [
  ['a ban with 403 that ends', [], { after: 5, ms: 4000, status: 403 }, 900],
  ['a ban with 401 that ends', [], { after: 5, ms: 4000, status: 401 }, null],
  ['a ban with 429 that ends', [], { after: 5, ms: 100_000, status: 429 }, null],
  ['a permanent ban', ['ban-temporary'], { after: 5, ms: 1e9, status: 403 }, 10],
  ['a ban of every key', ['ban-only-that-key'], { after: 5, ms: 4000, status: 403, everyKey: true }, 900],
];

const QUARTERS: Beat = { share: 1 / 4, anchor: 'start', amount: 'sum', holds: 1, reset: 'beat' };

/** Buckets that refill too much in steps, or hold more than the plan. */
const TOO_MUCH_AT_A_BEAT: readonly (readonly [name: string, behaviour: Behaviour])[] = [
  ['a quarter every tenth of a window', { make: clumped({ ...QUARTERS, share: 1 / 10, rate: 2.5 }) }],
  ['a quarter every sixth of a window', { make: clumped({ ...QUARTERS, share: 1 / 6, rate: 1.5 }) }],
  ['a tenth every twentieth of a window', { make: clumped({ ...QUARTERS, share: 1 / 20, rate: 2 }) }],
  ['a sixtieth of twice the plan per step', { make: clumped({ ...QUARTERS, share: 1 / 60, rate: 2 }) }],
  [
    'a bucket that holds a fifth more than its Remaining',
    {
      make: clumped({ ...QUARTERS, holds: 1.2 }),
      spoil: (draft, { figures }) => ({
        ...draft,
        remaining: String(Math.max(0, Number(draft.remaining) - figures.perMinute / 5)),
      }),
    },
  ],
  [
    'a bucket that holds one more than its Remaining',
    {
      make: clumped({ ...QUARTERS, holds: 1.0167 }),
      spoil: (draft) => ({ ...draft, remaining: String(Math.max(0, Number(draft.remaining) - 1)) }),
    },
  ],
];

/** A fixed window that also refuses every 37th request. */
const refusingEvery37th: MakeLimiter = (limit, windowMs, phaseMs) => {
  const limiter = fixedFromFirst(limit, windowMs, phaseMs);
  let asked = 0;
  return (now) =>
    (asked += 1) % 37 === 0 ? { ...limiter(now), served: false, retryAt: now + 1000 } : limiter(now);
};

describe('a limiter that allows one request too many at the start of a window', () => {
  // In windows of a few seconds Reset does not show a new window.
  const longer = circumstances.map((around) => ({ ...around, minuteSeconds: 60 }));
  for (const [name, make] of Object.entries({
    'fixed window': fixedFromFirst,
    'sliding log': slidingLogOldest,
  })) {
    it(name, async () => {
      await fc.assert(
        fc.asyncProperty(longer, async (around) => {
          const rows = broken((await simulate(oneOver(make), around)).findings);
          assert.ok(rows.includes('rate-429') && rows.every(isOfHowMuch), rows.join());
        }),
        SEARCH,
      );
    });
  }
});

describe('a ban affects only its own requirements', () => {
  for (const [name, rows, ban, declaredSeconds] of BANS) {
    it(`${name} violates ${rows.join(', ') || 'nothing'}`, async () => {
      const { findings } = await simulate(flawed({ ban }), PLAIN, { ban: { declaredSeconds } });
      assert.deepEqual(broken(findings), rows);
      const seen = findings.find(({ requirement }) => requirement === 'ban-observed');
      assert.ok(seen?.kind === 'observed' && seen.value.startsWith('Banned after 5'), JSON.stringify(seen));
    });
  }

  it('no ban is allowed', async () => {
    const { findings } = await simulate(flawed({}), PLAIN, { ban: { declaredSeconds: null } });
    assert.deepEqual(broken(findings), []);
    const kinds = findings
      .filter(({ requirement }) => requirement.startsWith('ban-'))
      .map(({ kind }) => kind);
    assert.deepEqual(kinds, ['observed', 'not-applicable', 'not-applicable']);
  });
});

describe('a window of three quarters of a minute', () => {
  it('is detected after five more bursts', async () => {
    const shorter = flawed({
      applied: (figures) => ({ ...figures, minuteSeconds: figures.minuteSeconds * 0.75 }),
    });
    assert.deepEqual(broken((await simulate(shorter, PLAIN)).findings), ['rate-window']);
  });
});

/** At least one of these requirements detects a limiter that allows too much. */
const TOO_MUCH = ['rate-429', 'rate-window', 'rate-concurrent', 'rate-remaining-counts'];

describe('a limiter with too large refill steps', () => {
  for (const [name, behaviour] of TOO_MUCH_AT_A_BEAT)
    it(`never passes with ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(circumstances, async (around) => {
          const { findings } = await simulate(behaviour, { ...around, freeLimit: 60 });
          const tells = findings.filter(({ requirement }) => TOO_MUCH.includes(requirement));
          assert.ok(
            tells.some(({ kind }) => kind === 'violated' || kind === 'inconclusive'),
            JSON.stringify(tells, null, 1),
          );
        }),
        SEARCH,
      );
    });
});

describe('a limiter that refuses every 37th request', () => {
  it('violates rate-not-early and is not taken for a strict pacer', async () => {
    const rows = broken(
      (await simulate(flawed({ make: refusingEvery37th }), { ...PLAIN, minuteSeconds: 2 })).findings,
    );
    assert.ok(rows.includes('rate-not-early'), rows.join());
  });
});

describe('a window of two minutes', () => {
  it('is detected at 95 % of the plan although its Reset looks correct', async () => {
    const longer = flawed({
      applied: (figures) => ({ ...figures, minuteSeconds: figures.minuteSeconds * 2 }),
    });
    assert.deepEqual(broken((await simulate(longer, { ...PLAIN, minuteSeconds: 3 })).findings), [
      'rate-not-early',
    ]);
  });
});
