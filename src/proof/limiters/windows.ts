import { type Algorithm, type Allowance, type Look, windowed, withFirst } from '../../reference/limiter.js';

const second = (now: number): number => Math.floor(now / 1000) * 1000;

export const bySeconds =
  (algorithm: Algorithm): Algorithm =>
  (allowance) => {
    const limiter = algorithm(allowance);
    return {
      look: (now) => limiter.look(second(now)),
      take: (now) => limiter.take(second(now)),
      refuse: (now) => limiter.refuse?.(second(now)),
    };
  };

export const misread =
  (
    algorithm: Algorithm,
    alter: (look: Look, now: number, allowance: Allowance) => Partial<Look>,
  ): Algorithm =>
  (allowance) => {
    const limiter = algorithm(allowance);
    return {
      ...limiter,
      look: (now) => {
        const look = limiter.look(now);
        return { ...look, ...alter(look, now, allowance) };
      },
    };
  };

export const countingRefusals =
  (algorithm: Algorithm): Algorithm =>
  (allowance) => {
    const limiter = algorithm(allowance);
    return { ...limiter, refuse: limiter.take };
  };

/** Windows follow the clock: whole minutes, whole days. */
export const calendarWindow = windowed((now, windowMs) => Math.floor(now / windowMs) * windowMs);

/** Restarts the window at every refusal, as some gateways offer. */
export const renewedWindow = windowed(withFirst, 'refusals');

/** A counter whose expiry every served request renews. */
export const expiryRenewed = windowed(withFirst, 'requests');

/** A counter whose expiry every request renews, even a refused one. */
export const expiryRenewedByRefusals = windowed(withFirst, 'refusals', 'requests');

/** Stores the time of each request: at most `limit` in any span of one window. */
export const slidingLog: Algorithm = ({ limit, windowMs }) => {
  let taken: number[] = [];
  // The next one to leave, so that a burst need not look at all.
  let earliest = Infinity;
  return {
    look: (now) => {
      if (earliest <= now - windowMs) {
        taken = taken.filter((at) => at > now - windowMs);
        earliest = taken.reduce((least, at) => Math.min(least, at), Infinity);
      }
      const admits = taken.length < limit;
      const oldest = taken[taken.length - limit] ?? now;
      return {
        admits,
        remaining: Math.max(0, limit - taken.length),
        resetAt: (taken[0] ?? now) + windowMs,
        retryAt: admits ? now : oldest + windowMs,
      };
    },
    take: (now) => {
      taken.push(now);
      earliest = Math.min(earliest, now);
    },
  };
};

/** Rounding error of the estimate, a sum of fractions. */
const HAIR = 1e-9;

/** Two counters instead of a log: the previous window counts in part. Windows follow the clock. */
export const slidingCounter: Algorithm = ({ limit, windowMs }) => {
  let openedAt = Number.NEGATIVE_INFINITY;
  let before = 0;
  let count = 0;

  /** Time when the estimate has room for one more, without further requests. */
  const roomAt = (): number => {
    const room = limit - 1 - count;
    return room >= 0
      ? openedAt + windowMs * Math.max(0, 1 - room / before)
      : openedAt + windowMs * (2 - (limit - 1) / count);
  };

  return {
    look: (now) => {
      const opens = Math.floor(now / windowMs) * windowMs;
      if (opens !== openedAt) {
        before = opens === openedAt + windowMs ? count : 0;
        count = 0;
        openedAt = opens;
      }
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
    take: () => (count += 1),
  };
};
