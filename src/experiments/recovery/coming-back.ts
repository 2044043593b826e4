import { wasServed } from '../../limits/answers.js';
import { longestByServer, minuteMs } from '../../limits/bounds.js';
import { inOurTime, resetTime, type ServerClock } from '../../limits/clock.js';
import { isInMilliseconds } from '../../limits/milliseconds.js';
import { readRetryAfter } from '../../limits/headers/retry-after.js';
import type { Sample } from '../../limits/sample.js';
import type { Figures } from '../../limits/series.js';

/** When to send again after a refusal, and what the time stands on. */
export interface Return {
  readonly at: number;
  readonly basis: 'seconds' | 'date' | 'reset' | 'window';
  /** The server asked for longer than the profile may wait. */
  readonly capped: boolean;
}

/**
 * When to send the one request that judges Retry-After: after exactly that time, counted from the arrival of the 429; of a
 * date, when the server's clock has surely reached it. What is added is for two clocks that do not run alike, and nothing
 * for the server's rounding: a wait that is too short has to show. A Retry-After that cannot be read, or is in
 * milliseconds, gives way to Reset, and that to a whole window. `mostMs` caps the wait (default: two windows and 5 s).
 */
export function retryAt(
  refusal: Sample,
  figures: Figures,
  clock: ServerClock | null,
  mostMs: number = 2 * minuteMs(figures) + 5000,
): Return {
  const after = readRetryAfter(refusal.retryAfter);
  const latest = refusal.answeredAt + mostMs;
  const capped = (at: number, basis: Return['basis']): Return => ({
    at: Math.min(at, latest),
    basis,
    capped: at > latest,
  });
  if (after.kind === 'seconds' && !isInMilliseconds(refusal, figures, clock)) {
    return capped(refusal.answeredAt + longestByServer(after.seconds * 1000), 'seconds');
  }
  if (after.kind === 'date' && clock !== null) {
    const waitMs = inOurTime(after.unixMs, clock).latest - refusal.answeredAt;
    return capped(refusal.answeredAt + longestByServer(waitMs), 'date');
  }
  const reset = resetAt(refusal, clock);
  if (reset !== null) return capped(Math.max(reset, refusal.answeredAt), 'reset');
  return capped(refusal.answeredAt + minuteMs(figures) + 1000, 'window');
}

/** When to send the request that judges Reset: a second after it. Null where Reset cannot be read or placed. */
export function resetAt(refusal: Sample, clock: ServerClock | null): number | null {
  const reset = resetTime(refusal, clock);
  return reset === null ? null : reset.latest + 1000 + 50;
}

/**
 * When to ask once more for Reset's sake, after the retry. Null where the retry was served about then: it judges both,
 * and a second request might find the one that came back already used.
 */
export function resetRetryAt(refusal: Sample, retry: Sample, clock: ServerClock | null): number | null {
  const reset = resetTime(refusal, clock);
  return reset === null || (wasServed(retry) && retry.sentAt >= reset.latest) ? null : resetAt(refusal, clock);
}
