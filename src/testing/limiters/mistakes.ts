import type { OperationName } from '../../base/interface/types.js';
import { randomFrom } from '../../base/kernel/random.js';
import { bucket } from '../../proof/limiters/buckets.js';
import { type Beat, clumped } from './clumped.js';
import { calendarWindow, fixedFromFirst, type Limiter, type MakeLimiter, ofReference } from './limiters.js';
import type { Behaviour, Draft } from './server.js';

// Mistakes of limiters, each made of a correct one.

const QUARTERS: Beat = { share: 1 / 4, anchor: 'start', amount: 'sum', holds: 1, reset: 'beat' };

/** A correct window, to be spoiled. */
export const fixed: Behaviour = { make: fixedFromFirst };

/** Another limit, as a share of the plan's. */
export const scaled =
  (make: MakeLimiter, share: number): MakeLimiter =>
  (limit, windowMs, phaseMs) =>
    make(Math.floor(limit * share), windowMs, phaseMs);

/** Leaves out the rate headers. */
export const withoutHeaders = (behaviour: Behaviour): Behaviour => ({
  ...behaviour,
  spoil: (draft) => ({ ...draft, limit: null, remaining: null, reset: null }),
});

/** Allows some requests too many: Remaining is one below the limit for the first ones of a window. */
export const over = (make: MakeLimiter, more: number): Behaviour => ({
  make,
  applied: (figures) => ({ ...figures, perMinute: figures.perMinute + more }),
  spoil: (draft, { decision, figures }) => ({
    ...draft,
    remaining: String(Math.min(decision.remaining, figures.perMinute - 1)),
  }),
});

/** Allows one request too many. */
export const oneOver = (make: MakeLimiter): Behaviour => over(make, 1);

/** Holds more than it shows. */
export const holdingMore = (holds: number, hidden: (limit: number) => number): Behaviour => ({
  make: clumped({ ...QUARTERS, holds }),
  spoil: (draft, { figures }) => ({
    ...draft,
    remaining: String(Math.max(0, Number(draft.remaining) - hidden(figures.perMinute))),
  }),
});

/** Refills too much, or too little, by steps. */
export const steps = (share: number, rate: number): Behaviour => ({
  make: clumped({ ...QUARTERS, share, rate }),
});

/** A bucket of a part of the plan, at another rate. */
export const bucketAt = (holds: number, rate: number): Behaviour => ({
  make: ofReference(bucket((limit) => Math.ceil(limit * holds), rate)),
});

/** Counts every tenth request twice. */
export const tenthTwice: MakeLimiter = (limit, windowMs, phaseMs) => {
  const limiter = fixedFromFirst(limit, windowMs, phaseMs);
  let count = 0;
  return (now) => {
    const decision = limiter(now);
    return (count += 1) % 10 === 0 && decision.served ? { ...limiter(now), served: true } : decision;
  };
};

/** Refuses every 37th request as well. */
export const refusingEvery37th: MakeLimiter = (limit, windowMs, phaseMs) => {
  const limiter = fixedFromFirst(limit, windowMs, phaseMs);
  let asked = 0;
  return (now) =>
    (asked += 1) % 37 === 0 ? { ...limiter(now), served: false, retryAt: now + 1000 } : limiter(now);
};

/** Creates limiters that each count the requests of all keys, with the limit of their own plan. */
export const sharedByAll = (make: MakeLimiter): Behaviour => {
  const all: Limiter[] = [];
  return {
    make: (...figures) => {
      const own = make(...figures);
      all.push(own);
      return (now) => {
        for (const other of all) if (other !== own) other(now);
        return own(now);
      };
    },
  };
};

/** Returns the server of the nth request. */
type Balancing = (count: number) => number;

const turnOf =
  (servers: number): Balancing =>
  (count) =>
    count % servers;

/** Sends requests to a server at random. */
export const atRandom = (servers: number): Balancing => {
  const random = randomFrom(7);
  return () => Math.floor(random() * servers);
};

/** Servers of which one has no limiter and reports each request as the first. */
export const oneWithout = (servers: number, hidden: number, balancing = turnOf(servers)): Behaviour => {
  let place = 0;
  const untouched = (draft: Draft, now: number, limit: number, seconds: number): Draft => ({
    ...draft,
    remaining: String(limit - hidden),
    reset: String(Math.ceil(now / 1000) + seconds),
  });
  return {
    ...fixed,
    countedBy: (key, _operation, count) => ((place = balancing(count)) === 0 ? null : key),
    spoil: (draft, { now, figures }) =>
      place === 0 ? untouched(draft, now, figures.perMinute, figures.minuteSeconds) : draft,
  };
};

/** Servers in turn that count apart, and whose clocks are a window apart. */
export const inTurnAskew = (servers: number): Behaviour => {
  let place = 0;
  return {
    ...fixed,
    countedBy: (key, _operation, count) => `${key} ${(place = count % servers)}`,
    spoil: (draft, { figures }) =>
      place === 0 ? { ...draft, reset: String(Number(draft.reset) - figures.minuteSeconds) } : draft,
  };
};

/** Servers in turn that count apart. */
export const inTurn = (servers: number): Behaviour => ({
  ...fixed,
  countedBy: (key, _operation, count) => `${key} ${count % servers}`,
});

/** Servers behind a balancer of connections, whose windows end at different times. */
export const byConnection = (servers: number): Behaviour => {
  let made = 0;
  return {
    make: (limit, windowMs, phaseMs) => calendarWindow(limit, windowMs, phaseMs + 7000 * made++),
    countedBy: (key, _operation, _count, connection) => `${key} ${connection % servers}`,
  };
};

/** Applies windows of another length than the plan's. */
export const ofSpan = (make: MakeLimiter, windows: number): Behaviour => ({
  make,
  applied: (figures) => ({ ...figures, minuteSeconds: figures.minuteSeconds * windows }),
});

/** Forgets a key at its first refusal, so that the next request finds the whole allowance. */
export const anewAfterRefusal =
  (make: MakeLimiter): MakeLimiter =>
  (...figures) => {
    let limiter = make(...figures);
    return (now) => {
      const decision = limiter(now);
      if (!decision.served) limiter = make(...figures);
      return decision;
    };
  };

/** Forgets a key that sent nothing for a share of a window. */
export const forgettingIdle =
  (make: MakeLimiter, share: number): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    let [limiter, latest] = [make(limit, windowMs, phaseMs), Infinity];
    return (now) => {
      if (now - latest > share * windowMs) limiter = make(limit, windowMs, phaseMs);
      latest = now;
      return limiter(now);
    };
  };

/** Allows one request less than the plan. */
export const oneLess = (make: MakeLimiter): Behaviour => ({
  make,
  applied: (figures) => ({ ...figures, perMinute: figures.perMinute - 1 }),
});

/** Shows the Remaining of the request before. */
export const remainingBefore = (make: MakeLimiter): Behaviour => {
  const last = new Map<string, string | null>();
  return {
    make,
    spoil: (draft, { key, figures }) => {
      const shown = last.get(key) ?? String(figures.perMinute);
      last.set(key, draft.remaining);
      return { ...draft, remaining: shown };
    },
  };
};

/** Counts each request of an operation twice. */
export const twiceFor = (operation: OperationName, make: MakeLimiter): Behaviour => {
  let isDear = false;
  return {
    make: (...figures) => {
      const limiter = make(...figures);
      return (now) => {
        const decision = limiter(now);
        return decision.served && isDear ? { ...limiter(now), served: true } : decision;
      };
    },
    countedBy: (key, of) => {
      isDear = of === operation;
      return key;
    },
  };
};

/** Refuses every key for some windows after any refusal, as where an address is blocked. */
export const blockingAll = (make: MakeLimiter, windows: number): Behaviour => {
  let until = -Infinity;
  return {
    make: (limit, windowMs, phaseMs) => {
      const limiter = make(limit, windowMs, phaseMs);
      return (now) => {
        if (now < until) return { served: false, remaining: 0, resetAt: until, retryAt: until };
        const decision = limiter(now);
        if (!decision.served) until = now + windows * windowMs;
        return decision;
      };
    },
  };
};

/** Announces the next edge of the clock, whatever its windows are. */
export const toldByClock =
  (make: MakeLimiter): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    const limiter = make(limit, windowMs, phaseMs);
    return (now) => {
      const edge = (Math.floor(now / windowMs) + 1) * windowMs;
      const decision = limiter(now);
      return { ...decision, resetAt: edge, retryAt: decision.served ? now : edge };
    };
  };

/** Announces a Reset that is always a whole window ahead. */
export const resetFromNow = (make: MakeLimiter): Behaviour => ({
  make,
  spoil: (draft, { now, figures }) => ({
    ...draft,
    reset: String(Math.ceil(now / 1000) + figures.minuteSeconds),
  }),
});

/** Shows one request more than is left. */
export const oneMoreShown = (make: MakeLimiter): Behaviour => ({
  make,
  spoil: (draft) =>
    draft.status === 429 ? draft : { ...draft, remaining: String(Number(draft.remaining) + 1) },
});

/** Counts an operation, and never refuses it. */
export const neverRefusing = (operation: OperationName, make: MakeLimiter): Behaviour => {
  let isFree = false;
  return {
    make: (...figures) => {
      const limiter = make(...figures);
      return (now) => {
        const decision = limiter(now);
        return isFree ? { ...decision, served: true } : decision;
      };
    },
    countedBy: (key, of) => {
      isFree = of === operation;
      return key;
    },
  };
};

/** Shows at least one request left until it refuses. */
export const neverNoneShown = (make: MakeLimiter): Behaviour => ({
  make,
  spoil: (draft) =>
    draft.status === 429 ? draft : { ...draft, remaining: String(Math.max(1, Number(draft.remaining))) },
});

/** Shows the Reset of a key's first response for ever. */
export const firstResetForEver = (make: MakeLimiter): Behaviour => {
  const first = new Map<string, string | null>();
  return {
    make,
    spoil: (draft, { key }) => {
      if (!first.has(key)) first.set(key, draft.reset);
      return { ...draft, reset: first.get(key) ?? null };
    },
  };
};

/** Allows a tenth less than the plan, shows as if it did not, and nothing left on a refusal. */
export const lowerThanShown =
  (make: MakeLimiter): MakeLimiter =>
  (limit, ...more) => {
    const applied = Math.floor(0.9 * limit);
    const limiter = make(applied, ...more);
    return (now) => {
      const decision = limiter(now);
      return { ...decision, remaining: decision.served ? decision.remaining + limit - applied : 0 };
    };
  };

/** Processes of a cluster, each for its connections, that count the requests of the others late. */
export const countingOthersLate = (lateMs: number, processes: number): Behaviour => {
  let process = 0;
  return {
    make: (limit, windowMs) => {
      let end = -Infinity;
      let counted: readonly { readonly process: number; readonly at: number }[] = [];
      return (now) => {
        if (now >= end) [end, counted] = [now + windowMs, []];
        const known = counted.filter((one) => one.process === process || one.at <= now - lateMs).length;
        const served = known < limit;
        if (served) counted = [...counted, { process, at: now }];
        const remaining = Math.max(0, limit - known - (served ? 1 : 0));
        return { served, remaining, resetAt: end, retryAt: served ? now : end };
      };
    },
    countedBy: (key, _operation, _count, connection) => {
      process = connection % processes;
      return key;
    },
  };
};

/** Processes that each allow a part of the limit: in turn, or each for its connections. */
export const ofParts = (processes: number, isInTurn: boolean, make = fixedFromFirst): Behaviour => ({
  make,
  applied: (figures) => ({ ...figures, perMinute: Math.floor(figures.perMinute / processes) }),
  countedBy: (key, _operation, count, connection) => `${key} ${(isInTurn ? count : connection) % processes}`,
});
