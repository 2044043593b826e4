import { loadLedger } from '../base/interface/ledger.js';
import { MAX_CREATIONS } from '../drive/probes/seeding.js';
import { counted, duration, listed, capital, withArticle } from '../base/kernel/format.js';
import type { OwnRequest } from '../drive/own/own-suites.js';
import { mostRequests } from '../drive/probes/courier.js';
import { planOf } from '../wire/targets/target.js';
import type { LoadPlan } from '../drive/experiments/plan-load.js';
import { rehearse, mostSecondsOf } from './cost.js';
import type { RunPlan } from './plan-run.js';
import { secondsOfExploring, USUAL_ANIMALS, usualRequests } from './explore-request.js';
import { planOfLoad } from './load-phase.js';
import type { RunRequest } from './request.js';
import { needsOwn, testedRows } from './select.js';
import { planNames } from '../base/interface/names.js';

/** Describes the plan of a run in lines, for `--dry-run`. Sends nothing to the target. */
export async function describePlan({ request, removal }: RunPlan, verbose: boolean): Promise<readonly string[]> {
  const { requirements } = loadLedger();
  const { target, selected, selection, writes, asOf, explore, own } = request;
  const isStory = selection?.replay !== undefined;
  const lines = [
    `target        ${target.name}  ${target.baseUrl}`,
    `requirements  ${isStory ? 'those that the story breaks' : selected ? `${requirements.filter(({ id }) => selected.includes(id)).length} of ${requirements.length} selected` : `all ${requirements.length}`}`,
    `as of         ${asOf}, ${removal === 'before' ? 'before the removal of getPet' : removal === 'after' ? 'after the removal of getPet' : 'the day of the removal of getPet'}`,
    `writes        ${!writes ? 'off' : isStory ? 'on' : `on: the run creates at most ${MAX_CREATIONS} animals, named conformance-…`}`,
  ];
  if (request.acceptance?.certificate) lines.push(...outlookLines(request));
  const tested = testedRows(requirements, request);
  if (tested.length > 0) {
    const rehearsal = await rehearse(request, tested);
    lines.push(
      `suites        about ${rehearsal.withKey} requests with the ${target.suiteKey} key and ${rehearsal.withoutKey} without a valid one (counted on the embedded server)`,
    );
    if (verbose) lines.push(...rehearsal.exchanges.map(({ probe }) => `              ${probe}`));
  }
  const load = planOfLoad(request);
  if (load) lines.push(...loadLines(load));
  if (explore) lines.push(...exploreLines(explore, request, load !== null));
  else if (tested.length > 0) lines.push(notExplored(request, load !== null));
  if (own && needsOwn(request)) lines.push(...ownLines(own, request));
  return [
    ...lines,
    `at most       ${duration(mostSecondsOf(request, load) * 1000)} in all: the run is cut short then, even if the target demands longer waits`,
    'nothing was sent',
  ];
}

/** The requests of own suites are unknown before they run. */
const ownLines = ({ rows, files, decide }: OwnRequest, { target, selected }: RunRequest): readonly string[] => [
  `own suites    after everything else, ${counted(rows.filter(({ id }) => !selected || selected.includes(id)).length, 'requirement')} in ${counted(files.length, 'file')}: at most ${mostRequests(planOf(target, target.suiteKey).perMinute)} more requests with the ${target.suiteKey} key`,
  `              they ${decide ? 'decide the verdict too' : 'do not affect the verdict'}`,
];

function notExplored({ target, writes }: RunRequest, hasLoad: boolean): string {
  const requests = usualRequests(target);
  const seconds = secondsOfExploring(requests, target, hasLoad);
  const animals = writes ? `, and leaves at most ${counted(USUAL_ANIMALS, 'animal')}` : '';
  return `explore       off; --explore sends ${counted(requests, 'request')} more with the ${target.suiteKey} key, about ${duration(seconds * 1000)}${animals}`;
}

function exploreLines(
  { requests, animals, seed, replay, onward }: NonNullable<RunRequest['explore']>,
  { target, writes }: RunRequest,
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

function loadLines({ profiles, requests, seconds, findings }: LoadPlan): readonly string[] {
  const left = [...new Set(findings.flatMap((finding) => ('reason' in finding ? [finding.reason.text] : [])))].map(
    (text) => `              left out: ${text}`,
  );
  if (profiles.length === 0) return ['load          none', ...left];
  return [
    `load          at most ${counted(requests, 'request')}, about ${duration(seconds * 1000)}, all plans in parallel`,
    ...profiles.map(
      ({ profile, key, requests: each, seconds: long, ifNeeded }) =>
        `${profileLine(key, profile, each, long)}${ifNeeded ? '  only if needed' : ''}`,
    ),
    ...left,
  ];
}

const profileLine = (key: string, profile: string, requests: number, seconds: number): string =>
  `              ${key.padEnd(11)} ${profile.padEnd(10)} ${counted(requests, 'request').padStart(14)}  ${duration(seconds * 1000).padStart(11)}`;

function outlookLines({ target, selection, writes, includes, allowLoadOnProduction }: RunRequest): readonly string[] {
  const given = planNames.filter((plan) => target.keys[plan] && (selection?.plans?.includes(plan) ?? true));
  const others = planNames.filter((plan) => !given.includes(plan) && target.plans[plan]);
  const reasons = [
    given.length < 2
      ? `rate-per-key needs the keys of two plans, but only the ${given.join()} key is given. Add ${withArticle(`${others.map(capital).join(' or ')} key`)}.`
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
  return reasons.length === 0
    ? ['certificate   possible: no obstacle is known now']
    : reasons.map((reason, place) => `${(place === 0 ? 'certificate' : '').padEnd(14)}not from this run: ${reason}`);
}
