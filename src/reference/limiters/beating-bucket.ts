import type { Algorithm, Allowance } from './limiter.js';

/** When and how much a bucket is given back. */
export interface BeatHabits {
  /** Of a window, between two beats. */
  readonly share: number;
  /** What beats are counted from, Unix ms: the first request's time is handed in. */
  readonly origin: (first: number) => number;
  /** Requests that a full bucket holds. */
  readonly capacity: (allowance: Allowance) => number;
  /** What comes back in one window, as a factor of the plan's limit. */
  readonly rate: number;
  /** What Reset tells: the next beat, or the one after which the bucket is full. */
  readonly reset: 'beat' | 'full';
}

/** A sum of parts is a hair less than the whole that it stands for. */
const HAIR = 1e-9;

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
