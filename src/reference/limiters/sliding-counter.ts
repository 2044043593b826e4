import type { Algorithm } from './limiter.js';

/** The estimate is a sum of fractions, a hair off the whole that it stands for. */
const HAIR = 1e-9;

/**
 * Two counters in place of a log: the window before counts by the part of it that a window ending now still covers.
 * Windows follow the clock.
 */
export const slidingCounter: Algorithm = ({ limit, windowMs }) => {
  let openedAt = Number.NEGATIVE_INFINITY;
  let before = 0;
  let count = 0;

  const roll = (now: number) => {
    const opens = Math.floor(now / windowMs) * windowMs;
    if (opens === openedAt) return;
    before = opens === openedAt + windowMs ? count : 0;
    count = 0;
    openedAt = opens;
  };

  /** When the estimate leaves room for one more, if nobody sends meanwhile. */
  const roomAt = (): number => {
    const room = limit - 1 - count;
    return room >= 0
      ? openedAt + windowMs * Math.max(0, 1 - room / before)
      : openedAt + windowMs * (2 - (limit - 1) / count);
  };

  return {
    look: (now) => {
      roll(now);
      const estimate = before * (1 - (now - openedAt) / windowMs) + count;
      const admits = estimate + 1 <= limit + HAIR;
      const retryAt = admits ? now : Math.max(now, roomAt());
      return {
        admits,
        remaining: Math.max(0, Math.floor(limit - estimate + HAIR)),
        resetAt: Math.max(openedAt + windowMs, retryAt),
        retryAt,
      };
    },
    take: (now) => {
      roll(now);
      count += 1;
    },
    refuse: () => undefined,
  };
};
