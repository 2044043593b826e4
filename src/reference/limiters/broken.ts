import { type Algorithm, fixedWindow, type Look } from './windows.js';

/** Limiters made of sound ones, each with one fault. */

/** Changes the reading of a sound algorithm. */
export const misread =
  (algorithm: Algorithm, alter: (look: Look, now: number, limit: number) => Look): Algorithm =>
  (allowance) => {
    const limiter = algorithm(allowance);
    return { ...limiter, look: (now) => alter(limiter.look(now), now, allowance.limit) };
  };

/** Changes the allowance of an algorithm: limit, and factor of its window. */
export const scaled =
  (algorithm: Algorithm, limit: (limit: number) => number, window = 1): Algorithm =>
  (allowance) =>
    algorithm({ limit: limit(allowance.limit), windowMs: allowance.windowMs * window });

/** Windows of another length, as a part or a multiple of the plan's. */
export const lasting = (windows: number): Algorithm => scaled(fixedWindow, (limit) => limit, windows);

/** Reports the times of windows twice as long as its own, each from the first request after the last one. */
export const reportedAsWhole =
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

/** Admits `extra(limit)` more than it reports, with a Remaining of 0. */
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

/** Admits `extra(limit)` more than it reports, with a Remaining of one below the limit until then. */
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

/** Refuses forever after the first refusal; its figures are a sound one's. */
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
 * An even rate, counted by the second, plus the rest of the plan in each window, as rate-limiter-flexible's BurstyRateLimiter.
 * A client that never stops gets twice the plan, and at worst three times.
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
