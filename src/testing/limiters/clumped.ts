import { beatingBucket } from '../../proof/limiters/buckets.js';
import { ofReference, type MakeLimiter } from './limiters.js';

/** Refill of a bucket at intervals ("beats"). */
export interface Beat {
  /** Time between two beats, as a share of the window. */
  readonly share: number;
  /** Origin of the beats: the first request, the start of the server, or whole intervals of the clock. */
  readonly anchor: 'first' | 'start' | 'clock';
  /** Rounding of a beat's refill: always down, or so that the sum is right. */
  readonly amount: 'down' | 'sum';
  /** Capacity as a share of the plan; at least one beat's refill. */
  readonly holds: number;
  /** Meaning of Reset: the next beat, or the time when the bucket is full. */
  readonly reset: 'beat' | 'full';
  /** Refill as a share of the plan; 1 for a correct limiter. */
  readonly rate?: number;
}

/**
 * Creates a bucket that refills per interval, when the next one begins (juju/ratelimit, Bucket4j,
 * bottleneck).
 */
export const clumped =
  ({ share, anchor, amount, holds, reset, rate = 1 }: Beat): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const each = limit * share * rate;
    const algorithm = beatingBucket({
      share,
      origin: (first) => (anchor === 'first' ? first : 0),
      capacity: () => Math.max(1, Math.ceil(each), Math.floor(limit * holds)),
      rate: amount === 'sum' ? rate : (rate * Math.max(1, Math.floor(each + 1e-9))) / each,
      reset,
    });
    return ofReference(algorithm)(limit, windowMs, anchor === 'start' ? phaseMs : 0);
  };

/**
 * Creates a bucket of the whole plan that refills once a whole second of the clock (Spring Cloud Gateway over
 * Redis).
 */
export const wholeSecondRefill = (windowSeconds: number, reset: Beat['reset']): MakeLimiter =>
  clumped({ share: 1 / windowSeconds, anchor: 'clock', amount: 'sum', holds: 1, reset });
