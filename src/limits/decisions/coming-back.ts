import { wasServed } from '../answers.js';
import { minuteMs } from '../bounds.js';
import { inOurTime, resetTime } from '../clock.js';
import type { ServerClock } from '../clock.js';
import { readReset } from '../header-number.js';
import { isInMilliseconds } from '../oracles/milliseconds.js';
import { readRetryAfter, waitOf } from '../retry-after.js';
import type { Sample } from '../sample.js';
import type { Figures } from '../series.js';
import { leeway } from './leeway.js';

/** When to send again after a refusal, and what the time stands on. */
export interface Return {
  readonly at: number;
  readonly basis: 'seconds' | 'date' | 'reset' | 'window';
  /** The server asked for longer than the profile may wait. */
  readonly capped: boolean;
}

/**
 * When to send the one request that judges Retry-After: after exactly that time and a little more. A Retry-After that
 * cannot be read, or is in milliseconds, gives way to Reset, and that to a whole window. `mostMs` caps the wait (default:
 * two windows and 5 s).
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
    return capped(refusal.answeredAt + after.seconds * 1000 + leeway(figures), 'seconds');
  }
  const waitMs = waitOf(refusal);
  if (after.kind === 'date' && waitMs !== null) return capped(refusal.answeredAt + waitMs + leeway(figures), 'date');
  if (after.kind === 'date' && clock !== null) {
    return capped(inOurTime(after.unixMs, clock).latest + leeway(figures), 'date');
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

/** A window has one end, one that rolls over two, and a sliding one moves by as many seconds as a burst lasts. */
const MANY_RESETS = 6;

/**
 * Whether Reset moved on all through a burst, as the time does until a bucket is full: it refills, and bursts for
 * `rate-window` need not wait until it is full. `resetRetry` is sent after them then.
 */
export const refillsMeanwhile = (burst: readonly Sample[]): boolean =>
  new Set(
    burst.filter(wasServed).flatMap(({ reset }) => {
      const read = readReset(reset);
      return read?.unit === 'unix-seconds' ? [read.unixMs] : [];
    }),
  ).size >= MANY_RESETS;

/**
 * When to ask once more for Reset's sake, after the retry. Null where the retry was served about then: it judges both,
 * and a second request might find the one that came back already used.
 */
export function resetRetryAt(refusal: Sample, retry: Sample, clock: ServerClock | null): number | null {
  const reset = resetTime(refusal, clock);
  return reset === null || (wasServed(retry) && retry.sentAt >= reset.latest) ? null : resetAt(refusal, clock);
}
