import type { Algorithm } from './limiter.js';

/** Remembers when each request came: at most `limit` of them in any span of one window. */
export const slidingLog: Algorithm = ({ limit, windowMs }) => {
  let taken: number[] = [];
  const recall = (now: number) => {
    taken = taken.filter((at) => at > now - windowMs);
    return taken;
  };
  return {
    look: (now) => {
      const recent = recall(now);
      const admits = recent.length < limit;
      const oldest = recent[recent.length - limit] ?? now;
      return {
        admits,
        remaining: Math.max(0, limit - recent.length),
        resetAt: (recent[0] ?? now) + windowMs,
        retryAt: admits ? now : oldest + windowMs,
      };
    },
    take: (now) => {
      recall(now).push(now);
    },
    refuse: () => undefined,
  };
};
