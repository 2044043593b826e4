import type { MakeLimiter } from './limiters.js';

/**
 * Creates a limiter whose key a second client uses as well, `atOnce` requests every `everyMs`, from one
 * window before on.
 *
 * @param shiftMs time from the first request of the run to the next of theirs
 * @param isPatient is true if it waits after a refusal until it is allowed
 */
export const withSecondClient =
  (everyMs: number, make: MakeLimiter, atOnce = 1, shiftMs = 0, isPatient = false): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = make(limit, windowMs, phaseMs);
    let next: number | null = null;
    let allowedAt = -Infinity;
    return (now) => {
      for (next ??= now - windowMs + shiftMs; next <= now; next += everyMs)
        for (let sent = 0; sent < atOnce && next >= allowedAt; sent += 1) {
          const { served, retryAt } = limiter(next);
          if (isPatient && !served) allowedAt = retryAt;
        }
      return limiter(now);
    };
  };
