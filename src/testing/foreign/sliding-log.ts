/** Decision of a limiter on one request; `resetAt` and `now` in Unix ms. */
export interface Admission {
  readonly served: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Time at which the oldest request leaves the window, so that one more is served. */
  readonly resetAt: number;
}

/**
 * Creates a sliding-window limiter over the times of served requests: at most `limit` in any `windowMs`.
 * Refused requests do not count.
 */
export function slidingLog(windowMs: number) {
  const served = new Map<string, number[]>();

  const recent = (who: string, now: number): number[] => {
    const kept = (served.get(who) ?? []).filter((moment) => moment > now - windowMs);
    served.set(who, kept);
    return kept;
  };

  /** Decides on a request of `who` without counting it. */
  function look(who: string, limit: number, now: number): Admission {
    const log = recent(who, now);
    const resetAt = (log[0] ?? now) + windowMs;
    return { served: log.length < limit, limit, remaining: Math.max(0, limit - log.length - 1), resetAt };
  }

  return { look, count: (who: string, now: number): void => void recent(who, now).push(now) };
}
