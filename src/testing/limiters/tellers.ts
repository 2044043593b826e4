import { randomFrom } from '../../base/kernel/random.js';
import type { Algorithm } from '../../reference/limiter.js';
import type { MakeLimiter } from './limiters.js';

// Correct limiters whose headers describe another moment than that of the decision.

/** Works for a random time up to so long before it answers, and reports what is left by then. */
export const tellingLate =
  (longestMs: number, algorithm: Algorithm): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = algorithm({ limit, windowMs });
    const random = randomFrom(23);
    return (now) => {
      const at = now - phaseMs;
      const { admits, retryAt } = limiter.look(at);
      if (admits) limiter.take(at);
      else limiter.refuse?.(at);
      const delayMs = admits ? random() * longestMs : 0;
      const { remaining, resetAt } = limiter.look(at + delayMs);
      return { served: admits, remaining, resetAt: resetAt + phaseMs, retryAt: retryAt + phaseMs, delayMs };
    };
  };

/** Names a window from now as Reset, whatever comes back before. */
export const aWindowAhead =
  (make: MakeLimiter): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = make(limit, windowMs, phaseMs);
    return (now) => ({ ...limiter(now), resetAt: now + windowMs });
  };

/** A full bucket that works for so long before it answers, and reports what is left by then. */
export const tellingAfterwards =
  (workMs: number): MakeLimiter =>
  (limit, windowMs) => {
    let [left, since] = [limit, -Infinity];
    const fillTo = (now: number): number => Math.min(limit, left + ((now - since) * limit) / windowMs);
    return (now) => {
      [left, since] = [fillTo(now), now];
      const served = left >= 1;
      if (served) left -= 1;
      return {
        served,
        remaining: served ? Math.floor(fillTo(now + workMs)) : 0,
        resetAt: now + ((limit - left) * windowMs) / limit,
        retryAt: served ? now : now + ((1 - left) * windowMs) / limit,
        delayMs: served ? workMs : 0,
      };
    };
  };
