import type { Algorithm, Allowance } from '../../reference/limiter.js';

/** Rounding error of a sum of small parts. */
const HAIR = 1e-9;

/**
 * A bucket that fills evenly. Each request takes one token.
 *
 * @param capacity requests that a full bucket holds, of the plan's limit
 * @param rate refill in one window, as a factor of the plan's limit
 */
export const bucket =
  (capacity: (limit: number) => number, rate = 1): Algorithm =>
  ({ limit, windowMs }) => {
    const most = Math.max(1, capacity(limit));
    const perMs = (limit * rate) / windowMs;
    let tokens = most;
    let filledAt = Number.NEGATIVE_INFINITY;

    return {
      look: (now) => {
        if (filledAt !== Number.NEGATIVE_INFINITY)
          tokens = Math.min(most, tokens + Math.max(0, now - filledAt) * perMs);
        filledAt = Math.max(now, filledAt);
        const admits = tokens + HAIR >= 1;
        return {
          admits,
          remaining: Math.max(0, Math.floor(tokens + HAIR)),
          resetAt: now + (most - tokens) / perMs,
          retryAt: admits ? now : now + (1 - tokens) / perMs,
        };
      },
      take: () => (tokens -= 1),
    };
  };

/**
 * Holds the whole plan, and refills it in one window. The generic cell rate algorithm is this bucket, stored
 * as a time.
 */
export const tokenBucket = bucket((limit) => limit);

/** Holds a quarter of the plan, and refills at the plan's rate: a conformant way to limit bursts. */
export const smallBucket = bucket((limit) => Math.floor(limit / 4));

export const leakyBucket = bucket((limit) => Math.floor(limit / 10));

export const strictPacer = bucket(() => 1);

interface BeatHabits {
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
    /** Time when so many more are refilled. */
    const backAt = (from: number, missing: number): number => {
      let place = beat + Math.max(1, Math.floor(missing / each));
      while (broughtBy(place) - broughtBy(beat) < missing) place += 1;
      return from + place * interval;
    };

    return {
      look: (now) => {
        const from = (start ??= origin(now));
        const current = Math.max(beat, Math.floor((now - from) / interval));
        tokens = Math.min(most, tokens + broughtBy(current) - broughtBy(beat));
        beat = current;
        const admits = tokens >= 1;
        return {
          admits,
          remaining: tokens,
          resetAt: backAt(from, reset === 'beat' ? 1 : most - tokens),
          retryAt: admits ? now : backAt(from, 1),
        };
      },
      take: () => (tokens -= 1),
    };
  };

const beating = (
  share: number,
  origin: BeatHabits['origin'],
  reset: BeatHabits['reset'],
  rate = 1,
): Algorithm => beatingBucket({ share, origin, reset, rate, capacity: ({ limit }) => limit });

const byClock = (): number => 0;

/** Refills a quarter of the plan every quarter of a window, from the first request (upstash, juju/ratelimit). */
export const byQuarters = beating(1 / 4, (first) => first, 'beat');

/** Refills a tenth of the plan every tenth of a window, by the clock (Bucket4j, intervally). */
export const byTenths = beating(1 / 10, byClock, 'full');

/** Refills a sixtieth of the plan at each tick of the server's timer (ASP.NET, bottleneck, leaky-bucket). */
export const bySixtieths = beating(1 / 60, (first) => first - 7, 'full');

export const byHalves = beating(1 / 2, byClock, 'beat');

/** Refills a quarter of the plan every tenth of a window: two and a half times the plan in sum. */
export const quartersByTenths = beating(1 / 10, byClock, 'full', 2.5);
