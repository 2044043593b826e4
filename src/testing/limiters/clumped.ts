import { beatingBucket } from '../../reference/limiters/buckets.js';
import { ofReference, type MakeLimiter } from './limiters.js';

/** How a bucket gets things back at a beat. */
export interface Beat {
  /** Of a window, between two beats. */
  readonly share: number;
  /** What beats are counted from: the first request, the start of the server, whole intervals of the clock. */
  readonly anchor: 'first' | 'start' | 'clock';
  /** Where a beat brings no whole number: always rounded down, or so that the sum comes out. */
  readonly amount: 'down' | 'sum';
  /** Of the plan: what a full bucket holds, at least one beat's. */
  readonly holds: number;
  /** What Reset tells: the next beat, or when the bucket is full. */
  readonly reset: 'beat' | 'full';
  /** What comes back, as a part of the plan; a sound one has 1. */
  readonly rate?: number;
}

/** A bucket that gets back what an interval brings all at once as the next begins (juju/ratelimit, Bucket4j, bottleneck). */
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
