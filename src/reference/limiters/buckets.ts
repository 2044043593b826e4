import type { Algorithm, Allowance } from './windows.js';

/** Size and fill rate of a bucket. */
export interface BucketHabits {
  /** Requests that a full bucket holds. */
  readonly capacity: (allowance: Allowance) => number;
  /** Requests that come back in one window. */
  readonly refill: (allowance: Allowance) => number;
}

/** A sum of small parts is a hair off the whole that it stands for. */
const HAIR = 1e-9;

/** A bucket that fills evenly; each request takes one out. */
export const bucket =
  ({ capacity, refill }: BucketHabits): Algorithm =>
  (allowance) => {
    const most = capacity(allowance);
    const perMs = refill(allowance) / allowance.windowMs;
    let tokens = most;
    let filledAt = Number.NEGATIVE_INFINITY;

    const fill = (now: number) => {
      if (filledAt !== Number.NEGATIVE_INFINITY) tokens = Math.min(most, tokens + Math.max(0, now - filledAt) * perMs);
      filledAt = Math.max(now, filledAt);
    };

    return {
      look: (now) => {
        fill(now);
        const admits = tokens + HAIR >= 1;
        return {
          admits,
          remaining: Math.max(0, Math.floor(tokens + HAIR)),
          resetAt: now + (most - tokens) / perMs,
          retryAt: admits ? now : now + (1 - tokens) / perMs,
        };
      },
      take: (now) => {
        fill(now);
        tokens -= 1;
      },
      refuse: () => undefined,
    };
  };

/** Holds the whole plan, and refills it in one window. */
export const tokenBucket = bucket({ capacity: ({ limit }) => limit, refill: ({ limit }) => limit });

/** Holds a quarter of the plan, and refills at the plan's rate: a lawful way to keep bursts short. */
export const smallBucket = bucket({
  capacity: ({ limit }) => Math.max(1, Math.floor(limit / 4)),
  refill: ({ limit }) => limit,
});

/**
 * The generic cell rate algorithm: remembers how many requests the caller is ahead of an even pace. `burst` is how
 * many may come at once. Kept as that lead, and not as a time, which at today's dates has no room for fractions.
 */
export const gcraWith =
  (burst: (allowance: Allowance) => number): Algorithm =>
  (allowance) => {
    const gap = allowance.windowMs / allowance.limit;
    const most = burst(allowance);
    let lead = 0;
    let measuredAt = Number.NEGATIVE_INFINITY;

    const measure = (now: number) => {
      lead = Math.max(0, lead - Math.max(0, now - measuredAt) / gap);
      measuredAt = Math.max(now, measuredAt);
    };

    return {
      look: (now) => {
        measure(now);
        const admits = lead + 1 <= most + HAIR;
        return {
          admits,
          remaining: Math.max(0, Math.floor(most - lead + HAIR)),
          resetAt: now + lead * gap,
          retryAt: admits ? now : now + (lead + 1 - most) * gap,
        };
      },
      take: (now) => {
        measure(now);
        lead += 1;
      },
      refuse: () => undefined,
    };
  };

/** The whole plan at once, and then evenly. */
export const gcra = gcraWith(({ limit }) => limit);

/** A leaky bucket that lets a tenth of the plan through at once, and then evenly. */
export const leakyBucket = gcraWith(({ limit }) => Math.max(1, Math.floor(limit / 10)));

/** One request at a time, each after its gap. */
export const strictPacer = gcraWith(() => 1);

/** Times and amounts of a bucket's refills. */
export interface BeatHabits {
  /** Of a window, between two beats. */
  readonly share: number;
  /** Start of the beats, Unix ms, given the first request's time. */
  readonly origin: (first: number) => number;
  /** Requests that a full bucket holds. */
  readonly capacity: (allowance: Allowance) => number;
  /** Refill in one window, as a factor of the plan's limit. */
  readonly rate: number;
  /** Meaning of Reset: the next beat, or the beat that fills the bucket. */
  readonly reset: 'beat' | 'full';
}

/** A bucket that is given back at each beat, and all at once, what the time since the one before has brought. */
export const beatingBucket =
  ({ share, origin, capacity, rate, reset }: BeatHabits): Algorithm =>
  (allowance) => {
    const most = capacity(allowance);
    const interval = allowance.windowMs * share;
    const each = allowance.limit * share * rate;
    let start: number | null = null;
    let beat = 0;
    let tokens = most;

    /** What all beats up to one have brought, in whole requests. */
    const broughtBy = (place: number): number => Math.floor(place * each + HAIR);
    const fill = (now: number): number => {
      start ??= origin(now);
      const current = Math.max(beat, Math.floor((now - start) / interval));
      tokens = Math.min(most, tokens + broughtBy(current) - broughtBy(beat));
      beat = current;
      return start;
    };
    /** When so many more have come back. */
    const backAt = (from: number, missing: number): number => {
      let place = beat + Math.max(1, Math.floor(missing / each));
      while (broughtBy(place) - broughtBy(beat) < missing) place += 1;
      return from + place * interval;
    };

    return {
      look: (now) => {
        const from = fill(now);
        const admits = tokens >= 1;
        return {
          admits,
          remaining: tokens,
          resetAt: backAt(from, reset === 'beat' ? 1 : most - tokens),
          retryAt: admits ? now : backAt(from, 1),
        };
      },
      take: (now) => {
        fill(now);
        tokens -= 1;
      },
      refuse: () => undefined,
    };
  };

const PLAN = { capacity: ({ limit }: Allowance) => limit, rate: 1 };

/** A quarter of the plan every quarter of a window, from the first request on (upstash, juju/ratelimit). */
export const byQuarters = beatingBucket({ ...PLAN, share: 1 / 4, origin: (first) => first, reset: 'beat' });

/** A tenth of the plan every tenth of a window, by the clock (Bucket4j, intervally). */
export const byTenths = beatingBucket({ ...PLAN, share: 1 / 10, origin: () => 0, reset: 'full' });

/** A sixtieth of the plan at each stroke of a timer that the server started (ASP.NET, bottleneck, leaky-bucket). */
export const bySixtieths = beatingBucket({ ...PLAN, share: 1 / 60, origin: (first) => first - 7, reset: 'full' });

/** Half of the plan every half of a window, by the clock. */
export const byHalves = beatingBucket({ ...PLAN, share: 1 / 2, origin: () => 0, reset: 'beat' });

/** A quarter of the plan every tenth of a window: two and a half times the plan in sum. */
export const quartersByTenths = beatingBucket({
  ...PLAN,
  share: 1 / 10,
  origin: () => 0,
  rate: 2.5,
  reset: 'full',
});
