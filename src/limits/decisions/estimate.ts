import type { Figures } from '../series.js';
import { connectionsFor } from './burst.js';
import { concurrentRequests } from './further-bursts.js';
import { dayCeiling, STEADY_SHARE, steadyPlan } from './paced.js';

/** What a profile will cost, for the plan of a run. */
export interface Estimate {
  readonly requests: number;
  readonly seconds: number;
}

/** The profiles by name. */
export type ProfileName = 'burst' | 'concurrent' | 'window' | 'recovery' | 'steady' | 'ban' | 'day-quota';

/** What one profile will send with one key, and how long it takes, at the given latency in ms. */
export function estimate(
  profile: ProfileName,
  figures: Figures,
  latencyMs = 5,
  ban: { readonly maxRequests: number; readonly maxSeconds: number | null } = { maxRequests: 60, maxSeconds: null },
): Estimate {
  const window = figures.minuteSeconds;
  const { connections } = connectionsFor(latencyMs, figures);
  const burstSeconds = (figures.perMinute * latencyMs) / connections / 1000;
  switch (profile) {
    case 'burst':
      return { requests: figures.perMinute + 1, seconds: burstSeconds };
    case 'recovery':
      return { requests: 2, seconds: window + 1 };
    case 'window':
      return { requests: 1, seconds: 0 };
    case 'concurrent':
      return { requests: concurrentRequests(figures, burstSeconds * 1000), seconds: burstSeconds };
    case 'steady': {
      const { requests, gapMs, silenceMs } = steadyPlan(figures, null, null);
      return { requests, seconds: (silenceMs + requests * gapMs) / 1000 };
    }
    case 'ban':
      return { requests: figures.perMinute + ban.maxRequests + 2, seconds: burstSeconds + (ban.maxSeconds ?? 15 * 60) };
    case 'day-quota': {
      const perSecond = (STEADY_SHARE * figures.perMinute) / window;
      const seconds = figures.perDay / perSecond;
      return { requests: dayCeiling(figures, seconds * 1000), seconds };
    }
  }
}
