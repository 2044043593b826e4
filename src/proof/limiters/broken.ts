import { type Algorithm, fixedWindow } from '../../reference/limiter.js';
import { misread } from './windows.js';

/** Limiters made of sound ones, each with one fault. */

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

export const unlimited: Algorithm = misread(fixedWindow, (_look, now) => ({ admits: true, retryAt: now }));

const overserved = (
  extra: (limit: number) => number,
  reported: (remaining: number, limit: number) => number,
): Algorithm =>
  misread(
    scaled(fixedWindow, (limit) => limit + extra(limit)),
    ({ remaining }, _now, { limit }) => ({ remaining: reported(remaining, limit) }),
  );

/** Admits `extra(limit)` more than it reports, with a Remaining of 0. */
export const overserving = (extra: (limit: number) => number): Algorithm =>
  overserved(extra, (remaining, limit) => Math.max(0, remaining - extra(limit)));

/** Admits one more than it reports, with a Remaining of one below the limit until then. */
export const undercounting: Algorithm = overserved(
  () => 1,
  (remaining, limit) => Math.min(remaining, limit - 1),
);

/** Refuses forever after the first refusal; its figures are a sound one's. */
export const unforgiving: Algorithm = (allowance) => {
  let isSpent = false;
  const spent = misread(fixedWindow, (_look, now) =>
    isSpent ? { admits: false, remaining: 0, retryAt: now + allowance.windowMs } : {},
  );
  return { ...spent(allowance), refuse: () => (isSpent = true) };
};

const SECOND_MS = 1000;

/**
 * An even rate, counted by the second, plus the rest of the plan in each window, as rate-limiter-flexible's
 * BurstyRateLimiter. A client that never stops gets twice the plan, and at worst three times.
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
  };
};
