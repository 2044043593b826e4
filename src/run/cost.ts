import { loadLedger } from '../base/interface/ledger.js';
import { mostRequests } from '../drive/probes/courier.js';
import { planOf } from '../wire/targets/target.js';
import { loadContract } from '../base/interface/contract.js';
import { removalPhaseOn } from '../base/interface/removal-phase.js';
import { NOTHING, plus, type Cost } from '../drive/limits/cost.js';
import { sum } from '../base/kernel/format.js';
import type { RunCost, SuitesCost } from '../report/examination.js';
import { mostSeconds } from './time-limits.js';
import { phasesOf } from './phases/index.js';
import type { Outlook, PhaseCost } from './phases/phase.js';
import type { RunRequest } from './request.js';
import { needsLoad, needsSuites, testedRows } from './select.js';

/**
 * @param suites requests of the suites; null without suites
 * @param latencyMs of one response, as measured
 */
export async function outlookOf(
  request: RunRequest,
  suites: SuitesCost | null,
  latencyMs?: number,
): Promise<Outlook> {
  const load = needsLoad(request)
    ? (await import('./load-profiles.js')).planOfLoad(request, latencyMs)
    : null;
  return { request, suites, probes: [], load, latencyMs: latencyMs ?? 0 };
}

const costsOf = (outlook: Outlook): Promise<readonly PhaseCost[]> =>
  Promise.all(phasesOf(outlook.request).map(async (phase) => phase.cost(outlook)));

const secondsOf = (costs: readonly PhaseCost[]): number => sum(costs, ({ seconds }) => seconds);

const moreOf = (costs: readonly PhaseCost[]): Cost =>
  costs.flatMap(({ more }) => more ?? []).reduce(plus, NOTHING);

export async function totalOf(outlook: Outlook): Promise<Required<Omit<PhaseCost, 'limitSeconds'>>> {
  const costs = await costsOf(outlook);
  const { requests, seconds } = moreOf(costs);
  return {
    requests: sum(costs, (cost) => cost.requests),
    seconds: Math.round(secondsOf(costs)),
    more: { requests, seconds: Math.round(seconds) },
  };
}

/** @param latencyMs of one response, as measured */
export async function costOf(request: RunRequest, latencyMs?: number): Promise<RunCost> {
  const suites = needsSuites(request) ? await suitesCost(request) : null;
  const outlook = await outlookOf(request, suites, latencyMs);
  return { suites, load: outlook.load, ...(await totalOf(outlook)) };
}

/** Returns the maximum duration of a run in seconds, which is announced and enforced. Needs no rehearsal. */
export async function limitOf(request: RunRequest): Promise<number> {
  const { target } = request;
  const withKey = mostRequests(planOf(target, target.suiteKey).perMinute);
  const costs = await costsOf(
    await outlookOf(request, needsSuites(request) ? { withKey, withoutKey: 0 } : null),
  );
  const planned = Math.round(secondsOf(costs) + moreOf(costs).seconds);
  return mostSeconds(planned, target) + sum(costs, ({ limitSeconds = 0 }) => limitSeconds);
}

/** Requests of all suites, as rehearsals count them, because a rehearsal takes a second. */
const WHOLE_COST: Readonly<Record<'before' | 'after', Readonly<Record<'on' | 'off', SuitesCost>>>> = {
  before: { on: { withKey: 63, withoutKey: 48 }, off: { withKey: 27, withoutKey: 30 } },
  after: { on: { withKey: 55, withoutKey: 35 }, off: { withKey: 24, withoutKey: 17 } },
};

/** Estimates the requests of the suites: all of them from `WHOLE_COST`, a selection by a rehearsal. */
export async function suitesCost(request: RunRequest): Promise<SuitesCost> {
  const tested = testedRows(request);
  if (tested.length < loadLedger().requirements.filter(({ judgedBy }) => judgedBy.kind === 'suite').length)
    return (await import('./rehearse.js')).rehearse(request, tested);
  const isBefore = removalPhaseOn(loadContract().removalDate, request.asOf) === 'before';
  const { withKey, withoutKey } = WHOLE_COST[isBefore ? 'before' : 'after'][request.writes ? 'on' : 'off'];
  const { perMinute } = planOf(request.target, request.target.suiteKey);
  return { withKey: Math.min(withKey, mostRequests(perMinute)), withoutKey };
}
