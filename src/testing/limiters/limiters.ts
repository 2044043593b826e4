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

/** A fixed window that begins with its first request (express-rate-limit). */
export const fixedFromFirst: MakeLimiter = (limit, windowMs) => {
  let [end, count] = [-Infinity, 0];
  return (now) => {
    if (now >= end) [end, count] = [now + windowMs, 0];
    const served = count < limit;
    if (served) count += 1;
    return { served, remaining: limit - count, resetAt: end, retryAt: count < limit ? now : end };
  };
};

/** A fixed window on the edges of the clock. */
export const calendarWindow: MakeLimiter = (limit, windowMs, phaseMs) => {
  let [current, count] = [-Infinity, 0];
  return (now) => {
    const index = Math.floor((now - phaseMs) / windowMs);
    if (index !== current) [current, count] = [index, 0];
    const served = count < limit;
    if (served) count += 1;
    const end = (index + 1) * windowMs + phaseMs;
    return { served, remaining: limit - count, resetAt: end, retryAt: count < limit ? now : end };
  };
};

function slidingLog(limit: number, windowMs: number, resetOf: 'oldest' | 'newest'): Limiter {
  let log: number[] = [];
  return (now) => {
    log = log.filter((at) => at > now - windowMs);
    const served = log.length < limit;
    if (served) log.push(now);
    const [oldest, newest] = [(log[0] ?? now) + windowMs, (log.at(-1) ?? now) + windowMs];
    return {
      served,
      remaining: limit - log.length,
      resetAt: resetOf === 'oldest' ? oldest : newest,
      retryAt: log.length < limit ? now : oldest,
    };
  };
}

/** A sliding log whose Reset says when the first of its requests is forgotten. */
export const slidingLogOldest: MakeLimiter = (limit, windowMs) => slidingLog(limit, windowMs, 'oldest');
/** A sliding log whose Reset says when the last of its requests is forgotten. */
export const slidingLogNewest: MakeLimiter = (limit, windowMs) => slidingLog(limit, windowMs, 'newest');

/** Two clock-aligned windows, the older weighted by what is left of it. */
export const slidingCounter: MakeLimiter = (limit, windowMs, phaseMs) => {
  let [current, count, before] = [-Infinity, 0, 0];
  return (now) => {
    const index = Math.floor((now - phaseMs) / windowMs);
    if (index !== current) [before, count, current] = [index === current + 1 ? count : 0, 0, index];
    const gone = (now - phaseMs) / windowMs - index;
    const used = before * (1 - gone) + count;
    const served = used + 1 <= limit;
    if (served) count += 1;
    const left = limit - before * (1 - gone) - count;
    const end = (index + 1) * windowMs + phaseMs;
    // Within this window the one before fades; after it, this one does.
    const fades = before > 0 ? now + ((1 - left) / before) * windowMs : Infinity;
    const nextFades = end + ((count + 1 - limit) / Math.max(1, count)) * windowMs;
    const retryAt = left >= 1 ? now : fades <= end ? fades : Math.max(end, nextFades);
    return { served, remaining: Math.max(0, Math.floor(left)), resetAt: end, retryAt };
  };
};

/** A sum of small refills is a hair less than the whole that it stands for. */
const HAIR = 1e-9;

/** A bucket of `capacity` tokens that fills at `limit` per window. */
export const bucketOf =
  (capacityOf: (limit: number) => number, rate = 1): MakeLimiter =>
  (limit, windowMs) => {
    const capacity = capacityOf(limit);
    const perMs = (rate * limit) / windowMs;
    let [tokens, at] = [capacity, -Infinity];
    return (now) => {
      tokens = Math.min(capacity, tokens + (at === -Infinity ? 0 : (now - at) * perMs));
      at = now;
      const served = tokens + HAIR >= 1;
      if (served) tokens -= 1;
      return {
        served,
        remaining: Math.max(0, Math.floor(tokens + HAIR)),
        resetAt: now + (capacity - tokens) / perMs,
        retryAt: tokens + HAIR >= 1 ? now : now + (1 - tokens) / perMs,
      };
    };
  };

/** A token bucket that holds the plan's allowance. */
export const tokenBucket: MakeLimiter = bucketOf((limit) => limit);
/** A bucket that holds less than the plan: a paced client gets all of it. */
export const smallBucket: MakeLimiter = bucketOf((limit) => Math.ceil(limit / 3));

/** GCRA: a theoretical arrival time, `burst` requests of tolerance. */
export const gcraOf =
  (burstOf: (limit: number) => number): MakeLimiter =>
  (limit, windowMs) => {
    const interval = windowMs / limit;
    const tolerance = burstOf(limit) * interval;
    let arrival = -Infinity;
    return (now) => {
      const due = Math.max(arrival, now) + interval;
      const served = due - tolerance <= now;
      if (served) arrival = due;
      const ahead = Math.max(0, arrival - now);
      const remaining = Math.max(0, Math.floor((tolerance - ahead) / interval + 1e-9));
      return {
        served,
        remaining,
        resetAt: Math.max(now, arrival),
        retryAt: Math.max(now, arrival + interval - tolerance),
      };
    };
  };

/** GCRA with the plan's allowance as burst. */
export const gcra: MakeLimiter = gcraOf((limit) => limit);
/** GCRA that lets one request through at a time. */
export const strictPacer: MakeLimiter = gcraOf(() => 1);

/** A fixed window that every refusal renews. */
export const renewedByRefusal: MakeLimiter = (limit, windowMs) => {
  let [end, count] = [-Infinity, 0];
  return (now) => {
    if (now >= end) [end, count] = [now + windowMs, 0];
    const served = count < limit;
    if (served) count += 1;
    else end = now + windowMs;
    return { served, remaining: limit - count, resetAt: end, retryAt: count < limit ? now : end };
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

/** A counter whose expiry every request that it counts renews, as Redis INCR with EXPIRE; `byRefusals`: a refusal as well. */
export const expiryRenewed =
  (byRefusals: boolean): MakeLimiter =>
  (limit, windowMs) => {
    let [end, count] = [-Infinity, 0];
    return (now) => {
      if (now >= end) count = 0;
      const served = count < limit;
      if (served) count += 1;
      if (served || byRefusals) end = now + windowMs;
      return { served, remaining: limit - count, resetAt: end, retryAt: count < limit ? now : end };
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
