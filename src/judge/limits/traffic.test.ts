import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { Sample } from './sample.js';
import {
  calendarWindow,
  fixedFromFirst,
  gcra,
  type MakeLimiter,
  slidingCounter,
  slidingLogNewest,
  slidingLogOldest,
  slidingParts,
  smallBucket,
  tokenBucket,
} from '../../testing/limiters/limiters.js';
import { clumped } from '../../testing/limiters/clumped.js';
import { judgeTraffic } from './traffic.js';
import { traffic, type Around, type Manner } from './suite-traffic.test.support.js';

/** A bucket that gives back a quarter of the limit every quarter of a window. */
const inQuarters: MakeLimiter = (limit, windowMs, phaseMs) => {
  let [left, beat] = [limit, -Infinity];
  return (now) => {
    const current = Math.floor((now - phaseMs) / (windowMs / 4));
    if (beat !== -Infinity) left = Math.min(limit, left + (current - beat) * Math.floor(limit / 4));
    beat = current;
    const served = left > 0;
    if (served) left -= 1;
    const next = (current + 1) * (windowMs / 4) + phaseMs;
    return { served, remaining: left, resetAt: next, retryAt: left > 0 ? now : next };
  };
};

const ALGORITHMS: Readonly<Record<string, MakeLimiter>> = {
  'a fixed window': fixedFromFirst,
  'a window aligned to the clock': calendarWindow,
  'a sliding log, Reset by the oldest request': slidingLogOldest,
  'a sliding log, Reset by the newest request': slidingLogNewest,
  'a sliding counter': slidingCounter,
  'a token bucket': tokenBucket,
  'a bucket smaller than the plan': smallBucket,
  'a bucket that refills in quarters': inQuarters,
  'a bucket that refills each sixtieth of a window': clumped({
    share: 1 / 60,
    anchor: 'clock',
    amount: 'sum',
    holds: 1,
    reset: 'full',
  }),
  'a sliding window of ten parts': slidingParts(10),
  GCRA: gcra,
};

const broken = (make: MakeLimiter, around: Around, manner?: Manner): readonly string[] =>
  judgeTraffic(traffic(make, around, manner))
    .filter(({ finding }) => finding.kind === 'violated')
    .map(({ finding }) => finding.requirement)
    .toSorted();

const around = fc.record<Around>({
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  perMinute: fc.constantFrom(60, 300, 1000),
  minuteSeconds: fc.constantFrom(2, 10, 60),
  paceMs: fc.constantFrom(0.2, 3, 40, 300),
  grainMs: fc.constantFrom(0, 1, 1000),
  usedBefore: fc.constantFrom(0, 0, 1, 25, 56),
  errorsCount: fc.boolean(),
  noise: fc.constantFrom(0, 0.1, 0.25, 0.4),
});

/** Number of cases. For a longer search: `LIMIT_RUNS=500 node --test ...`. */
const runs = Number(process.env['LIMIT_RUNS'] ?? 40);

describe('suite requests violate nothing on a correct limiter', () => {
  for (const [name, make] of Object.entries(ALGORITHMS))
    it(name, () => {
      fc.assert(
        fc.property(around, (circumstances) => {
          assert.deepEqual(broken(make, circumstances), []);
        }),
        { numRuns: runs, includeErrorInReport: true },
      );
    });

  it('a bucket with a clock in whole seconds, near its refill steps', () => {
    const circumstances: Around = {
      seed: 772147498,
      perMinute: 60,
      minuteSeconds: 60,
      paceMs: 300,
      grainMs: 1000,
      usedBefore: 25,
      errorsCount: false,
      noise: 0.4,
    };
    assert.deepEqual(broken(tokenBucket, circumstances), []);
  });

  it('headers that alternate between minute and day', () => {
    fc.assert(
      fc.property(around, (circumstances) => {
        const inTurn: Manner = {
          limit: (figures, place) => (place % 2 === 0 ? figures.perMinute : figures.perDay),
          remaining: (left, figures, place) => (place % 2 === 0 ? left : figures.perDay - 500 - place),
        };
        assert.deepEqual(broken(fixedFromFirst, { ...circumstances, errorsCount: true }, inTurn), []);
      }),
      { numRuns: runs, includeErrorInReport: true },
    );
  });
});

/** Quick requests with an unused key: no refill explains a constant Remaining. */
const QUICK: Around = {
  seed: 1,
  perMinute: 60,
  minuteSeconds: 60,
  paceMs: 3,
  grainMs: 0,
  usedBefore: 0,
  errorsCount: true,
  noise: 0.1,
};

const FLAWS: readonly (readonly [name: string, rows: readonly string[], manner: Manner])[] = [
  ['Limit belongs to another plan', ['rate-limit-value'], { limit: () => 100 }],
  [
    'Limit belongs to another plan in every ninth response',
    ['rate-limit-value'],
    { limit: ({ perMinute }, place) => (place % 9 === 0 ? 100 : perMinute) },
  ],
  [
    'Remaining is constant',
    ['rate-remaining-counts'],
    { remaining: (_left, { perMinute }) => perMinute - 1 },
  ],
  [
    'Remaining falls by 2 per request',
    ['rate-remaining-counts'],
    { remaining: (left, { perMinute }) => Math.max(0, perMinute - 2 * (perMinute - left)) },
  ],
  [
    'Remaining falls by 0.5 per request',
    ['rate-remaining-counts'],
    { remaining: (left, { perMinute }) => perMinute - Math.floor((perMinute - left) / 2) },
  ],
  [
    'creations do not count',
    ['rate-all-operations'],
    { isCounted: (operation) => operation !== 'createPet' },
  ],
  ['fetches do not count', ['rate-all-operations'], { isCounted: (operation) => operation !== 'getPet' }],
  [
    'every fourth request does not count',
    ['rate-remaining-counts'],
    { isCounted: (_operation, place) => place % 4 !== 0 || place === 0 },
  ],
];

describe('suite requests', () => {
  for (const [name, rows, manner] of FLAWS)
    it(`detect that ${name}: ${rows.join(', ')}`, () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 2 ** 31 }), fc.boolean(), (seed, errorsCount) => {
          assert.deepEqual(broken(fixedFromFirst, { ...QUICK, seed, errorsCount }, manner), rows);
        }),
        // One order of requests in some thousands hides a flaw: the same orders in each run.
        { numRuns: runs, seed: 1, includeErrorInReport: true },
      );
    });

  it('detect a separate counter per path: rate-all-operations', () => {
    const { requests, ...rest } = traffic(fixedFromFirst, { ...QUICK, noise: 0 });
    // Order of the suites: a few controls among requests without the key, then creations, fetches and listings.
    const order = 'gp.gp.gppppppppffffflllll';
    const used = new Map<string, number>();
    const asked = requests.slice(0, order.length).map((sample, place): Sample => {
      const kind = order[place] ?? '.';
      const line = kind === 'f' || kind === 'l' ? `${kind}${place}` : kind;
      used.set(line, (used.get(line) ?? 0) + 1);
      const operation = kind === 'p' ? 'createPet' : kind === 'f' ? 'getPet' : 'listPets';
      return kind === '.'
        ? { ...sample, status: 0, remaining: null }
        : { ...sample, status: 200, operation, remaining: 60 - (used.get(line) ?? 0) };
    });
    const violated = judgeTraffic({ ...rest, requests: asked }).filter(
      ({ finding }) => finding.kind === 'violated',
    );
    assert.deepEqual(
      violated.map(({ finding }) => finding.requirement),
      ['rate-all-operations', 'rate-all-operations'],
    );
  });

  it('pass a correct counter and name the responses', () => {
    const findings = judgeTraffic(traffic(fixedFromFirst, QUICK));
    assert.deepEqual(
      findings.map(({ finding }) => [finding.requirement, finding.kind]),
      [
        ['rate-limit-value', 'kept'],
        ['rate-remaining-counts', 'kept'],
      ],
    );
    assert.ok(findings.every(({ answers }) => answers.length > 30));
  });

  it('pass a counter that an earlier run used, and no wrong one', () => {
    const used: Around = { ...QUICK, perMinute: 300, usedBefore: 25 };
    const kinds = (manner?: Manner, seed = 1): readonly string[] =>
      judgeTraffic(traffic(fixedFromFirst, { ...used, seed }, manner))
        .filter(({ finding }) => finding.requirement === 'rate-remaining-counts')
        .map(({ finding }) => finding.kind);
    assert.deepEqual(kinds(), ['kept']);
    for (const [name, rows, manner] of FLAWS)
      if (!rows.includes('rate-limit-value'))
        fc.assert(
          fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (seed) => {
            assert.ok(!kinds(manner, seed).includes('kept'), name);
          }),
          { numRuns: runs, seed: 1, includeErrorInReport: true },
        );
  });

  it('prove nothing about Remaining if shared or too few', () => {
    const constant: Manner = { remaining: () => 59 };
    assert.deepEqual(broken(fixedFromFirst, QUICK, { ...constant, isExclusive: false }), []);
    const { requests, ...rest } = traffic(fixedFromFirst, QUICK, constant);
    assert.deepEqual(
      judgeTraffic({ ...rest, requests: requests.slice(0, 2) }).map(({ finding }) => finding.kind),
      ['kept'],
    );
    assert.deepEqual(judgeTraffic({ ...rest, requests: [] }), []);
  });

  it('prove nothing from a single unprovoked 429', () => {
    const { requests, ...rest } = traffic(fixedFromFirst, QUICK);
    const once = requests.map((sample, place) =>
      place === 20 ? { ...sample, status: 429, retryAfter: '1' } : sample,
    );
    const kinds = judgeTraffic({ ...rest, requests: once }).map(({ finding }) => finding.kind);
    assert.ok(!kinds.includes('violated'), kinds.join());
  });
});
