import {
  calendarWindow as calendar,
  expiryRenewed as expiryRenewedByRequests,
  expiryRenewedByRefusals,
  fixedWindow,
  renewedWindow,
  type Algorithm,
  slidingCounter as counter,
  slidingLog,
} from '../../reference/limiters/windows.js';
import {
  gcra as gcraOfPlan,
  strictPacer as pacer,
  bucket,
  tokenBucket as wholeBucket,
} from '../../reference/limiters/buckets.js';

/** What a limiter answers to one request; times in the server's ms. */
export interface Decision {
  readonly served: boolean;
  readonly remaining: number;
  /** When all of the allowance is back, as this algorithm would honestly say it. */
  readonly resetAt: number;
  /** When the next request is served. */
  readonly retryAt: number;
}

/** A limiter of one key: asked in the order of arrival, it keeps its own state. */
export type Limiter = (now: number) => Decision;

/** `limit` requests in `windowMs`; `phaseMs` shifts what is aligned to a clock. */
export type MakeLimiter = (limit: number, windowMs: number, phaseMs: number) => Limiter;

/** A limiter of the reference server, by a clock that `phaseMs` shifts. */
export const ofReference =
  (algorithm: Algorithm): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = algorithm({ limit, windowMs });
    return (now) => {
      const at = now - phaseMs;
      const { admits } = limiter.look(at);
      if (admits) limiter.take(at);
      else limiter.refuse(at);
      const { remaining, resetAt, retryAt } = limiter.look(at);
      return { served: admits, remaining, resetAt: resetAt + phaseMs, retryAt: retryAt + phaseMs };
    };
  };

/** A fixed window that begins with its first request (express-rate-limit). */
export const fixedFromFirst = ofReference(fixedWindow);
/** A fixed window on the edges of the clock. */
export const calendarWindow = ofReference(calendar);
/** A sliding log whose Reset says when the first of its requests is forgotten. */
export const slidingLogOldest = ofReference(slidingLog);
/** Two clock-aligned windows, the older weighted by what is left of it. */
export const slidingCounter = ofReference(counter);
/** A token bucket that holds the plan's allowance. */
export const tokenBucket = ofReference(wholeBucket);
/** A bucket that holds less than the plan: a paced client gets all of it. */
export const smallBucket = ofReference(
  bucket({ capacity: ({ limit }) => Math.ceil(limit / 3), refill: ({ limit }) => limit }),
);
/** GCRA with the plan's allowance as burst. */
export const gcra = ofReference(gcraOfPlan);
/** GCRA that lets one request through at a time. */
export const strictPacer = ofReference(pacer);
/** A fixed window that every refusal renews. */
export const renewedByRefusal = ofReference(renewedWindow);
/** A counter whose expiry every request that it counts renews, as Redis INCR with EXPIRE; `byRefusals`: a refusal as well. */
export const expiryRenewed = (byRefusals: boolean): MakeLimiter =>
  ofReference(byRefusals ? expiryRenewedByRefusals : expiryRenewedByRequests);

/** A sliding log whose Reset says when the last of its requests is forgotten. */
export const slidingLogNewest: MakeLimiter = (limit, windowMs, phaseMs) => {
  const log = slidingLogOldest(limit, windowMs, phaseMs);
  let newest = -Infinity;
  return (now) => {
    const decision = log(now);
    if (decision.served) newest = now;
    return { ...decision, resetAt: newest + windowMs };
  };
};

/** A fixed window that checks at once and counts `lateMs` later: what is under way together passes together. */
export const countingLate =
  (lateMs: number): MakeLimiter =>
  (limit, windowMs) => {
    let [end, passed]: [number, number[]] = [-Infinity, []];
    return (now) => {
      if (now >= end) [end, passed] = [now + windowMs, []];
      const served = passed.filter((at) => at <= now - lateMs).length < limit;
      if (served) passed.push(now);
      const remaining = Math.max(0, limit - passed.length);
      return { served, remaining, resetAt: end, retryAt: remaining > 0 ? now : end };
    };
  };

/** One request each share of a window, and all but one of the plan's on top in each window (rate-limiter-flexible's BurstyRateLimiter). */
export const bursty =
  (remainingOf: 'both' | 'top' | 'none'): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const gap = windowMs / limit;
    const even = fixedFromFirst(1, gap, phaseMs);
    let [end, used] = [-Infinity, 0];
    return (now) => {
      if (now >= end) used = 0;
      const one = even(now);
      const fromTop = !one.served && used < limit - 1;
      if (fromTop) {
        if (used === 0) end = now + windowMs;
        used += 1;
      }
      const left = limit - 1 - used;
      const remaining = remainingOf === 'none' ? 0 : left + (remainingOf === 'both' ? one.remaining : 0);
      const resetAt = used === 0 ? one.resetAt : end;
      return { served: one.served || fromTop, remaining, resetAt, retryAt: one.resetAt };
    };
  };

/** A limiter that every so-manieth request passes by, told what the one before it was told: one of several workers has none. */
export const leaking =
  (every: number, make: MakeLimiter): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = make(limit, windowMs, phaseMs);
    let [count, last]: [number, Decision | null] = [0, null];
    return (now) => {
      count += 1;
      if (last !== null && count % every === 0 && now < last.resetAt) return { ...last, served: true };
      last = limiter(now);
      return last;
    };
  };
