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
  /** Counts one admitted request, after a look at its time. */
  readonly take: (now: number) => void;
  /** Notes one refused request; absent if refusals change nothing. */
  readonly refuse?: (now: number) => void;
}

export interface Allowance {
  readonly limit: number;
  readonly windowMs: number;
}

export type Algorithm = (allowance: Allowance) => Limiter;

/**
 * Counts requests in consecutive windows.
 *
 * @param opens start of a window that a request at `now` opens, Unix ms
 * @param renewedBy what restarts the window: refusals, or served requests, which block a client that never
 *   pauses
 */
export const windowed =
  (
    opens: (now: number, windowMs: number) => number,
    ...renewedBy: readonly ('refusals' | 'requests')[]
  ): Algorithm =>
  ({ limit, windowMs }) => {
    let openedAt = Number.NEGATIVE_INFINITY;
    let count = 0;

    return {
      look: (now) => {
        if (now >= openedAt + windowMs) {
          openedAt = opens(now, windowMs);
          count = 0;
        }
        const resetAt = openedAt + windowMs;
        const admits = count < limit;
        return { admits, remaining: Math.max(0, limit - count), resetAt, retryAt: admits ? now : resetAt };
      },
      take: (now) => {
        count += 1;
        if (renewedBy.includes('requests')) openedAt = now;
      },
      refuse: (now) => {
        if (renewedBy.includes('refusals')) openedAt = now;
      },
    };
  };

/** A window opens with its first request. */
export const withFirst = (now: number): number => now;

export const fixedWindow = windowed(withFirst);
