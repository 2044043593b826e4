import { fixedWindow } from './fixed-window.js';
import type { Algorithm } from './limiter.js';

const SECOND_MS = 1000;

/**
 * An even rate, counted by the second, and the rest of the plan on top of it in each window, as rate-limiter-flexible's
 * BurstyRateLimiter: a client that never stops gets twice the plan, and three times as much in a bad window.
 */
export const allowanceOnTop: Algorithm = ({ limit, windowMs }) => {
  const perSecond = Math.max(1, Math.round((limit * SECOND_MS) / windowMs));
  const even = fixedWindow({ limit: perSecond, windowMs: SECOND_MS });
  const top = fixedWindow({ limit: Math.max(1, limit - perSecond), windowMs });
  return {
    look: (now) => {
      const [steady, extra] = [even.look(now), top.look(now)];
      const admits = steady.admits || extra.admits;
      return {
        admits,
        remaining: steady.remaining + extra.remaining,
        resetAt: extra.resetAt,
        retryAt: admits ? now : Math.min(steady.retryAt, extra.retryAt),
      };
    },
    take: (now) => (even.look(now).admits ? even : top).take(now),
    refuse: () => undefined,
  };
};
