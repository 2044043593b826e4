import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clumped } from '../../testing/limiters/clumped.js';
import { fixedFromFirst, slidingCounter, slidingLogOldest, smallBucket } from '../../testing/limiters/limiters.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import { familyOf } from '../../base/interface/families.js';
import { broken, PLAIN, simulate, type Circumstances } from '../../testing/simulated/simulate.js';

/** Sound servers of which a search found a row red. */
const FOUND: readonly (readonly [what: string, Behaviour, Partial<Circumstances>])[] = [
  [
    'a bucket of one step, refilled every half of a window, whose first requests came late',
    {
      make: clumped({ share: 0.5, anchor: 'first', amount: 'down', holds: 0.25, reset: 'beat' }),
      retryAfterAs: 'date',
    },
    { seed: 505869651, minuteSeconds: 3, latencyMs: 80, jitterMs: 0.01, offsetMs: -57131, staleMs: 1300, grainMs: 1 },
  ],
  [
    'a sliding log that others used before, in a window of seconds, whose day ends',
    { make: slidingLogOldest, retryAfterAs: 'date', rounded: { retryAfter: 'up', reset: 'down' }, countsDays: true },
    { seed: 1509187260, minuteSeconds: 3, freeLimit: 70, jitterMs: 0.1, offsetMs: -59816, usedBefore: 5, dayLeft: 100 },
  ],
];

for (const [what, behaviour, around] of FOUND)
  test(`${what}, is sound`, async () => {
    const { findings } = await simulate(behaviour, { ...PLAIN, ...around });
    assert.deepEqual(broken(findings), []);
  });

test('a sliding log of three quarters of a minute shows in the spread, though others used it before', async () => {
  const { findings } = await simulate(
    { make: slidingLogOldest, applied: (figures) => ({ ...figures, minuteSeconds: (3 * figures.minuteSeconds) / 4 }) },
    { ...PLAIN, seed: 1324596612, freeLimit: 100, jitterMs: 8, offsetMs: 15057, grainMs: 1, usedBefore: 5, suites: 4 },
    { plans: new Map([['free', { perMinute: 100, perDay: 1700 }]]) },
  );
  assert.ok(broken(findings).includes('rate-window'), broken(findings).join());
});

test('a small bucket that refills a third too fast shows, though no idle time shows what it holds', async () => {
  const { findings } = await simulate(
    { make: smallBucket, applied: (figures) => ({ ...figures, minuteSeconds: (3 * figures.minuteSeconds) / 4 }) },
    PLAIN,
    { plans: new Map([['free', { perMinute: 60, perDay: 1000 }]]) },
  );
  assert.ok(broken(findings).includes('rate-window'), broken(findings).join());
});

test('a sliding counter of one request too many does not pass, though others used it before', async () => {
  const { findings } = await simulate(
    {
      make: slidingCounter,
      retryAfterAs: 'date',
      applied: (figures) => ({ ...figures, perMinute: figures.perMinute + 1 }),
      spoil: (draft, { decision, figures }) => ({
        ...draft,
        remaining: String(Math.min(decision.remaining, figures.perMinute - 1)),
      }),
    },
    { ...PLAIN, seed: 1802256052, jitterMs: 0.1, offsetMs: 34716, grainMs: 1, usedBefore: 5 },
  );
  const kinds = findings.filter(({ requirement }) => requirement === 'rate-429').map(({ kind }) => kind);
  assert.ok(!kinds.includes('kept'), kinds.join());
});

for (const [latencyMs, usedBefore] of [
  [2, 0],
  [20, 5],
] as const)
  test(`two servers in turn that count apart break no promise of when more is allowed, at ${latencyMs} ms`, async () => {
    const { findings } = await simulate(
      { make: fixedFromFirst, countedBy: (key, _operation, count) => `${key} ${count % 2}` },
      { ...PLAIN, seed: 697561616, freeLimit: 83, latencyMs, jitterMs: 8, offsetMs: -81940, grainMs: 1, usedBefore },
    );
    const families = findings.flatMap(({ kind, requirement }) => (kind === 'violated' ? [familyOf(requirement)] : []));
    assert.deepEqual([...new Set(families)], ['how much']);
  });
