import { loadLedger } from '../base/interface/ledger.js';
import { ENOUGH_LEFT } from '../drive/experiments/burst/first-answer.js';
import type { LoadPlan } from '../drive/experiments/plan-load.js';
import { mostRequests } from '../drive/probes/courier.js';
import { planOf } from '../wire/targets/target.js';
import { startReference } from '../reference/index.js';
import { runWithoutPlaywright } from '../drive/suite/plain-host.js';
import { secret } from '../wire/targets/secret.js';
import { loadContract } from '../base/interface/contract.js';
import { removalPhaseOn } from '../base/interface/removal-phase.js';
import type { Requirement, RequirementId } from '../base/interface/types.js';
import type { RunCost, SuitesCost } from '../report/examination.js';
import { mostOwnSeconds, mostSeconds } from './bound.js';
import { secondsOfExploring } from './explore-request.js';
import type { RunRequest } from './request.js';
import { planOfLoad } from './load-phase.js';
import { needsOwn, needsSuites, testedRows } from './select.js';

/** Time of the suites without the network; most of it is Playwright's start. */
const SUITES_SECONDS = 3;

/**
 * Estimates the cost of a run, in all and of suites and load; null for a part that is not run.
 * @param latencyMs of one response, as measured
 */
export async function costOf(request: RunRequest, latencyMs?: number): Promise<RunCost> {
  const { requirements: rows } = loadLedger();
  const suites = needsSuites(rows, request) ? await suitesCost(request, rows) : null;
  const load = planOfLoad(request, latencyMs);
  return {
    suites,
    load,
    requests:
      (suites ? suites.withKey + suites.withoutKey : 0) + (load?.requests ?? 0) + (request.explore?.requests ?? 0),
    seconds: secondsOf(request, load, suites?.withKey) + suitesSeconds(suites, latencyMs),
  };
}

/** Returns the time that the network adds to the suites, which send one request after the other, s. */
const suitesSeconds = (suites: SuitesCost | null, latencyMs = 0): number =>
  suites ? Math.round(((suites.withKey + suites.withoutKey) * latencyMs) / 1000) : 0;

/** Returns the maximum duration of a run, which is announced and enforced. */
export const mostSecondsOf = (request: RunRequest, load = planOfLoad(request)): number =>
  mostSeconds(secondsOf(request, load), request.target) + (needsOwn(request) ? mostOwnSeconds(request.target) : 0);

/**
 * Returns the duration of a run without delays, and without a rehearsal.
 * @param withKey requests of the suites with their key; their maximum by default
 */
function secondsOf(request: RunRequest, load: LoadPlan | null, withKey?: number): number {
  const { target, explore } = request;
  const { perMinute } = planOf(target, target.suiteKey);
  const hasSuites = needsSuites(loadLedger().requirements, request);
  // A burst needs a whole window, so it waits if the suites used a part of it with the same key.
  const isUsed = hasSuites && (withKey ?? mostRequests(perMinute)) > (1 - ENOUGH_LEFT) * perMinute;
  const waits = isUsed && load?.profiles.some(({ key }) => key === target.suiteKey) === true;
  return Math.round(
    (hasSuites ? SUITES_SECONDS : 0) +
      (load?.seconds ?? 0) +
      (waits ? target.windows.minute : 0) +
      (explore ? secondsOfExploring(explore.requests, target, load !== null) : 0),
  );
}

/** Requests of all suites, as rehearsals count them, because a rehearsal takes a second. */
const WHOLE_COST: Readonly<Record<'before' | 'after', Readonly<Record<'on' | 'off', SuitesCost>>>> = {
  before: { on: { withKey: 63, withoutKey: 48 }, off: { withKey: 27, withoutKey: 30 } },
  after: { on: { withKey: 55, withoutKey: 35 }, off: { withKey: 24, withoutKey: 17 } },
};

/** Estimates the requests of the suites: all of them from `WHOLE_COST`, a selection by a rehearsal. */
export async function suitesCost(request: RunRequest, rows: readonly Requirement[]): Promise<SuitesCost> {
  const tested = testedRows(rows, request);
  if (tested.length < rows.filter(({ judgedBy }) => judgedBy.kind === 'suite').length) return rehearse(request, tested);
  const isBefore = removalPhaseOn(loadContract().removalDate, request.asOf) === 'before';
  const { withKey, withoutKey } = WHOLE_COST[isBefore ? 'before' : 'after'][request.writes ? 'on' : 'off'];
  const { perMinute } = planOf(request.target, request.target.suiteKey);
  return { withKey: Math.min(withKey, mostRequests(perMinute)), withoutKey };
}

/** More requests in a minute than any rehearsal sends. */
const AMPLE = 10_000;

/**
 * Runs tests of the suites against the embedded server in this process, and counts their requests. These depend on responses
 * and on the plan's limit, so no table suffices. A smaller or stranger target takes some more or fewer.
 */
export async function rehearse(
  { target, writes, asOf }: Pick<RunRequest, 'target' | 'writes' | 'asOf'>,
  tested: readonly RequirementId[],
) {
  const perMinute = planOf(target, target.suiteKey).perMinute;
  // A limit must not disturb the count, which is compared with the real one later.
  const ample = { perMinute: Math.max(AMPLE, perMinute), perDay: AMPLE * AMPLE };
  await using reference = await startReference({ plans: { [target.suiteKey]: ample } });
  const stand: typeof target = {
    ...target,
    baseUrl: reference.baseUrl,
    writes,
    keys: { [target.suiteKey]: secret(reference.keys[target.suiteKey]) },
    windows: { minute: 60, day: 86_400 },
  };
  const { exchanges } = await runWithoutPlaywright(stand, { asOf, selected: tested });
  const withKey = exchanges.filter(({ credential }) => credential.kind === 'valid').length;
  return { exchanges, withKey, withoutKey: exchanges.length - withKey };
}
