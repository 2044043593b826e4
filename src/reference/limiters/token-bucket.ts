import type { Algorithm, Allowance } from './limiter.js';

/** How large a bucket is and how fast it fills. */
export interface BucketHabits {
  /** Requests that a full bucket holds. */
  readonly capacity: (allowance: Allowance) => number;
  /** Requests that come back in one window. */
  readonly refill: (allowance: Allowance) => number;
}

/** A sum of small refills is a hair less than the whole that it stands for. */
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
