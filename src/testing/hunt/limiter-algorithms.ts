import {
  calendarWindow,
  fixedFromFirst,
  gcra,
  renewedByRefusal,
  slidingCounter,
  slidingLogNewest,
  slidingLogOldest,
  smallBucket,
  strictPacer,
  tokenBucket,
  type MakeLimiter,
} from '../limiters/limiters.js';

/** A bucket that gets back at each of `beats` a window what that part of the window brings, and nothing in between. */
export const clumped =
  (beats: number): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const beatMs = windowMs / beats;
    const beatAt = (now: number): number => Math.floor((now - phaseMs) / beatMs);
    // In whole tokens, and over the whole window exactly the plan.
    const broughtBy = (beat: number): number => Math.floor((beat * limit) / beats + 1e-9);
    let [tokens, last] = [limit, Number.NaN];
    return (now) => {
      const beat = beatAt(now);
      if (!Number.isNaN(last)) tokens = Math.min(limit, tokens + broughtBy(beat) - broughtBy(last));
      last = beat;
      const served = tokens >= 1;
      if (served) tokens -= 1;
      const beatThatBrings = (count: number): number => {
        let next = beat;
        while (broughtBy(next) - broughtBy(beat) < count) next += 1;
        return next * beatMs + phaseMs;
      };
      return {
        served,
        remaining: tokens,
        resetAt: tokens === limit ? now : beatThatBrings(limit - tokens),
        retryAt: tokens >= 1 ? now : beatThatBrings(1),
      };
    };
  };

/** A count that is forgotten a window after the last request, and not after the first (INCR, and EXPIRE each time). */
const renewedByEach: MakeLimiter = (limit, windowMs) => {
  let [end, count] = [-Infinity, 0];
  return (now) => {
    if (now >= end) count = 0;
    end = now + windowMs;
    const served = count < limit;
    if (served) count += 1;
    return { served, remaining: limit - count, resetAt: end, retryAt: count < limit ? now : end };
  };
};

/** An even pace, and a window of all but one on top of it. */
const paceAndWindow: MakeLimiter = (limit, windowMs, phaseMs) => {
  const pace = strictPacer(limit, windowMs, phaseMs);
  let [end, count] = [-Infinity, 0];
  return (now) => {
    const even = pace(now);
    if (now >= end) [end, count] = [now + windowMs, 0];
    const served = even.served || count < limit - 1;
    if (!even.served && served) count += 1;
    const remaining = limit - 1 - count;
    return { served, remaining, resetAt: end, retryAt: remaining > 0 ? now : Math.min(end, even.retryAt) };
  };
};

/** A way to limit, and what the truth about it hangs on. */
export interface Algorithm {
  readonly make: (beats: number) => MakeLimiter;
  /** Whether a whole allowance comes back with time rather than window by window. */
  readonly refills: boolean;
  /** What it holds at once, as a part of its limit. */
  readonly holds: number;
  /** What is wrong with it whatever its figures; sound ones have none. */
  readonly fault?: string;
}

const plain = (make: MakeLimiter, refills: boolean, holds = 1): Algorithm => ({ make: () => make, refills, holds });

/** By name, the plainest first: what is found shrinks to it. */
export const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  fixed: plain(fixedFromFirst, false),
  calendar: plain(calendarWindow, false),
  renewed: plain(renewedByRefusal, false),
  log: plain(slidingLogOldest, false),
  'log by its newest': plain(slidingLogNewest, false),
  counter: plain(slidingCounter, false),
  bucket: plain(tokenBucket, true),
  gcra: plain(gcra, true),
  clumps: { make: clumped, refills: true, holds: 1 },
  'small bucket': plain(smallBucket, true, 1 / 3),
  pacer: plain(strictPacer, true, 0),
  'renewed by each': { ...plain(renewedByEach, false), fault: 'a busy client is never let back' },
  'pace and window': { ...plain(paceAndWindow, false), fault: 'an even pace and a window of all but one on top of it' },
};
