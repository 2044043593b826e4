/** Decision of a limiter on a request now. Times are Unix ms on the server's clock. */
export interface Look {
  readonly admits: boolean;
  /** Whole requests left. */
  readonly remaining: number;
  /** Time when the allowance returns, or begins to return. */
  readonly resetAt: number;
  /** Earliest time when a request is admitted; may be now. */
  readonly retryAt: number;
}

/** State of one key in one window. */
export interface Limiter {
  readonly look: (now: number) => Look;
  /** Counts one admitted request. */
  readonly take: (now: number) => void;
  /** Notes one refused request. */
  readonly refuse: (now: number) => void;
}

/** At most `limit` requests in `windowMs`. */
export interface Allowance {
  readonly limit: number;
  readonly windowMs: number;
}

/** A way to enforce an allowance. */
export type Algorithm = (allowance: Allowance) => Limiter;

const second = (now: number): number => Math.floor(now / 1000) * 1000;

/** Runs an algorithm on a clock of whole seconds. */
export const bySeconds =
  (algorithm: Algorithm): Algorithm =>
  (allowance) => {
    const limiter = algorithm(allowance);
    return {
      look: (now) => limiter.look(second(now)),
      take: (now) => limiter.take(second(now)),
      refuse: (now) => limiter.refuse(second(now)),
    };
  };

/** Changes an algorithm so that refusals also use the allowance. */
export const countingRefusals =
  (algorithm: Algorithm): Algorithm =>
  (allowance) => {
    const limiter = algorithm(allowance);
    return { ...limiter, refuse: limiter.take };
  };

/** Start and continuation of a fixed window. */
export interface WindowHabits {
  /** Start of a window that a request at `now` opens, Unix ms. */
  readonly opens: (now: number, windowMs: number) => number;
  /** True if each refusal restarts the window. */
  readonly renewedByRefusals: boolean;
  /** True if each served request restarts it, which blocks a client that never pauses. */
  readonly renewedByRequests?: boolean;
}

/** Counts requests in consecutive windows. */
export const windowed =
  (habits: WindowHabits): Algorithm =>
  ({ limit, windowMs }) => {
    let openedAt = Number.NEGATIVE_INFINITY;
    let count = 0;

    const roll = (now: number) => {
      if (now < openedAt + windowMs) return;
      openedAt = habits.opens(now, windowMs);
      count = 0;
    };

    return {
      look: (now) => {
        roll(now);
        const resetAt = openedAt + windowMs;
        const admits = count < limit;
        return { admits, remaining: Math.max(0, limit - count), resetAt, retryAt: admits ? now : resetAt };
      },
      take: (now) => {
        roll(now);
        count += 1;
        if (habits.renewedByRequests === true) openedAt = now;
      },
      refuse: (now) => {
        if (habits.renewedByRefusals) openedAt = now;
      },
    };
  };

/** Opens a window with the first request after the last one closed. */
export const fixedWindow = windowed({ opens: (now) => now, renewedByRefusals: false });

/** Windows follow the clock: whole minutes, whole days. */
export const calendarWindow = windowed({
  opens: (now, windowMs) => Math.floor(now / windowMs) * windowMs,
  renewedByRefusals: false,
});

/** Restarts the window at every refusal, as some gateways offer. */
export const renewedWindow = windowed({ opens: (now) => now, renewedByRefusals: true });

/** A counter whose expiry every served request renews. */
export const expiryRenewed = windowed({ opens: (now) => now, renewedByRefusals: false, renewedByRequests: true });

/** A counter whose expiry every request renews, even a refused one. */
export const expiryRenewedByRefusals = windowed({
  opens: (now) => now,
  renewedByRefusals: true,
  renewedByRequests: true,
});

/** Stores the time of each request: at most `limit` in any span of one window. */
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

/** Rounding error of the estimate, a sum of fractions. */
const HAIR = 1e-9;

/**
 * Two counters instead of a log: the previous window counts by its part in a window that ends now. Windows follow the clock.
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

  /** Time when the estimate has room for one more, without further requests. */
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
