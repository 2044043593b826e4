import type { Algorithm, Allowance } from './limiter.js';

/** A sum of small drains is a hair off the whole that it stands for. */
const HAIR = 1e-9;

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
