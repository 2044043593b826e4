import { loadLedger } from '../contract/ledger.js';
import { ENOUGH_LEFT } from '../experiments/burst/first-answer.js';
import { mostOwnSeconds, mostSeconds } from './bound.js';
import { secondsOfExploring } from './explore-cost.js';
import type { RunRequest } from './request.js';
import { planOfLoad } from './load-phase.js';
import type { LoadPlan } from '../experiments/plan-load.js';
import { mostRequests } from '../probes/courier.js';
import { planOf } from '../targets/target.js';
import { rehearse, type Rehearsal } from './rehearse.js';
import { needsLoad, needsOwn, needsSuites, testedRows } from './select.js';

/** What a run is going to take, as far as can be known before. */
export interface PlannedCost {
  readonly requests: number;
  readonly seconds: number;
}

/** What the suites take where the network does not count; most of it is Playwright's start. */
const SUITES_SECONDS = 3;

/** The same part by part; null for a part that is not run. */
export interface DetailedCost extends PlannedCost {
  readonly suites: Rehearsal | null;
  readonly load: LoadPlan | null;
}

/** What a run is going to take: the suites by a rehearsal, load by its plan. */
export async function costOf(request: RunRequest, allowLoadOnProduction: boolean): Promise<DetailedCost> {
  const { requirements: rows } = loadLedger();
  const suites = needsSuites(rows, request) ? await rehearse(request, testedRows(rows, request)) : null;
  const load = needsLoad(rows, request) ? planOfLoad(request, allowLoadOnProduction) : null;
  return {
    suites,
    load,
    requests:
      (suites ? suites.withKey + suites.withoutKey : 0) + (load?.requests ?? 0) + (request.explore?.requests ?? 0),
    seconds: secondsOf(request, allowLoadOnProduction, suites?.withKey),
  };
}

/** How long a run may take at most: what is said before, and then holds. */
export const mostSecondsOf = (request: RunRequest, allowLoadOnProduction: boolean): number =>
  mostSeconds(secondsOf(request, allowLoadOnProduction), request.target) +
  (needsOwn(request) ? mostOwnSeconds(request.target) : 0);

/**
 * How long a run is going to take where nothing holds it up: no rehearsal is needed for it.
 * @param withKey requests that the suites send with their key; the most that they may unless given
 */
function secondsOf(request: RunRequest, allowLoadOnProduction: boolean, withKey?: number): number {
  const { requirements: rows } = loadLedger();
  const load = needsLoad(rows, request) ? planOfLoad(request, allowLoadOnProduction) : null;
  const { perMinute } = planOf(request.target, request.target.suiteKey);
  const hasSuites = needsSuites(rows, request);
  // A burst wants a whole window, and what the suites have used of one with the same key is waited for.
  const isUsed = hasSuites && (withKey ?? mostRequests(perMinute)) > (1 - ENOUGH_LEFT) * perMinute;
  const waits = isUsed && load?.profiles.some(({ key }) => key === request.target.suiteKey) === true;
  return Math.round(
    (hasSuites ? SUITES_SECONDS : 0) +
      (load?.seconds ?? 0) +
      (waits ? request.target.windows.minute : 0) +
      (request.explore ? secondsOfExploring(request.explore.requests, request.target, load !== null) : 0),
  );
}
