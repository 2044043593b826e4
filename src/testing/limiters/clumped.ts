import type { Decision, Limiter, MakeLimiter } from './limiters.js';

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
  (limit, windowMs, phaseMs): Limiter => {
    const interval = windowMs * share;
    const each = limit * share * rate;
    const capacity = Math.max(1, Math.ceil(each), Math.floor(limit * holds));
    /** What all beats up to one have brought. */
    const broughtBy = (beat: number): number =>
      amount === 'sum' ? Math.floor(beat * each + 1e-9) : beat * Math.max(1, Math.floor(each + 1e-9));
    let origin: number | null = anchor === 'start' ? phaseMs : anchor === 'clock' ? 0 : null;
    let tokens = capacity;
    let beat = -Infinity;
    return (now): Decision => {
      origin ??= now;
      // Requests of a schedule may overtake each other.
      const current = Math.max(beat, Math.floor((now - origin) / interval));
      if (beat === -Infinity) beat = current;
      tokens = Math.min(capacity, tokens + broughtBy(current) - broughtBy(beat));
      beat = current;
      const served = tokens >= 1;
      if (served) tokens -= 1;
      const at = (count: number): number => (origin ?? now) + (current + count) * interval;
      /** Beats until so many more have come back. */
      const beatsFor = (missing: number): number => {
        let count = 0;
        while (broughtBy(current + count) - broughtBy(current) < missing) count += 1;
        return count;
      };
      return {
        served,
        remaining: tokens,
        resetAt: reset === 'beat' ? at(1) : at(Math.max(1, beatsFor(capacity - tokens))),
        retryAt: tokens >= 1 ? now : at(beatsFor(1)),
      };
    };
  };
