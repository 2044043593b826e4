import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { fixedFromFirst, slidingLogOldest } from './simulated/limiters.js';
import { broken, type Circumstances, PLAIN, simulate } from './simulated/run.js';
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
  connections: fc.constantFrom(1, 4),
  usedBefore: fc.constant(0),
  dayLeft: fc.constant(null),
});

/** More of them for a longer search: `LIMIT_RUNS=500 node --test ...`. */
const runs = Number(process.env['LIMIT_RUNS'] ?? 8);

describe('a flawed limiter breaks exactly the rows of its flaw', () => {
  for (const [name, rows, behaviour] of FLAWS) {
    it(`${name}: ${rows.join(', ')}`, () => {
      fc.assert(
        fc.property(circumstances, (around) => {
          const { findings } = simulate(typeof behaviour === 'function' ? behaviour() : behaviour, around);
          const breaches = findings.filter(({ kind }) => kind === 'violated');
          assert.deepEqual(broken(findings), rows, JSON.stringify(breaches, null, 1));
        }),
        { numRuns: runs, includeErrorInReport: true },
      );
    });
  }
});

describe('one request too many, the first of a window', () => {
  // In windows of a few seconds Reset does not tell whether a window has begun anew.
  const longer = circumstances.map((around) => ({ ...around, minuteSeconds: 60 }));
  for (const [name, make] of Object.entries({ 'a fixed window': fixedFromFirst, 'a sliding log': slidingLogOldest })) {
    it(name, () => {
      fc.assert(
        fc.property(longer, (around) => {
          assert.deepEqual(broken(simulate(oneOver(make), around).findings), ['rate-429']);
        }),
        { numRuns: runs, includeErrorInReport: true },
      );
    });
  }
});

describe('a ban is judged by its own rows', () => {
  for (const [name, rows, ban, declaredSeconds] of BANS) {
    it(`${name}: ${rows.join(', ')}`, () => {
      const { findings } = simulate(flawed({ ban }), PLAIN, { declaredSeconds });
      assert.deepEqual(broken(findings), rows);
      const seen = findings.find(({ requirement }) => requirement === 'ban-observed');
      assert.ok(seen?.kind === 'observed' && seen.value.startsWith('Banned after 5'), JSON.stringify(seen));
    });
  }

  it('no ban is a legal outcome', () => {
    const { findings } = simulate(flawed({}), PLAIN, { declaredSeconds: null });
    assert.deepEqual(broken(findings), []);
    const kinds = findings.filter(({ requirement }) => requirement.startsWith('ban-')).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['observed', 'not-applicable', 'not-applicable']);
  });
});

describe('a window of three quarters', () => {
  it('shows after five bursts more, where whole seconds do not hide it', () => {
    const shorter = flawed({ applied: (figures) => ({ ...figures, minuteSeconds: figures.minuteSeconds * 0.75 }) });
    assert.deepEqual(broken(simulate(shorter, PLAIN).findings), ['rate-window']);
  });
});

/** Of these rows one at the least tells a limiter that gives too much. */
const TOO_MUCH = ['rate-429', 'rate-window', 'rate-concurrent', 'rate-remaining-counts'];

describe('a limiter that gives back too much at a beat', () => {
  for (const [name, behaviour] of TOO_MUCH_AT_A_BEAT)
    it(`${name} is never passed`, () => {
      fc.assert(
        fc.property(circumstances, (around) => {
          const { findings } = simulate(behaviour, { ...around, freeLimit: 60 });
          const tells = findings.filter(({ requirement }) => TOO_MUCH.includes(requirement));
          assert.ok(
            tells.some(({ kind }) => kind === 'violated' || kind === 'inconclusive'),
            JSON.stringify(tells, null, 1),
          );
        }),
        { numRuns: runs, includeErrorInReport: true },
      );
    });
});

describe('every thirty-seventh refused', () => {
  it('is no strict pacer, whose schedule is too short to tell them apart, since a burst got more at once', () => {
    const rows = broken(simulate(flawed({ make: refusingEvery37th }), { ...PLAIN, minuteSeconds: 2 }).findings);
    assert.ok(rows.includes('rate-not-early'), rows.join());
  });
});

describe('a window of two', () => {
  it('shows at 95 % of the plan, where its Reset is no further ahead than it may be', () => {
    const longer = flawed({ applied: (figures) => ({ ...figures, minuteSeconds: figures.minuteSeconds * 2 }) });
    assert.deepEqual(broken(simulate(longer, { ...PLAIN, minuteSeconds: 3 }).findings), ['rate-not-early']);
  });
});
