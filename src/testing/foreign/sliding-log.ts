/** What a limiter says of one request; `resetAt` and `now` in Unix ms. */
export interface Admission {
  readonly served: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** When the oldest request leaves the window, so that one more is served. */
  readonly resetAt: number;
}

/**
 * A sliding window over the moments of the requests that it served: at most `limit` of them in any `windowMs`. What is
 * refused costs nothing.
 */
export function slidingLog(windowMs: number) {
  const served = new Map<string, number[]>();

  const recent = (who: string, now: number): number[] => {
    const kept = (served.get(who) ?? []).filter((moment) => moment > now - windowMs);
    served.set(who, kept);
    return kept;
  };

  /** What would become of a request of `who`. */
  function look(who: string, limit: number, now: number): Admission {
    const log = recent(who, now);
    const resetAt = (log[0] ?? now) + windowMs;
    return { served: log.length < limit, limit, remaining: Math.max(0, limit - log.length - 1), resetAt };
  }

  return { look, count: (who: string, now: number): void => void recent(who, now).push(now) };
}
