import { bucket } from '../../reference/limiters/buckets.js';
import { type Beat, clumped } from '../limiters/clumped.js';
import {
  countingLate,
  fixedFromFirst,
  slidingLogOldest,
  type Limiter,
  type MakeLimiter,
  ofReference,
} from '../limiters/limiters.js';
import type { Asked, Behaviour, Draft } from '../limiters/server.js';

/** A sound fixed window, but for what is named. */
export const flawed = (flaw: Partial<Behaviour>): Behaviour => ({ make: fixedFromFirst, ...flaw });

const spoiling = (spoil: (draft: Draft, asked: Asked) => Partial<Draft>): Behaviour =>
  flawed({ spoil: (draft, asked) => ({ ...draft, ...spoil(draft, asked) }) });

const scaled = (factor: number): Behaviour =>
  flawed({ applied: (figures) => ({ ...figures, perMinute: Math.round(figures.perMinute * factor) }) });

/** Remaining as the plan's limit would have it, whatever the limiter really allows. */
const countedFromPlan = (draft: Draft, { decision, figures }: Asked, allowed: number): Draft => ({
  ...draft,
  remaining: String(Math.max(0, figures.perMinute - (allowed - decision.remaining))),
});

/** One request too many, the first of a window: Remaining stands at one below the limit for the first two. */
export const oneOver = (make: MakeLimiter): Behaviour => ({
  make,
  applied: (figures) => ({ ...figures, perMinute: figures.perMinute + 1 }),
  spoil: (draft, { decision, figures }) => ({
    ...draft,
    remaining: String(Math.min(decision.remaining, figures.perMinute - 1)),
  }),
});

const onRefusal = (change: Partial<Draft>) => (draft: Draft) => (draft.status === 429 ? change : {});

/** Each limiter flaw that a real implementer makes, and the rows that it breaks: these and no others. */
export const FLAWS: readonly (readonly [
  name: string,
  rows: readonly string[],
  behaviour: Behaviour | (() => Behaviour),
])[] = [
  [
    'no limit at all',
    ['rate-429'],
    flawed({
      applied: (figures) => ({ ...figures, perMinute: 1e6 }),
      spoil: (draft, asked) => countedFromPlan(draft, asked, 1e6),
    }),
  ],
  [
    'one request too many',
    ['rate-429'],
    flawed({
      applied: (figures) => ({ ...figures, perMinute: figures.perMinute + 1 }),
      spoil: (draft, asked) => countedFromPlan(draft, asked, asked.figures.perMinute + 1),
    }),
  ],
  [
    '10 % too many',
    ['rate-429'],
    flawed({
      ...scaled(1.1),
      spoil: (draft, asked) => countedFromPlan(draft, asked, Math.round(asked.figures.perMinute * 1.1)),
    }),
  ],
  ['10 % too few', ['rate-not-early'], scaled(0.9)],
  [
    'one request too few',
    ['rate-not-early'],
    flawed({ applied: (figures) => ({ ...figures, perMinute: figures.perMinute - 1 }) }),
  ],
  ['3 % too few', ['rate-not-early'], scaled(0.97)],
  [
    '10 % too few, while Remaining promises the rest',
    ['rate-not-early'],
    flawed({
      ...scaled(0.9),
      spoil: (draft, asked) => countedFromPlan(draft, asked, Math.round(asked.figures.perMinute * 0.9)),
    }),
  ],
  [
    'Pro is given the limit of Free',
    ['rate-limit-value', 'rate-not-early'],
    flawed({
      applied: (figures, key) => (key === 'pro' ? { ...figures, perMinute: figures.perMinute / 3 } : figures),
      spoil: (draft, { key, figures }) => (key === 'pro' ? { ...draft, limit: String(figures.perMinute / 3) } : draft),
    }),
  ],
  ['one allowance for all keys', ['rate-per-key'], oneForAll],
  [
    'only GET counts',
    ['rate-all-operations'],
    () =>
      flawed({ countedBy: (key, operation) => (operation === 'createPet' ? null : key), spoil: createdUncounted() }),
  ],
  [
    'lets every fourth through uncounted',
    ['rate-429'],
    () => flawed({ countedBy: (key, _operation, count) => (count % 4 === 0 ? null : key), spoil: createdUncounted() }),
  ],
  ['checks, then counts', ['rate-concurrent'], flawed({ make: countingLate(0.3) })],
  ['503 in place of 429', ['rate-429'], spoiling(onRefusal({ status: 503 }))],
  ['403 in place of 429', ['rate-429'], spoiling(onRefusal({ status: 403 }))],
  ['no Retry-After', ['rate-retry-after-present'], spoiling(onRefusal({ retryAfter: null }))],
  [
    'no Retry-After on POST',
    ['rate-retry-after-present'],
    spoiling((draft, { operation }) => (draft.status === 429 && operation === 'createPet' ? { retryAfter: null } : {})),
  ],
  ['Retry-After is garbage', ['rate-retry-after-present'], spoiling(onRefusal({ retryAfter: 'soon' }))],
  ['Retry-After is negative', ['rate-retry-after-present'], spoiling(onRefusal({ retryAfter: '-5' }))],
  [
    'Retry-After in ms',
    ['rate-retry-after-present'],
    spoiling((draft) => (draft.status === 429 ? { retryAfter: `${Number(draft.retryAfter) * 1000}` } : {})),
  ],
  ['Retry-After too short', ['rate-retry-after-honoured'], spoiling(onRefusal({ retryAfter: '0' }))],
  [
    'a sixth of the window',
    ['rate-window'],
    flawed({ applied: (figures) => ({ ...figures, minuteSeconds: figures.minuteSeconds / 6 }) }),
  ],
  [
    'half of the window',
    ['rate-window'],
    flawed({ applied: (figures) => ({ ...figures, minuteSeconds: figures.minuteSeconds / 2 }) }),
  ],
  [
    'half of the window, sliding',
    ['rate-window'],
    {
      make: slidingLogOldest,
      applied: (figures) => ({ ...figures, minuteSeconds: figures.minuteSeconds / 2 }),
    },
  ],
  [
    'a bucket that fills at half the rate',
    ['rate-not-early'],
    flawed({
      make: ofReference(bucket({ capacity: ({ limit }) => limit, refill: ({ limit }) => limit / 2 })),
      spoil: (draft, { now, figures }) => ({
        ...draft,
        reset: String(Math.min(Number(draft.reset), Math.ceil(now / 1000 + figures.minuteSeconds))),
      }),
    }),
  ],
  [
    'Reset in ms',
    ['rate-headers-wellformed'],
    spoiling((_draft, { decision }) => ({ reset: String(Math.ceil(decision.resetAt)) })),
  ],
  [
    'Reset as seconds to go',
    ['rate-headers-wellformed'],
    spoiling((_draft, { decision, now }) => ({ reset: String(Math.ceil((decision.resetAt - now) / 1000)) })),
  ],
  [
    'Reset as a float',
    ['rate-headers-wellformed'],
    spoiling((_draft, { decision }) => ({ reset: String(decision.resetAt / 1000 + 0.25) })),
  ],
  [
    'Reset in the past',
    ['rate-headers-wellformed'],
    spoiling((_draft, { now }) => ({ reset: String(Math.floor(now / 1000) - 300) })),
  ],
  [
    'Reset an hour off',
    ['rate-headers-wellformed'],
    spoiling((draft) => ({ reset: String(Number(draft.reset) + 3600) })),
  ],
  ['never restores', ['rate-reset-truthful', 'rate-retry-after-honoured'], flawed({ make: neverRestored })],
  [
    'Remaining stands still',
    ['rate-remaining-counts'],
    spoiling((_draft, { figures }) => ({ remaining: String(figures.perMinute - 1) })),
  ],
  [
    'Remaining falls by two',
    ['rate-remaining-counts'],
    spoiling((_draft, { decision, figures }) => ({
      remaining: String(Math.max(0, figures.perMinute - 2 * (figures.perMinute - decision.remaining))),
    })),
  ],
  [
    'Remaining is negative',
    ['rate-headers-wellformed'],
    spoiling((_draft, { decision, figures }) => ({ remaining: String(decision.remaining - figures.perMinute) })),
  ],
  [
    'Remaining above Limit',
    ['rate-headers-wellformed'],
    spoiling((_draft, { decision, figures }) => ({ remaining: String(decision.remaining + figures.perMinute) })),
  ],
  [
    'no rate headers on 429',
    ['rate-headers-present'],
    spoiling(onRefusal({ limit: null, remaining: null, reset: null })),
  ],
  [
    'no rate headers on every fifth answer',
    ['rate-headers-present'],
    spoiling((_draft, { count }) => (count % 5 === 0 ? { limit: null, remaining: null, reset: null } : {})),
  ],
  [
    'banned at the first 429 with 403',
    ['ban-only-after-abuse'],
    flawed({ ban: { after: 1, ms: 400_000, status: 403 } }),
  ],
  [
    'banned at the first 429 with 401',
    ['ban-only-after-abuse'],
    flawed({ ban: { after: 1, ms: 400_000, status: 401 } }),
  ],
  [
    'banned at the first 429 with 429',
    ['ban-only-after-abuse'],
    flawed({ ban: { after: 1, ms: 400_000, status: 429 } }),
  ],
];

/** One count for all keys, each refused at its own limit. */
function oneForAll(): Behaviour {
  let [end, total] = [-Infinity, 0];
  const make: MakeLimiter = (limit, windowMs) => (now) => {
    if (now >= end) [end, total] = [now + windowMs, 0];
    const served = total < limit;
    if (served) total += 1;
    return { served, remaining: Math.max(0, limit - total), resetAt: end, retryAt: end };
  };
  return flawed({ make });
}

/** A window that ends and begins anew as said, but nothing comes back. */
function neverRestored(limit: number, windowMs: number): Limiter {
  let [end, count] = [-Infinity, 0];
  return (now) => {
    if (now >= end) end = now + windowMs;
    const served = count < limit;
    if (served) count += 1;
    return { served, remaining: limit - count, resetAt: end, retryAt: end };
  };
}

/** What is not counted says what is left, and is served. */
function createdUncounted(): NonNullable<Behaviour['spoil']> {
  const left = new Map<string, Draft>();
  return (draft, { key, decision, now }) => {
    if (decision.retryAt === now && decision.resetAt === now && decision.remaining === 0) {
      const last = left.get(key);
      return last === undefined ? draft : { ...draft, remaining: last.remaining, reset: last.reset };
    }
    left.set(key, draft);
    return draft;
  };
}

/** Bans, each with what the ban profile must say of it. */
export const BANS: readonly (readonly [
  name: string,
  rows: readonly string[],
  ban: NonNullable<Behaviour['ban']>,
  declared: number | null,
])[] = [
  ['a ban with 403 that ends', [], { after: 5, ms: 4000, status: 403 }, 900],
  ['a ban with 401 that ends', [], { after: 5, ms: 4000, status: 401 }, null],
  ['a ban with 429 that ends', [], { after: 5, ms: 100_000, status: 429 }, null],
  ['a ban for ever', ['ban-temporary'], { after: 5, ms: 1e9, status: 403 }, 10],
  ['a ban of every key', ['ban-only-that-key'], { after: 5, ms: 4000, status: 403, everyKey: true }, 900],
];

const QUARTERS: Beat = { share: 1 / 4, anchor: 'start', amount: 'sum', holds: 1, reset: 'beat' };

/** A bucket that gives back too much at a beat, or holds more than the plan. */
export const TOO_MUCH_AT_A_BEAT: readonly (readonly [name: string, behaviour: Behaviour])[] = [
  ['a quarter every tenth of a window', { make: clumped({ ...QUARTERS, share: 1 / 10, rate: 2.5 }) }],
  ['a quarter every sixth of a window', { make: clumped({ ...QUARTERS, share: 1 / 6, rate: 1.5 }) }],
  ['a tenth every twentieth of a window', { make: clumped({ ...QUARTERS, share: 1 / 20, rate: 2 }) }],
  ['a sixtieth of a plan of twice the size', { make: clumped({ ...QUARTERS, share: 1 / 60, rate: 2 }) }],
  [
    'a bucket that holds a fifth more than it owns up to',
    {
      make: clumped({ ...QUARTERS, holds: 1.2 }),
      spoil: (draft, { figures }) => ({
        ...draft,
        remaining: String(Math.max(0, Number(draft.remaining) - figures.perMinute / 5)),
      }),
    },
  ],
  [
    'a bucket that holds one more than it owns up to',
    {
      make: clumped({ ...QUARTERS, holds: 1.0167 }),
      spoil: (draft) => ({ ...draft, remaining: String(Math.max(0, Number(draft.remaining) - 1)) }),
    },
  ],
];

/** A fixed window that refuses every thirty-seventh request besides. */
export const refusingEvery37th: MakeLimiter = (limit, windowMs, phaseMs) => {
  const limiter = fixedFromFirst(limit, windowMs, phaseMs);
  let asked = 0;
  return (now) => ((asked += 1) % 37 === 0 ? { ...limiter(now), served: false, retryAt: now + 1000 } : limiter(now));
};
