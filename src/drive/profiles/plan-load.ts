import { outOfScope, about, unestablished, type Finding } from '../../judge/findings/finding.js';
import type { PlanName, Requirement, RequirementId } from '../../base/interface/types.js';
import { NOTHING, plus, type Cost } from '../limits/cost.js';
import { questionsIn } from '../limits/select.js';
import { figuresOf } from '../load/figures.js';
import {
  endsWithinItsDay,
  GIVEN,
  leftOut,
  MOST_OF_A_DAY,
  profilesOf,
  requestsOfDay,
} from './left-out-rows.js';
import { OPT_IN, profileOf, PROFILES } from './profiles.js';
import { capital, count, counted, grouped, listed } from '../../base/kernel/format.js';
import type { Target } from '../../wire/targets/target.js';
import { plansWithKey } from '../../wire/targets/keys.js';
import { type ProfileName, type KeyName, planNames } from '../../base/interface/names.js';

export interface LoadRequest {
  readonly target: Target;
  readonly rows: readonly Requirement[];
  readonly selected: readonly RequirementId[] | null;
  /** Selected plans; null for all with a key. */
  readonly plans: readonly PlanName[] | null;
  /** Profiles selected by name; null for those that the requirements need. */
  readonly profiles: readonly ProfileName[] | null;
  /** Profiles with an earlier failure, run in addition. */
  readonly retried?: readonly ProfileName[];
  /** Opt-in profiles. */
  readonly includes: readonly ProfileName[];
  readonly allowLoadOnProduction: boolean;
  /** Time from sending to response, ms, if known. */
  readonly latencyMs?: number;
  /** Requests that the run already sent, by key. */
  readonly spent?: Readonly<Partial<Record<KeyName, number>>>;
}

export interface PlannedProfile extends Cost {
  readonly profile: ProfileName;
  readonly key: KeyName;
  /** What it may add: questions that are asked only under a condition. */
  readonly more: Cost;
}

/** Requests that load will send, and reasons for those that it will not. */
export interface LoadPlan {
  readonly profiles: readonly PlannedProfile[];
  readonly requests: number;
  /** Seconds of the slowest key, since keys run in parallel. */
  readonly seconds: number;
  /** What conditional questions may add to both. */
  readonly more: Cost;
  /** Findings on requirements without requests: not applicable, or inconclusive, with the reason. */
  readonly findings: readonly Finding[];
}

/**
 * Plans the load: requests by key, and what is left out. Pure. Nothing is sent to a production target without
 * release, without a key, or if a day's limit is too low.
 */
export function planLoad(request: LoadRequest): LoadPlan {
  const { target, rows, selected } = request;
  const inScope = rows.filter(
    ({ id, judgedBy }) => judgedBy.kind === 'load' && (selected === null || selected.includes(id)),
  );
  const wanted = wantedProfiles(request, inScope);
  if (target.production && !request.allowLoadOnProduction) {
    const why = 'The target is production, and load on it was not allowed (--allow-load-on-production).';
    return withSums(
      [],
      inScope.map(({ id }) => about(id, outOfScope('production', why))),
    );
  }
  const keys = plansWithKey(target, request.plans);
  const planned = keys.map((key) => {
    const profiles = plannedFor(key, key, request, wanted);
    return { key, profiles, excess: excessOf(key, profiles, request) };
  });
  const fitting = planned.filter(({ excess }) => excess === null);
  const ofDay = fitting.filter(({ key }) => endsWithinItsDay(figuresOf(target, key)));
  const dayKey = ofDay.find(({ key }) => requestsOfDay(figuresOf(target, key)) <= MOST_OF_A_DAY)?.key;
  const { sacrificial } = target;
  const profiles = [
    ...fitting.flatMap(({ key, profiles: of }) =>
      of.filter(({ profile }) => profileOf(profile).keys !== 'one-plan' || key === dayKey),
    ),
    ...(sacrificial ? plannedFor('sacrificial', sacrificial.plan, request, wanted) : []),
  ];
  const ran = new Set(profiles.map(({ profile }) => profile).filter((profile) => wanted.has(profile)));
  // A plan that is left out affects only requirements that its own profiles judge.
  const refused = planned.flatMap(({ excess, profiles: of }) =>
    excess === null
      ? []
      : inScope
          .filter((row) => of.some(({ profile }) => profilesOf(row).includes(profile)))
          .map(({ id }) => about(id, unestablished('thrift', excess))),
  );
  const spokenOf = new Set(refused.map(({ requirement }) => requirement));
  const missing = planNames.filter((plan) => !keys.includes(plan) && (request.plans?.includes(plan) ?? true));
  const noKey = `the ${missing.length === 1 ? 'plan' : 'plans'} ${listed(missing.map(capital))} (no key was given)`;
  const isOfPlans = (row: Requirement): boolean =>
    profilesOf(row).some((profile) => profileOf(profile).keys === 'each-plan' && ran.has(profile));
  return withSums(profiles, [
    ...inScope.flatMap((row) =>
      spokenOf.has(row.id)
        ? []
        : leftOut(row, ran, request, { isAnyKeyLeft: fitting.length > 0, tooLong: ofDay[0]?.key ?? null }),
    ),
    ...(missing.length === 0 ? [] : inScope.filter(isOfPlans)).map(({ id }) =>
      about(id, outOfScope('no-key', noKey)),
    ),
    ...refused,
  ]);
}

function withSums(profiles: readonly PlannedProfile[], findings: readonly Finding[]): LoadPlan {
  const requests = profiles.reduce((sum, one) => sum + one.requests, 0);
  const most = profiles.reduce((sum, { more }) => sum + more.requests, 0);
  const ofKeys = [...grouped(profiles, ({ key }) => key).values()].map((own) => ({
    always: own.reduce(plus, NOTHING).seconds,
    more: own.map(({ more }) => more).reduce(plus, NOTHING).seconds,
  }));
  const seconds = Math.max(0, ...ofKeys.map(({ always }) => always));
  const longest = Math.max(0, ...ofKeys.map(({ always, more }) => always + more));
  return { profiles, requests, seconds, more: { requests: most, seconds: longest - seconds }, findings };
}

/** Profiles that the requirements in scope need, or those selected by name, with their prerequisites. */
function wantedProfiles(
  { profiles, retried = [], includes }: LoadRequest,
  rows: readonly Requirement[],
): ReadonlySet<ProfileName> {
  const all = profiles ?? [...rows.flatMap(profilesOf), ...retried];
  const opted = all.filter((profile) => !OPT_IN.has(profile) || includes.includes(profile));
  return new Set(opted.flatMap((profile) => [...profileOf(profile).after, profile]));
}

/** Is true for the watched key: other users of a key may explain what any question finds. */
const isAlso = (name: ProfileName, wanted: ReadonlySet<ProfileName>): boolean =>
  name === 'watch' && questionsIn(wanted).length > 0;

function plannedFor(
  key: KeyName,
  plan: PlanName,
  { target, latencyMs = GIVEN.latencyMs }: LoadRequest,
  wanted: ReadonlySet<ProfileName>,
): readonly PlannedProfile[] {
  return PROFILES.filter(
    ({ name, keys }) =>
      (keys === 'sacrificial') === (key === 'sacrificial') && (wanted.has(name) || isAlso(name, wanted)),
  ).map(({ name, cost, more }) => {
    const given = { latencyMs, ban: target.ban };
    const figures = figuresOf(target, plan);
    return { profile: name, key, ...cost(figures, given), more: more(figures, given) };
  });
}

/** Reason why a plan's day is too short for what its profiles always send; null if it is not. */
function excessOf(
  key: PlanName,
  profiles: readonly PlannedProfile[],
  { target, spent }: LoadRequest,
): string | null {
  const { perDay } = figuresOf(target, key);
  const sum = profiles
    .filter(({ profile }) => profileOf(profile).keys === 'each-plan')
    .reduce((total, { requests }) => total + requests, spent?.[key] ?? 0);
  return sum <= perDay
    ? null
    : `The profiles would send ${counted(sum, 'request')} with the ${key} key, ` +
        `but its plan allows ${count(perDay)} a day. No load was sent with it.`;
}
