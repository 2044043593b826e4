import type { Admission, Behaviour, Context, RateFigures, WindowLook } from './behaviour.js';
import { type Allowance, type Limiter, fixedWindow } from './limiter.js';
import type { Answer } from './messages.js';
import { planOf } from './options.js';
import type { KeyName } from '../base/interface/names.js';

type Window = { readonly limiter: Limiter; readonly allowance: Allowance };

type Bucket = { readonly minute: Window; readonly day: Window };

interface Conduct {
  strikes: number;
  /** End of the wait from the last refusal, Unix ms. */
  patientUntil: number;
  bannedUntil: number;
}

/** Limit in the headers for callers without a key, who have no plan. */
const ANONYMOUS_LIMIT = 60;

export type RateLimiter = ReturnType<typeof rateLimiterOf>;

export function rateLimiterOf(behaviour: Behaviour) {
  const buckets = new Map<string, Bucket>();
  const addresses = new Map<string, Limiter>();
  const conducts = new Map<string, Conduct>();

  // A literal that begins with a spread takes V8 ten times as long.
  const nameOf = (context: Context, key: KeyName) => behaviour.bucket({ key, ...context });

  const bucketOf = (context: Context, key: KeyName): Bucket => {
    const name = nameOf(context, key);
    const { minute, day } = behaviour.allowance(planOf(key), context.settings);
    return remembered(buckets, name, () => ({
      minute: { limiter: behaviour.minuteAlgorithm(minute), allowance: minute },
      day: { limiter: behaviour.dayAlgorithm(day), allowance: day },
    }));
  };

  const conductOf = (context: Context, key: KeyName): Conduct => {
    const name = nameOf(context, key);
    const whose = behaviour.ban(context.settings)?.whose(name) ?? name;
    return remembered(conducts, whose, () => ({
      strikes: 0,
      patientUntil: -Infinity,
      bannedUntil: -Infinity,
    }));
  };

  const strike = (context: Context, conduct: Conduct, retryAt: number): void => {
    const habits = behaviour.ban(context.settings);
    const now = context.request.at;
    if (now < conduct.patientUntil || habits?.counts === 'refusals') conduct.strikes += 1;
    conduct.patientUntil = retryAt;
    if (habits === null || conduct.strikes < habits.after) return;
    conduct.strikes = 0;
    conduct.bannedUntil = now + habits.lengthMs;
  };

  return {
    ask: (context: Context, key: KeyName): Admission => {
      const now = context.request.at;
      const conduct = conductOf(context, key);
      if (now < conduct.bannedUntil) {
        const isOfWindow = behaviour.ban(context.settings)?.names === 'window';
        const { minute } = bucketOf(context, key);
        return { kind: 'banned', until: isOfWindow ? minute.limiter.look(now).retryAt : conduct.bannedUntil };
      }
      if (!behaviour.isLimited(context)) return { kind: 'admitted' };
      const { minute, day } = bucketOf(context, key);
      const looks = [minute.limiter.look(now), day.limiter.look(now)];
      if (looks.every(({ admits }) => admits)) {
        conduct.strikes = 0;
        return { kind: 'admitted' };
      }
      minute.limiter.refuse?.(now);
      day.limiter.refuse?.(now);
      const retryAt = Math.max(minute.limiter.look(now).retryAt, day.limiter.look(now).retryAt);
      strike(context, conduct, retryAt);
      return { kind: 'limited', retryAt };
    },
    /** Counts an admitted request after its response. */
    count: (context: Context, key: KeyName, answer: Answer): void => {
      if (!behaviour.isLimited(context)) return;
      const { minute, day } = bucketOf(context, key);
      for (let left = behaviour.cost(context, answer); left > 0; left -= 1) {
        minute.limiter.take(context.request.at);
        day.limiter.take(context.request.at);
      }
    },
    figures: (context: Context, key: KeyName): RateFigures => {
      const now = context.request.at;
      const { minute, day } = bucketOf(context, key);
      const look = ({ limiter, allowance: { limit, windowMs } }: Window): WindowLook => ({
        limit,
        windowMs,
        ...limiter.look(now),
      });
      const figures = behaviour.figures(look(minute), look(day));
      const { bannedUntil } = conductOf(context, key);
      if (now >= bannedUntil) return figures;
      const names = behaviour.ban(context.settings)?.names;
      const endOfWindow = names === 'window' ? figures.resetAt : now + minute.allowance.windowMs;
      const ends = names === 'end in Reset too' ? Infinity : endOfWindow;
      return { ...figures, remaining: 0, resetAt: Math.min(bannedUntil, ends) };
    },
    /** Header values for a caller without a key: a limit per address, which never refuses. */
    anonymousFigures: ({ request, settings }: Context): RateFigures => {
      const allowance = { limit: ANONYMOUS_LIMIT, windowMs: settings.minuteSeconds * 1000 };
      const limiter = remembered(addresses, request.address, () => fixedWindow(allowance));
      limiter.look(request.at);
      limiter.take(request.at);
      const { remaining, resetAt } = limiter.look(request.at);
      return { limit: ANONYMOUS_LIMIT, remaining, resetAt };
    },
  };
}

function remembered<T>(memory: Map<string, T>, name: string, make: () => T): T {
  const known = memory.get(name);
  if (known !== undefined) return known;
  const made = make();
  memory.set(name, made);
  return made;
}
