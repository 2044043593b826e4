import type { Algorithm, Allowance } from './windows.js';

/** Size and fill rate of a bucket. */
export interface BucketHabits {
  /** Requests that a full bucket holds. */
  readonly capacity: (allowance: Allowance) => number;
  /** Requests that come back in one window. */
  readonly refill: (allowance: Allowance) => number;
}

/** Rounding error of a sum of small parts. */
const HAIR = 1e-9;

/** A bucket that fills evenly. Each request takes one token. */
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

/** Holds a quarter of the plan, and refills at the plan's rate: a conformant way to limit bursts. */
export const smallBucket = bucket({
  capacity: ({ limit }) => Math.max(1, Math.floor(limit / 4)),
  refill: ({ limit }) => limit,
});

/**
 * Generic cell rate algorithm: stores by how many requests the caller is ahead of an even rate. `burst` is the size of a burst.
 * A stored time would have no room for fractions at today's dates.
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

/** Allows the whole plan in a burst, then an even rate. */
export const gcra = gcraWith(({ limit }) => limit);

/** A leaky bucket: allows a tenth of the plan in a burst, then an even rate. */
export const leakyBucket = gcraWith(({ limit }) => Math.max(1, Math.floor(limit / 10)));

/** Allows one request at a time, each after its gap. */
export const strictPacer = gcraWith(() => 1);

/** Times and amounts of a bucket's refills. */
export interface BeatHabits {
  /** Interval between two beats, as a part of a window. */
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

/** A bucket that refills only at beats, with all tokens since the previous one. */
export const beatingBucket =
  ({ share, origin, capacity, rate, reset }: BeatHabits): Algorithm =>
  (allowance) => {
    const most = capacity(allowance);
    const interval = allowance.windowMs * share;
    const each = allowance.limit * share * rate;
    let start: number | null = null;
    let beat = 0;
    let tokens = most;

    /** Whole requests refilled until a beat. */
    const broughtBy = (place: number): number => Math.floor(place * each + HAIR);
    const fill = (now: number): number => {
      start ??= origin(now);
      const current = Math.max(beat, Math.floor((now - start) / interval));
      tokens = Math.min(most, tokens + broughtBy(current) - broughtBy(beat));
      beat = current;
      return start;
    };
    /** Time when so many more are refilled. */
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

/** Refills a quarter of the plan every quarter of a window, from the first request (upstash, juju/ratelimit). */
export const byQuarters = beatingBucket({ ...PLAN, share: 1 / 4, origin: (first) => first, reset: 'beat' });

/** Refills a tenth of the plan every tenth of a window, by the clock (Bucket4j, intervally). */
export const byTenths = beatingBucket({ ...PLAN, share: 1 / 10, origin: () => 0, reset: 'full' });

/** Refills a sixtieth of the plan at each tick of the server's timer (ASP.NET, bottleneck, leaky-bucket). */
export const bySixtieths = beatingBucket({ ...PLAN, share: 1 / 60, origin: (first) => first - 7, reset: 'full' });

/** Refills half of the plan every half of a window, by the clock. */
export const byHalves = beatingBucket({ ...PLAN, share: 1 / 2, origin: () => 0, reset: 'beat' });

/** Refills a quarter of the plan every tenth of a window: two and a half times the plan in sum. */
export const quartersByTenths = beatingBucket({
  ...PLAN,
  share: 1 / 10,
  origin: () => 0,
  rate: 2.5,
  reset: 'full',
});
