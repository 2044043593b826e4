import { calendarWindow, type MakeLimiter } from './limiters.js';

/** Variants of a sliding counter, as gateways and libraries implement it. */
export interface Weighing {
  /** Rounding of the older window's share to whole requests; without it any part that is left admits one. */
  readonly share: 'down' | 'up' | 'exact';
  /** Meaning of Retry-After: when the next request is allowed, or the end of the current window. */
  readonly retry: 'exact' | 'window';
  /** Whether refused requests count too (Cloudflare). */
  readonly countsRefusals?: boolean;
}

const SHARES = { down: Math.floor, up: Math.ceil, exact: (share: number) => share } as const;

/** Two windows of a clock; the older one counts by the share of it that is still in sight. */
export const weightedCounter =
  ({ share, retry, countsRefusals = false }: Weighing): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    let [index, before, count] = [-Infinity, 0, 0];
    return (now) => {
      const current = Math.floor((now - phaseMs) / windowMs);
      if (current !== index) [before, count] = [current === index + 1 ? count : 0, 0];
      index = current;
      const end = phaseMs + (current + 1) * windowMs;
      const held = SHARES[share](before * ((end - now) / windowMs));
      const served = held + count < limit;
      if (served || countsRefusals) count += 1;
      // Rounded up it needs one whole request of room, otherwise any part of it.
      const room = (counted: number): number => limit - counted - (share === 'up' ? 1 : 0);
      const wait =
        room(count) > 0
          ? end - windowMs * Math.min(1, room(count) / before)
          : end + windowMs * (1 - Math.min(1, room(0) / count));
      const allowedAt = Math.max(now, wait) + 1;
      return {
        served,
        remaining: Math.max(0, Math.floor(limit - held - count)),
        resetAt: Math.max(end, retry === 'window' ? 0 : allowedAt),
        retryAt: served ? now : retry === 'window' ? end + 1 : allowedAt,
      };
    };
  };

/** Window from the first request, of which the store gives the rest in whole seconds (Redis TTL), rounded up. */
export const expiryInSeconds: MakeLimiter = (limit, windowMs) => {
  let [end, count] = [-Infinity, 0];
  return (now) => {
    if (now >= end) [end, count] = [now + windowMs, 0];
    const served = count < limit;
    if (served) count += 1;
    const left = Math.ceil((end - now) / 1000) * 1000;
    return {
      served,
      remaining: limit - count,
      resetAt: Math.floor(now / 1000) * 1000 + left,
      retryAt: now + left,
    };
  };
};

/** Bucket that fills evenly and reports its parts of a request to the nearest whole one. */
export const nearestBucket: MakeLimiter = (limit, windowMs) => {
  const perMs = limit / windowMs;
  let [tokens, filledAt] = [limit, Infinity];
  return (now) => {
    tokens = Math.min(limit, tokens + Math.max(0, now - filledAt) * perMs);
    filledAt = now;
    const served = tokens >= 1;
    if (served) tokens -= 1;
    return {
      served,
      remaining: Math.round(tokens),
      resetAt: now + (limit - tokens) / perMs,
      retryAt: now + Math.max(0, 1 - tokens) / perMs,
    };
  };
};

/** Several processes with one store of windows by the clock, whose own clocks are apart. */
export const clocksApart =
  (apartMs: number): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const counts = new Map<number, number>();
    let asked = 0;
    return (now) => {
      const own = now + ((asked += 1) % 2) * apartMs - phaseMs;
      const index = Math.floor(own / windowMs);
      const count = counts.get(index) ?? 0;
      const served = count < limit;
      if (served) counts.set(index, count + 1);
      const end = now + (index + 1) * windowMs - own + apartMs;
      return { served, remaining: limit - (counts.get(index) ?? 0), resetAt: end, retryAt: end };
    };
  };

/** A limiter whose Retry-After is a whole window, whenever it refuses. */
export const patient =
  (make: MakeLimiter): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = make(limit, windowMs, phaseMs);
    return (now) => {
      const decision = limiter(now);
      return decision.served ? decision : { ...decision, retryAt: now + windowMs };
    };
  };

/** A server that holds back one response in `every` for `ms`, as a collector of garbage does. */
export const pausing =
  (every: number, ms: number, make: MakeLimiter = calendarWindow): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = make(limit, windowMs, phaseMs);
    let asked = 0;
    return (now) => ({ ...limiter(now), delayMs: (asked += 1) % every === 0 ? ms : 0 });
  };

/** Answers of parallel requests show the same Remaining for `lagMs`, as read from a copy of the store. */
export const lagging =
  (lagMs: number, make: MakeLimiter): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = make(limit, windowMs, phaseMs);
    let past: readonly { readonly at: number; readonly remaining: number }[] = [];
    return (now) => {
      const decision = limiter(now);
      past = [...past.filter(({ at }) => at > now - lagMs), { at: now, remaining: decision.remaining }];
      return decision.served ? { ...decision, remaining: past[0]?.remaining ?? 0 } : decision;
    };
  };

/**
 * A bucket of a share of the plan that lends up to half a request, and holds a lent one back until it is
 * there (Traefik).
 */
export const lending =
  (share: number): MakeLimiter =>
  (limit, windowMs) => {
    const [most, perMs] = [Math.max(1, Math.floor(share * limit)), limit / windowMs];
    let [tokens, since] = [most, Infinity];
    return (now) => {
      tokens = Math.min(most, tokens + Math.max(0, now - since) * perMs);
      since = now;
      const served = tokens >= 1 / 2;
      const delayMs = served ? Math.max(0, 1 - tokens) / perMs : 0;
      if (served) tokens -= 1;
      return {
        served,
        remaining: Math.max(0, Math.floor(tokens)),
        resetAt: now + (most - tokens) / perMs,
        retryAt: served ? now : now + Math.max(0, 1 / 2 - tokens) / perMs,
        delayMs,
      };
    };
  };

/** A bucket and a window of the clock, each of the plan; headers describe the one that has less left. */
export const bucketAndWindow: MakeLimiter = (limit, windowMs) => {
  const perMs = limit / windowMs;
  let [tokens, since, index, count] = [limit, Infinity, -Infinity, 0];
  return (now) => {
    tokens = Math.min(limit, tokens + Math.max(0, now - since) * perMs);
    since = now;
    const current = Math.floor(now / windowMs);
    if (current !== index) [index, count] = [current, 0];
    const served = tokens >= 1 && count < limit;
    if (served) [tokens, count] = [tokens - 1, count + 1];
    const [held, left, end] = [Math.floor(tokens), limit - count, (current + 1) * windowMs];
    const backAt = Math.max(now + Math.max(0, 1 - tokens) / perMs, left > 0 ? now : end);
    return {
      served,
      remaining: Math.min(held, left),
      resetAt: Math.max(left < held ? end : now + (limit - tokens) / perMs, served ? now : backAt),
      retryAt: served ? now : backAt,
    };
  };
};
