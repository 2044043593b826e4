import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { fixedFromFirst, slidingLogOldest } from '../testing/limiters/limiters.js';
import { searching } from '../testing/limiters/searching.js';
import type { Behaviour } from '../testing/limiters/server.js';
import { broken, type Circumstances, PLAIN, simulate } from '../testing/simulated/simulate.js';
import { BANS, FLAWS, flawed, oneOver, refusingEvery37th, TOO_MUCH_AT_A_BEAT } from '../testing/simulated/flaws.js';

const circumstances = fc.record<Circumstances>({
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  minuteSeconds: fc.constantFrom(3, 60),
  freeLimit: fc.constantFrom(60, 70, 80),
  latencyMs: fc.constantFrom(0.4, 2),
  jitterMs: fc.constantFrom(0.1, 0.5),
  offsetMs: fc.integer({ min: -90_000, max: 90_000 }),
  staleMs: fc.constantFrom(0, 1300),
  // Some flaws are a matter of less than a millisecond.
  grainMs: fc.constant(0),
  usedBefore: fc.constant(0),
  dayLeft: fc.constant(null),
});

const SEARCH = searching(8);

/** Of the larger plan, as a multiple of the smaller. */
const LARGER = 3;
/** What the simulated client takes between two requests, and pauses in a burst, beside the answers. */
const BESIDES = 1.5;

/** Whether a limiter's window is longer than a burst one by one: else none meets its end, and it is as if there were no limit. */
function outlastsBurst(
  { applied }: Behaviour,
  { freeLimit, minuteSeconds, latencyMs, jitterMs }: Circumstances,
): boolean {
  const figures = { perMinute: LARGER * freeLimit, perDay: Infinity, minuteSeconds, daySeconds: Infinity };
  const windowMs = (applied?.(figures, 'pro') ?? figures).minuteSeconds * 1000;
  return windowMs > BESIDES * figures.perMinute * (latencyMs + jitterMs);
}

describe('a flawed limiter breaks exactly the rows of its flaw', () => {
  for (const [name, rows, behaviour] of FLAWS) {
    it(`${name}: ${rows.join(', ')}`, async () => {
      await fc.assert(
        fc.asyncProperty(circumstances, async (around) => {
          const flaw = typeof behaviour === 'function' ? behaviour() : behaviour;
          fc.pre(outlastsBurst(flaw, around));
          const { findings } = await simulate(flaw, around);
          const breaches = findings.filter(({ kind }) => kind === 'violated');
          assert.deepEqual(broken(findings), rows, JSON.stringify(breaches, null, 1));
        }),
        SEARCH,
      );
    });
  }
});

describe('one request too many, the first of a window', () => {
  // In windows of a few seconds Reset does not tell whether a window has begun anew.
  const longer = circumstances.map((around) => ({ ...around, minuteSeconds: 60 }));
  for (const [name, make] of Object.entries({ 'a fixed window': fixedFromFirst, 'a sliding log': slidingLogOldest })) {
    it(name, async () => {
      await fc.assert(
        fc.asyncProperty(longer, async (around) => {
          assert.deepEqual(broken((await simulate(oneOver(make), around)).findings), ['rate-429']);
        }),
        SEARCH,
      );
    });
  }
});

describe('a ban is judged by its own rows', () => {
  for (const [name, rows, ban, declaredSeconds] of BANS) {
    it(`${name}: ${rows.join(', ')}`, async () => {
      const { findings } = await simulate(flawed({ ban }), PLAIN, { ban: { declaredSeconds } });
      assert.deepEqual(broken(findings), rows);
      const seen = findings.find(({ requirement }) => requirement === 'ban-observed');
      assert.ok(seen?.kind === 'observed' && seen.value.startsWith('Banned after 5'), JSON.stringify(seen));
    });
  }

  it('no ban is a legal outcome', async () => {
    const { findings } = await simulate(flawed({}), PLAIN, { ban: { declaredSeconds: null } });
    assert.deepEqual(broken(findings), []);
    const kinds = findings.filter(({ requirement }) => requirement.startsWith('ban-')).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['observed', 'not-applicable', 'not-applicable']);
  });
});

describe('a window of three quarters', () => {
  it('shows after five bursts more, where whole seconds do not hide it', async () => {
    const shorter = flawed({ applied: (figures) => ({ ...figures, minuteSeconds: figures.minuteSeconds * 0.75 }) });
    assert.deepEqual(broken((await simulate(shorter, PLAIN)).findings), ['rate-window']);
  });
});

/** Of these rows one at the least tells a limiter that gives too much. */
const TOO_MUCH = ['rate-429', 'rate-window', 'rate-concurrent', 'rate-remaining-counts'];

describe('a limiter that gives back too much at a beat', () => {
  for (const [name, behaviour] of TOO_MUCH_AT_A_BEAT)
    it(`${name} is never passed`, async () => {
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

describe('every thirty-seventh refused', () => {
  it('is no strict pacer, whose schedule is too short to tell them apart, since a burst got more at once', async () => {
    const rows = broken((await simulate(flawed({ make: refusingEvery37th }), { ...PLAIN, minuteSeconds: 2 })).findings);
    assert.ok(rows.includes('rate-not-early'), rows.join());
  });
});

describe('a window of two', () => {
  it('shows at 95 % of the plan, where its Reset is no further ahead than it may be', async () => {
    const longer = flawed({ applied: (figures) => ({ ...figures, minuteSeconds: figures.minuteSeconds * 2 }) });
    assert.deepEqual(broken((await simulate(longer, { ...PLAIN, minuteSeconds: 3 })).findings), ['rate-not-early']);
  });
});
