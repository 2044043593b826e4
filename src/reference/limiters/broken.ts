import { type Algorithm, fixedWindow, type Look } from './windows.js';

/** Limiters that are made of sound ones and do one thing wrong. */

/** Looks at an allowance as the sound algorithm does, and then says something else. */
export const misread =
  (algorithm: Algorithm, alter: (look: Look, now: number, limit: number) => Look): Algorithm =>
  (allowance) => {
    const limiter = algorithm(allowance);
    return { ...limiter, look: (now) => alter(limiter.look(now), now, allowance.limit) };
  };

/** The same algorithm with another allowance behind it: factors of the plan's limit and of its window. */
export const scaled =
  (algorithm: Algorithm, limit: (limit: number) => number, window = 1): Algorithm =>
  (allowance) =>
    algorithm({ limit: limit(allowance.limit), windowMs: allowance.windowMs * window });

/** What it says of times is of windows that begin with the first request after one of them was over, twice as long as its own. */
export const toldAsWhole =
  (algorithm: Algorithm): Algorithm =>
  (allowance) => {
    const limiter = algorithm(allowance);
    let began = -Infinity;
    let lastLeft = allowance.limit;
    return {
      ...limiter,
      look: (now) => {
        const look = limiter.look(now);
        const resetAt = began + allowance.windowMs;
        return { ...look, resetAt: Math.max(now, resetAt), retryAt: look.admits ? now : resetAt };
      },
      take: (now) => {
        const { remaining } = limiter.look(now);
        if (remaining > lastLeft || began === -Infinity) began = now;
        limiter.take(now);
        lastLeft = limiter.look(now).remaining;
      },
    };
  };

/** Never refuses. */
export const unlimited = (algorithm: Algorithm): Algorithm =>
  misread(algorithm, (look, now) => ({ ...look, admits: true, retryAt: now }));

/** Admits `extra(limit)` more than it owns up to: Remaining stands at 0 meanwhile. */
export const overserving =
  (algorithm: Algorithm, extra: (limit: number) => number): Algorithm =>
  (allowance) => {
    const more = extra(allowance.limit);
    const limiter = algorithm({ ...allowance, limit: allowance.limit + more });
    return {
      ...limiter,
      look: (now) => {
        const look = limiter.look(now);
        return { ...look, remaining: Math.max(0, look.remaining - more) };
      },
    };
  };

/** Admits `extra(limit)` more than it owns up to: Remaining stands at one below the limit until they are gone. */
export const undercounting =
  (algorithm: Algorithm, extra: (limit: number) => number): Algorithm =>
  (allowance) => {
    const { limit } = allowance;
    const limiter = algorithm({ ...allowance, limit: limit + extra(limit) });
    return {
      ...limiter,
      look: (now) => {
        const look = limiter.look(now);
        return { ...look, remaining: Math.min(look.remaining, limit - 1) };
      },
    };
  };

/** Once it has refused, it refuses for ever; what it says is what a sound one would. */
export const unforgiving =
  (algorithm: Algorithm): Algorithm =>
  (allowance) => {
    const limiter = algorithm(allowance);
    let isSpent = false;
    return {
      ...limiter,
      look: (now) => {
        const look = limiter.look(now);
        return isSpent ? { ...look, admits: false, remaining: 0, retryAt: now + allowance.windowMs } : look;
      },
      refuse: (now) => {
        limiter.refuse(now);
        isSpent = true;
      },
    };
  };

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
