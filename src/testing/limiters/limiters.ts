import { fixedWindow, type Algorithm } from '../../reference/limiter.js';
import {
  calendarWindow as calendar,
  expiryRenewed as expiryRenewedByRequests,
  expiryRenewedByRefusals,
  renewedWindow,
  slidingCounter as counter,
  slidingLog,
} from '../../proof/limiters/windows.js';
import { strictPacer as pacer, bucket, tokenBucket as wholeBucket } from '../../proof/limiters/buckets.js';

/** Decision of a limiter on one request; times in the server's ms. */
export interface Decision {
  readonly served: boolean;
  readonly remaining: number;
  /** Time when the whole allowance is back, as this algorithm would honestly report it. */
  readonly resetAt: number;
  /** Time when the next request is served. */
  readonly retryAt: number;
  /** Time that the request waits in a queue, or stalls, before its response, ms; none by default. */
  readonly delayMs?: number;
}

/** Limiter of one key. It keeps state, so calls must come in order of arrival. */
export type Limiter = (now: number) => Decision;

/** `limit` requests in `windowMs`; `phaseMs` shifts windows that follow a clock. */
export type MakeLimiter = (limit: number, windowMs: number, phaseMs: number) => Limiter;

/** Wraps a limiter of the reference server; `phaseMs` shifts its clock. */
export const ofReference =
  (algorithm: Algorithm): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = algorithm({ limit, windowMs });
    return (now) => {
      const at = now - phaseMs;
      const { admits } = limiter.look(at);
      if (admits) limiter.take(at);
      else limiter.refuse?.(at);
      const { remaining, resetAt, retryAt } = limiter.look(at);
      return { served: admits, remaining, resetAt: resetAt + phaseMs, retryAt: retryAt + phaseMs };
    };
  };

/** Fixed window that begins with its first request (express-rate-limit). */
export const fixedFromFirst = ofReference(fixedWindow);
/** Fixed window on the edges of the clock. */
export const calendarWindow = ofReference(calendar);
/** Sliding log whose Reset is the time when its oldest request expires. */
export const slidingLogOldest = ofReference(slidingLog);
/** Two clock-aligned windows; the older one counts by its remaining share. */
export const slidingCounter = ofReference(counter);
/** Token bucket that holds the plan's allowance. */
export const tokenBucket = ofReference(wholeBucket);
/** Bucket that holds less than the plan: only a paced client gets all of it. */
export const smallBucket = ofReference(bucket((limit) => Math.ceil(limit / 3)));
/** GCRA with the plan's allowance as burst. */
export const gcra = ofReference(wholeBucket);
/** GCRA that lets one request through at a time. */
export const strictPacer = ofReference(pacer);
/** Fixed window that every refusal renews. */
export const renewedByRefusal = ofReference(renewedWindow);
/**
 * Creates a counter whose expiry each counted request renews (Redis INCR, EXPIRE); `byRefusals`: refusals do
 * too.
 */
export const expiryRenewed = (byRefusals: boolean): MakeLimiter =>
  ofReference(byRefusals ? expiryRenewedByRefusals : expiryRenewedByRequests);

/** Sliding log whose Reset is the time when its newest request expires. */
export const slidingLogNewest: MakeLimiter = (limit, windowMs, phaseMs) => {
  const log = slidingLogOldest(limit, windowMs, phaseMs);
  let newest = -Infinity;
  return (now) => {
    const decision = log(now);
    if (decision.served) newest = now;
    return { ...decision, resetAt: newest + windowMs };
  };
};

/** Creates a sliding window that counts by parts, each forgotten as a whole (Sentinel): up to a part early. */
export const slidingParts =
  (parts: number): MakeLimiter =>
  (limit, windowMs) => {
    const partMs = windowMs / parts;
    let [origin, taken]: [number | null, number[]] = [null, []];
    return (now) => {
      origin ??= now;
      const part = origin + Math.floor((now - origin) / partMs) * partMs;
      taken = taken.filter((at) => at > part - windowMs);
      const served = taken.length < limit;
      if (served) taken.push(part);
      const remaining = limit - taken.length;
      const retryAt = remaining > 0 ? now : (taken[0] ?? now) + windowMs;
      return { served, remaining, resetAt: (taken.at(-1) ?? now) + windowMs, retryAt };
    };
  };

/** Leaky bucket that holds a third of the plan, and each request until its turn (nginx `limit_req`). */
export const queue: MakeLimiter = (limit, windowMs, phaseMs) => {
  const held = smallBucket(limit, windowMs, phaseMs);
  let free = -Infinity;
  return (now) => {
    const decision = held(now);
    if (!decision.served) return decision;
    const turn = Math.max(now, free);
    free = turn + windowMs / limit;
    return { ...decision, delayMs: turn - now };
  };
};

/**
 * Creates a fixed window that counts a request `lateMs` after its check, so requests in flight together all
 * pass.
 */
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

/** Creates a BurstyRateLimiter (rate-limiter-flexible): one request per share of a window, the rest as burst. */
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

/** Creates a limiter that every nth request bypasses with the last decision, as one of several workers might. */
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
