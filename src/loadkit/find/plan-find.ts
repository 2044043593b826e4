import type { Threshold } from '../../wire/scenario/threshold.js';
import { EARLIER, keysOfScenario, planCapacity, type CapacityPlan, type PlanRequest } from '../plan.js';
import { type FindPlan, mostOfSearch, samplesFor } from './search.js';

interface FindRequest extends Omit<PlanRequest, 'slice'> {
  readonly conditions: readonly Threshold[];
  /** Highest rate to try, arrivals per second. */
  readonly upTo: number;
  /** Longest wait for a response, s. */
  readonly timeoutSeconds: number;
}

/** First rate that is judged, per second: below the capacity of most servers. */
const FIRST = 10;
/** Lowest rate that is tried, per second. */
const LOWEST = 1;
/** Share of a plan's minute that a search uses: arrivals of two steps meet in a window, and clocks differ. */
const PLAN_SHARE = 0.95;

/**
 * Plans a search: it keeps to the plans of its keys, since none of its steps is faster than they allow in the
 * long run. Pure. Throws ConfigError; see `planCapacity`.
 */
export function planFind(request: FindRequest): CapacityPlan & { readonly find: FindPlan } {
  const { scenario, target, conditions, upTo, timeoutSeconds } = request;
  const keys = keysOfScenario(scenario, target);
  const ofPlans = scenario.overLimit === 'allow' ? Infinity : longRunRate(keys, target);
  const most = Math.min(upTo, ofPlans);
  const first = Math.min(FIRST, most);
  const settings = { first, lowest: Math.min(LOWEST, first), most, samples: samplesFor(conditions) };
  const bound = mostOfSearch(settings, timeoutSeconds);
  // A window at the highest rate is the most that a window of the search can hold.
  const busiest = {
    kind: 'open',
    name: 'search',
    seconds: target.windows.minute,
    from: most,
    to: most,
  } as const;
  const bare = { ...scenario, thresholds: [], abort: null };
  const plan = planCapacity({ ...request, scenario: { ...bare, phases: [busiest] } });
  const least = Math.min(...keys.map((key) => target.plans[key]?.perDay ?? Infinity));
  const budget = scenario.overLimit === 'allow' ? Infinity : (least - EARLIER) * keys.length;
  return {
    ...plan,
    scenario: { ...bare, phases: [] },
    phases: [],
    find: {
      conditions,
      settings,
      mostIs: ofPlans < upTo ? 'plan' : 'option',
      budget,
      bound: { ...bound, requests: Math.min(bound.requests, budget) },
    },
  };
}

/** Returns the rate that several keys in turn allow for any length of time, arrivals per second. */
function longRunRate(
  keys: ReturnType<typeof keysOfScenario>,
  { plans, windows }: PlanRequest['target'],
): number {
  const least = Math.min(...keys.map((key) => plans[key]?.perMinute ?? Infinity));
  const perSecond = ((least - EARLIER) * PLAN_SHARE * keys.length) / windows.minute;
  return Math.max(0.01, Math.floor(perSecond * 100) / 100);
}
