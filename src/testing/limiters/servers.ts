import { randomFrom } from '../../base/kernel/random.js';
import { bucket } from '../../proof/limiters/buckets.js';
import { calendarWindow, fixedFromFirst, type MakeLimiter, ofReference } from './limiters.js';

// Correct limiters as servers, proxies and their stores make them: each keeps the plan, and has a habit.

/** Handles one request at a time, each for so long (a server of one thread); it decides at its turn. */
export const serial =
  (eachMs: number, make: MakeLimiter): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = make(limit, windowMs, phaseMs);
    let free = -Infinity;
    return (now) => {
      const turn = Math.max(now, free);
      free = turn + eachMs;
      return { ...limiter(turn), delayMs: free - now };
    };
  };

/** Stands still for `ms` once in about `every` requests, before it decides; those that come meanwhile wait. */
export const stalling =
  (every: number, ms: number, make: MakeLimiter): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = make(limit, windowMs, phaseMs);
    const random = randomFrom(11);
    let until = -Infinity;
    return (now) => {
      if (random() * every < 1) until = Math.max(until, now + ms);
      const turn = Math.max(now, until);
      return { ...limiter(turn), delayMs: turn - now };
    };
  };

/** Answers late now and then, after its decision: a long tail of latency. */
export const longTail =
  (every: number, longestMs: number, make: MakeLimiter): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = make(limit, windowMs, phaseMs);
    const random = randomFrom(13);
    return (now) => ({ ...limiter(now), delayMs: random() * every < 1 ? longestMs * random() ** 2 : 0 });
  };

/** Takes so long for its first response (a function that starts cold). */
export const coldStart =
  (ms: number, make: MakeLimiter): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = make(limit, windowMs, phaseMs);
    let until: number | null = null;
    return (now) => {
      until ??= now + ms;
      const turn = Math.max(now, until);
      return { ...limiter(turn), delayMs: turn - now };
    };
  };

/** Asks for a random time more than it needs, so that clients do not come back together. */
export const jittered =
  (moreMs: number, make: MakeLimiter): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = make(limit, windowMs, phaseMs);
    const random = randomFrom(17);
    return (now) => {
      const decision = limiter(now);
      return decision.served ? decision : { ...decision, retryAt: decision.retryAt + random() * moreMs };
    };
  };

/** Asks for twice the wait at each refusal in a row, to a window at most. */
export const doubling =
  (make: MakeLimiter): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = make(limit, windowMs, phaseMs);
    let factor = 1;
    return (now) => {
      const decision = limiter(now);
      if (decision.served) factor = 1;
      const wait = (decision.retryAt - now) * factor;
      if (!decision.served) factor *= 2;
      return decision.served
        ? decision
        : { ...decision, retryAt: Math.max(decision.retryAt, now + Math.min(wait, windowMs)) };
    };
  };

/** A key that was refused stays refused until the announced time (a node's cache of refused keys). */
export const blocking =
  (make: MakeLimiter): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = make(limit, windowMs, phaseMs);
    let [until, resetAt] = [-Infinity, 0];
    return (now) => {
      if (now < until) return { served: false, remaining: 0, resetAt, retryAt: until };
      const decision = limiter(now);
      if (!decision.served)
        [until, resetAt] = [Math.ceil(decision.retryAt), Math.max(decision.resetAt, decision.retryAt)];
      return decision.served ? decision : { ...decision, resetAt };
    };
  };

/** Fixed window; a key that used it up is blocked for a whole window from its first refusal (blockDuration). */
export const penalty: MakeLimiter = (limit, windowMs, phaseMs) => {
  let limiter = fixedFromFirst(limit, windowMs, phaseMs);
  let until = -Infinity;
  return (now) => {
    if (now < until) return { served: false, remaining: 0, resetAt: until, retryAt: until };
    if (until > 0) [limiter, until] = [fixedFromFirst(limit, windowMs, phaseMs), -Infinity];
    const decision = limiter(now);
    if (decision.served) return decision;
    until = now + windowMs;
    return { served: false, remaining: 0, resetAt: until, retryAt: until };
  };
};

/** Window by a timer that is up to `lateMs` late; its headers name the time when the timer is due. */
export const lateTimer =
  (lateMs: number): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const random = randomFrom(19);
    let [next, count, due]: [number | null, number, number] = [null, 0, 0];
    return (now) => {
      if (next === null) {
        due = phaseMs + (Math.floor((now - phaseMs) / windowMs) + 1) * windowMs;
        next = due + random() * lateMs;
      }
      for (; now >= next; next = due + random() * lateMs) {
        count = 0;
        due += windowMs;
      }
      const served = count < limit;
      if (served) count += 1;
      const back = due + lateMs;
      return { served, remaining: limit - count, resetAt: due, retryAt: served ? now : back };
    };
  };

/** A log of which old entries are swept at intervals, a part of a window: up to a part late. */
export const sweptLog =
  (share: number): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const everyMs = share * windowMs;
    const sweep = (at: number): number => phaseMs + Math.ceil((at - phaseMs) / everyMs) * everyMs;
    let taken: number[] = [];
    return (now) => {
      const last = phaseMs + Math.floor((now - phaseMs) / everyMs) * everyMs;
      taken = taken.filter((at) => at + windowMs > last);
      const served = taken.length < limit;
      if (served) taken.push(now);
      const oldest = taken[0] ?? now;
      return {
        served,
        remaining: limit - taken.length,
        resetAt: sweep(oldest + windowMs),
        retryAt: served ? now : sweep(oldest + windowMs) + 1,
      };
    };
  };

/** A sliding window by parts of the clock, of which the oldest counts by its share still in sight. */
export const weightedParts =
  (parts: number): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const partMs = windowMs / parts;
    const counts = new Map<number, number>();
    return (now) => {
      const current = Math.floor((now - phaseMs) / partMs);
      for (const index of counts.keys()) if (index < current - parts) counts.delete(index);
      const usedAt = (at: number): number => {
        const place = (at - phaseMs) / partMs;
        const index = Math.floor(place);
        let used = 0;
        for (const [part, count] of counts) {
          if (part > index - parts && part <= index) used += count;
          else if (part === index - parts) used += count * (1 - (place - index));
        }
        return used;
      };
      const served = usedAt(now) + 1 <= limit + 1e-9;
      if (served) counts.set(current, (counts.get(current) ?? 0) + 1);
      const remaining = Math.max(0, Math.floor(limit - usedAt(now) + 1e-9));
      let allowedAt = now;
      while (usedAt(allowedAt) + 1 > limit) allowedAt += partMs / 40;
      const newest = Math.max(...counts.keys());
      const emptyAt = phaseMs + (newest + 1) * partMs + windowMs;
      return {
        served,
        remaining,
        resetAt: Math.min(now + windowMs, emptyAt),
        retryAt: served ? now : allowedAt,
      };
    };
  };

/** A bucket that takes a token for a refusal too, down to a quarter of the plan below 0. */
export const punishing: MakeLimiter = (limit, windowMs) => {
  const perMs = limit / windowMs;
  let [tokens, at] = [limit, -Infinity];
  return (now) => {
    if (at > 0) tokens = Math.min(limit, tokens + (now - at) * perMs);
    at = now;
    const served = tokens >= 1;
    tokens = served ? tokens - 1 : Math.max(-limit / 4, tokens - 1);
    return {
      served,
      remaining: Math.max(0, Math.floor(tokens)),
      resetAt: now + (limit - tokens) / perMs,
      retryAt: now + Math.max(0, 1 - tokens) / perMs + 1,
    };
  };
};

/** GCRA in whole milliseconds, as redis-cell and nginx count: the interval is rounded up. */
export const wholeMsGcra =
  (burst: (limit: number) => number): MakeLimiter =>
  (limit, windowMs) => {
    const interval = Math.ceil(windowMs / limit);
    const tolerance = (Math.max(1, burst(limit)) - 1) * interval;
    let tat = -Infinity;
    return (time) => {
      const now = Math.floor(time);
      const from = Math.max(tat, now);
      const served = from - now <= tolerance;
      if (served) tat = from + interval;
      const held = Math.max(0, tat - now);
      return {
        served,
        remaining: served ? Math.floor((tolerance + interval - held) / interval) : 0,
        resetAt: Math.max(now, tat),
        retryAt: served ? time : now + (held - tolerance) + 1,
      };
    };
  };

/** Holds up to `most` requests in a queue, each until its turn, and refuses beyond it (limit_req with delay). */
export const shortQueue =
  (share: number, delaysFrom: number): MakeLimiter =>
  (limit, windowMs) => {
    const gap = windowMs / limit;
    const most = Math.max(1, Math.floor(share * limit));
    let free = -Infinity;
    return (now) => {
      const ahead = Math.max(0, (free - now) / gap);
      const served = ahead < most;
      const wait = Math.max(0, ahead - delaysFrom * most) * gap;
      if (served) free = Math.max(free, now) + gap;
      const left = Math.floor(most - Math.max(0, (free - now) / gap) + 1e-9);
      return {
        served,
        remaining: Math.max(0, left),
        resetAt: Math.max(now, free),
        retryAt: served ? now : now + (ahead - most) * gap + 1,
        delayMs: served ? wait : 0,
      };
    };
  };

/** A sliding window by two counters whose shares are whole hundredths (integer arithmetic). */
export const hundredths: MakeLimiter = (limit, windowMs, phaseMs) => {
  let [index, before, count] = [-Infinity, 0, 0];
  return (now) => {
    const current = Math.floor((now - phaseMs) / windowMs);
    if (current !== index) [before, count] = [current === index + 1 ? count : 0, 0];
    index = current;
    const opened = phaseMs + current * windowMs;
    const heldAt = (at: number, of = before): number =>
      Math.floor((of * (100 - Math.floor((100 * (at - opened)) / windowMs))) / 100);
    const served = heldAt(now) + count < limit;
    if (served) count += 1;
    let retryAt = now;
    if (!served) {
      const step = windowMs / 100;
      let tick = opened + Math.ceil((now - opened) / step) * step;
      while (tick < opened + windowMs && heldAt(tick) + count >= limit) tick += step;
      while (
        tick >= opened + windowMs &&
        Math.floor(
          (count * (100 - Math.floor((100 * (tick - opened - windowMs)) / windowMs + 1e-9))) / 100,
        ) >= limit
      )
        tick += step;
      retryAt = tick + 1;
    }
    return {
      served,
      remaining: Math.max(0, limit - heldAt(now) - count),
      resetAt: Math.max(opened + windowMs, retryAt),
      retryAt,
    };
  };
};

/** Window of a store whose clock is `apartMs` ahead of the server's, which writes the headers. */
export const storeAhead =
  (apartMs: number, make: MakeLimiter = calendarWindow): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = make(limit, windowMs, phaseMs);
    return (now) => {
      const decision = limiter(now + apartMs);
      return { ...decision, resetAt: decision.resetAt - apartMs, retryAt: decision.retryAt - apartMs };
    };
  };

/** Bucket of a share of the plan that fills evenly. */
export const bucketOf = (share: number): MakeLimiter =>
  ofReference(bucket((limit) => Math.max(1, Math.floor(share * limit))));
