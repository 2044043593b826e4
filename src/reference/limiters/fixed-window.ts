import type { Algorithm } from './limiter.js';

/** How a fixed window starts and goes on. */
export interface WindowHabits {
  /** When a window begins that is opened by a request at `now`, Unix ms. */
  readonly opens: (now: number, windowMs: number) => number;
  /** Whether each refusal starts the window anew. */
  readonly renewedByRefusals: boolean;
  /** Whether each request that is served does, which keeps a client out that never pauses. */
  readonly renewedByRequests?: boolean;
}

/** Counts requests in windows that follow one another. */
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

/** A window that opens with the first request after the last one closed. */
export const fixedWindow = windowed({ opens: (now) => now, renewedByRefusals: false });

/** Windows that follow the clock: whole minutes, whole days. */
export const calendarWindow = windowed({
  opens: (now, windowMs) => Math.floor(now / windowMs) * windowMs,
  renewedByRefusals: false,
});

/** A window that every refusal starts anew, as some gateways offer. */
export const renewedWindow = windowed({ opens: (now) => now, renewedByRefusals: true });

/** A counter whose expiry each request that is served sets anew. */
export const expiryRenewed = windowed({ opens: (now) => now, renewedByRefusals: false, renewedByRequests: true });

/** A counter whose expiry each request sets anew, refused ones too. */
export const expiryRenewedByRefusals = windowed({
  opens: (now) => now,
  renewedByRefusals: true,
  renewedByRequests: true,
});
