import { loadLedger } from '../contract/ledger.js';
import { MAX_CREATIONS } from '../probes/seeding.js';
import { counted, duration, listed } from '../format/format.js';
import type { OwnRequest } from '../own/own-suites.js';
import { mostRequests } from '../probes/courier.js';
import { planOf } from '../targets/target.js';
import { rehearse, mostSecondsOf } from './cost.js';
import type { RunPlan } from './plan-run.js';
import { secondsOfExploring, USUAL_ANIMALS, usualRequests } from './explore-request.js';
import { planOfLoad } from './load-phase.js';
import type { RunRequest } from './request.js';
import { needsLoad, needsOwn, testedRows } from './select.js';
import { planNames } from '../contract/names.js';

/** Describes the plan of a run in lines, for `--dry-run`. Sends nothing to the target. */
export async function describePlan(
  { request, removal }: RunPlan,
  { verbose, allowLoadOnProduction }: { readonly verbose: boolean; readonly allowLoadOnProduction: boolean },
): Promise<readonly string[]> {
  const { requirements } = loadLedger();
  const { target, selected, selection, writes, asOf } = request;
  const lines = [
    `target        ${target.name}  ${target.baseUrl}`,
    `requirements  ${selection?.replay !== undefined ? 'those that the story breaks' : selected ? `${requirements.filter(({ id }) => selected.includes(id)).length} of ${requirements.length} selected` : `all ${requirements.length}`}`,
    `as of         ${asOf}, ${removal === 'before' ? 'before the removal of getPet' : removal === 'after' ? 'after the removal of getPet' : 'the day of the removal of getPet'}`,
    `writes        ${selection?.replay !== undefined ? (writes ? 'on' : 'off') : writes ? `on: the run creates at most ${MAX_CREATIONS} animals, named conformance-…` : 'off'}`,
  ];
  if (request.acceptance?.certificate) lines.push(...outlookLines(request, allowLoadOnProduction));
  const tested = testedRows(requirements, request);
  if (tested.length > 0) {
    const rehearsal = await rehearse(request, tested);
    lines.push(
      `suites        about ${rehearsal.withKey} requests with the ${target.suiteKey} key and ${rehearsal.withoutKey} without a valid one (counted on the embedded server)`,
    );
    if (verbose) lines.push(...rehearsal.exchanges.map(({ probe }) => `              ${probe}`));
  }
  const hasLoad = needsLoad(requirements, request);
  if (hasLoad) lines.push(...loadLines(request, allowLoadOnProduction));
  if (request.explore) lines.push(...exploreLines(request.explore, request, hasLoad));
  else if (tested.length > 0) lines.push(notExplored(request, hasLoad));
  if (request.own && needsOwn(request)) lines.push(...ownLines(request.own, request));
  const seconds = mostSecondsOf(request, allowLoadOnProduction);
  lines.push(
    `at most       ${duration(seconds * 1000)} in all: the run is cut short then, even if the target demands longer waits`,
  );
  return [...lines, 'nothing was sent'];
}

function outlookLines(request: RunPlan['request'], allowLoadOnProduction: boolean): readonly string[] {
  const reasons = certificateOutlook(request, allowLoadOnProduction);
  if (reasons.length === 0) return ['certificate   possible: no obstacle is known now'];
  return reasons.map((reason, place) => `${(place === 0 ? 'certificate' : '').padEnd(14)}not from this run: ${reason}`);
}

/** The requests of own suites are unknown before they run. */
const ownLines = ({ rows, files, decide }: OwnRequest, { target, selected }: RunPlan['request']): readonly string[] => [
  `own suites    after everything else, ${counted(rows.filter(({ id }) => !selected || selected.includes(id)).length, 'requirement')} in ${counted(files.length, 'file')}: at most ${mostRequests(planOf(target, target.suiteKey).perMinute)} more requests with the ${target.suiteKey} key`,
  `              they ${decide ? 'decide the verdict too' : 'do not affect the verdict'}`,
];

/** Describes the cost of exploring when it is off. */
function notExplored({ target, writes }: RunPlan['request'], hasLoad: boolean): string {
  const requests = usualRequests(target);
  const seconds = secondsOfExploring(requests, target, hasLoad);
  const animals = writes ? `, and leaves at most ${counted(USUAL_ANIMALS, 'animal')}` : '';
  return `explore       off; --explore sends ${counted(requests, 'request')} more with the ${target.suiteKey} key, about ${duration(seconds * 1000)}${animals}`;
}

function exploreLines(
  { requests, animals, seed, replay, onward }: NonNullable<RunPlan['request']['explore']>,
  { target, writes }: RunPlan['request'],
  hasLoad: boolean,
): readonly string[] {
  const seconds = secondsOfExploring(requests, target, hasLoad);
  return [
    `explore       ${!replay || onward ? `after everything else, seed ${seed}` : `after everything else only ${replay.length === 1 ? 'the story' : 'the stories'} ${listed(replay.map((path) => `${seed}:${path}`))}`}`,
    profileLine(target.suiteKey, 'explore', requests, seconds),
    writes
      ? `              at most ${counted(animals, 'more animal')} are added and stay, with names such as null, 007 or <script>`
      : '              reads, spellings, keys and limits only (writes are off)',
  ];
}

function loadLines(request: RunPlan['request'], allowLoadOnProduction: boolean): readonly string[] {
  const { profiles, requests, seconds, findings } = planOfLoad(request, allowLoadOnProduction);
  if (profiles.length === 0) return ['load          none', ...reasonsOf(findings)];
  return [
    `load          at most ${counted(requests, 'request')}, about ${duration(seconds * 1000)}, all plans in parallel`,
    ...profiles.map(
      ({ profile, key, requests: each, seconds: long, ifNeeded }) =>
        `${profileLine(key, profile, each, long)}${ifNeeded ? '  only if needed' : ''}`,
    ),
    ...reasonsOf(findings),
  ];
}

const profileLine = (key: string, profile: string, requests: number, seconds: number): string =>
  `              ${key.padEnd(11)} ${profile.padEnd(10)} ${counted(requests, 'request').padStart(14)}  ${duration(seconds * 1000).padStart(11)}`;

/** Reasons for omissions, without repetition. */
const reasonsOf = (findings: ReturnType<typeof planOfLoad>['findings']): readonly string[] =>
  [...new Set(findings.flatMap((finding) => ('reason' in finding ? [finding.reason.text] : [])))].map(
    (text) => `              left out: ${text}`,
  );

/** Number of keys that show if one leaves another's rate limit unchanged. */
const LEAST_PLANS = 2;

/** Explains what already prevents a certificate, a sentence each; empty if nothing is known. Pure. */
function certificateOutlook(
  { target, selection, writes, includes }: RunRequest,
  allowLoadOnProduction: boolean,
): readonly string[] {
  const given = planNames.filter((plan) => target.keys[plan] && (selection?.plans?.includes(plan) ?? true));
  const others = planNames.filter((plan) => !given.includes(plan) && target.plans[plan]);
  return [
    given.length < LEAST_PLANS
      ? `rate-per-key needs the keys of two plans, but only the ${given.join()} key is given. Add a ${others.join(' or ')} key.`
      : '',
    includes.includes('ban') && !target.sacrificial
      ? 'The profile ban needs a key that may be banned. Set keys.sacrificial, or leave out --include ban.'
      : '',
    target.production && !allowLoadOnProduction
      ? 'Load on production is not allowed. Add --allow-load-on-production.'
      : '',
    writes ? '' : 'Writes are off. Leave out --read-only and writes: false.',
    selection ? 'Only a selection is judged. Leave out the options that narrow the run.' : '',
  ].filter((reason) => reason !== '');
}
