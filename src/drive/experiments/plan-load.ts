import { type ReasonCode, outOfScope, about, unestablished, type Finding } from '../../judge/findings/finding.js';
import type { PlanName, Requirement, RequirementId } from '../../base/interface/types.js';
import { dayQuota } from './day-quota/experiment.js';
import type { Cost, CostGiven } from './experiment.js';
import { EXPERIMENTS, experimentOf, OPT_IN } from './index.js';
import type { Figures } from '../../judge/limits/bounds.js';
import { count, counted } from '../../base/kernel/format.js';
import { planOf, type Target } from '../../wire/targets/target.js';
import { type ProfileName, type KeyName, planNames } from '../../base/interface/names.js';

/** Options and selection of a load run. */
export interface LoadRequest {
  readonly target: Target;
  readonly rows: readonly Requirement[];
  /** Selected requirement ids; null without a selection. */
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
  /** Runs only if earlier profiles leave something open. */
  readonly ifNeeded: boolean;
}

/** Requests that load will send, and reasons for those that it will not. */
export interface LoadPlan {
  readonly profiles: readonly PlannedProfile[];
  /** Maximum, without profiles that run only if needed. */
  readonly requests: number;
  /** Seconds of the slowest key, since keys run in parallel; without profiles that run only if needed. */
  readonly seconds: number;
  /** Findings on requirements without requests: not applicable, or inconclusive, with the reason. */
  readonly findings: readonly Finding[];
}

/** Defaults for a target on or near this machine. A farther one needs a measured latency, and a declared ban. */
const GIVEN: CostGiven = { latencyMs: 2, ban: { maxRequests: 60 } };

/**
 * Plans the load: requests by key, and what is left out. Pure. Nothing is sent to a production target without release,
 * without a key, or if a day's limit is too low.
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
  const keys = planNames.filter((plan) => target.keys[plan] && (request.plans?.includes(plan) ?? true));
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
      of.filter(({ profile }) => experimentOf(profile).keys !== 'one-plan' || key === dayKey),
    ),
    ...(sacrificial ? plannedFor('sacrificial', sacrificial.plan, request, wanted) : []),
  ];
  const ran = new Set(profiles.map(({ profile }) => profile));
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
  const noKey = `the ${missing.length === 1 ? 'plan' : 'plans'} ${missing.join(', ')} (no key was given)`;
  const isOfPlans = (row: Requirement): boolean =>
    profilesOf(row).some((profile) => experimentOf(profile).keys === 'each-plan' && ran.has(profile));
  return withSums(profiles, [
    ...inScope.flatMap((row) =>
      spokenOf.has(row.id)
        ? []
        : leftOut(row, ran, request, { isAnyKeyLeft: fitting.length > 0, tooLong: ofDay[0]?.key ?? null }),
    ),
    ...(missing.length === 0 ? [] : inScope.filter(isOfPlans)).map(({ id }) => about(id, outOfScope('no-key', noKey))),
    ...refused,
  ]);
}

function withSums(profiles: readonly PlannedProfile[], findings: readonly Finding[]): LoadPlan {
  const certain = profiles.filter(({ ifNeeded }) => !ifNeeded);
  const secondsOf = ({ key }: PlannedProfile): number =>
    certain.reduce((sum, each) => sum + (each.key === key ? each.seconds : 0), 0);
  return {
    profiles,
    requests: certain.reduce((sum, { requests }) => sum + requests, 0),
    seconds: Math.max(0, ...certain.map(secondsOf)),
    findings,
  };
}

const profilesOf = ({ judgedBy }: Requirement): readonly ProfileName[] =>
  judgedBy.kind === 'load' ? judgedBy.profiles : [];

/** Profiles that the requirements in scope need, or those selected by name, with their prerequisites. */
function wantedProfiles(
  { profiles, retried = [], includes }: LoadRequest,
  rows: readonly Requirement[],
): ReadonlySet<ProfileName> {
  const all = profiles ?? [...rows.flatMap(profilesOf), ...retried];
  const opted = all.filter((profile) => !OPT_IN.has(profile) || includes.includes(profile));
  return new Set(opted.flatMap((profile) => [...experimentOf(profile).after, profile]));
}

/** Most requests of a day in one run: all their samples are kept, about 60 MB (decision 5). */
const MOST_OF_A_DAY = 200_000;

const requestsOfDay = (figures: Figures): number => dayQuota.cost(figures, GIVEN).requests;

/** True if a day's allowance can be used up within the day: with test windows it may not be. */
const endsWithinItsDay = (figures: Figures): boolean => dayQuota.cost(figures, GIVEN).seconds < figures.daySeconds;

/** Returns the figures of a plan's key on this target. */
export const figuresOf = (target: Target, plan: PlanName): Figures => {
  const { perMinute, perDay } = planOf(target, plan);
  const { windows, ban } = target;
  return {
    perMinute,
    perDay,
    minuteSeconds: windows.minute,
    daySeconds: windows.day,
    ...(ban.maxSeconds !== undefined && { banSeconds: ban.maxSeconds }),
  };
};

function plannedFor(
  key: KeyName,
  plan: PlanName,
  { target, latencyMs = GIVEN.latencyMs, profiles }: LoadRequest,
  wanted: ReadonlySet<ProfileName>,
): readonly PlannedProfile[] {
  return EXPERIMENTS.filter(
    ({ name, keys }) => (keys === 'sacrificial') === (key === 'sacrificial') && wanted.has(name),
  ).map(({ name, cost, runs }) => ({
    profile: name,
    key,
    ...cost(figuresOf(target, plan), { latencyMs, ban: target.ban }),
    ifNeeded: runs.kind === 'if-needed' && !(profiles?.includes(name) ?? false),
  }));
}

/** Reason why a plan's day is too short for its profiles; null if it is not. */
function excessOf(key: PlanName, profiles: readonly PlannedProfile[], { target, spent }: LoadRequest): string | null {
  const { perDay } = figuresOf(target, key);
  const sum = profiles
    .filter(({ profile, ifNeeded }) => !ifNeeded && experimentOf(profile).keys === 'each-plan')
    .reduce((total, { requests }) => total + requests, spent?.[key] ?? 0);
  return sum <= perDay
    ? null
    : `The profiles would send ${counted(sum, 'request')} with the ${key} key, but its plan allows ${count(perDay)} a day. No load was sent with it.`;
}

/** Findings on requirements none of whose profiles will run. */
function leftOut(
  row: Requirement,
  ran: ReadonlySet<ProfileName>,
  { includes, target }: LoadRequest,
  { isAnyKeyLeft, tooLong }: { readonly isAnyKeyLeft: boolean; readonly tooLong: PlanName | null },
): readonly Finding[] {
  const profiles = profilesOf(row);
  if (profiles.some((profile) => ran.has(profile))) return [];
  const optIn = EXPERIMENTS.find(({ name }) => OPT_IN.has(name) && profiles.includes(name));
  const say = (code: ReasonCode, text: string): readonly Finding[] => [about(row.id, outOfScope(code, text))];
  if (optIn?.runs.kind !== 'opt-in')
    return say('not-selected', `No profile that judges it was selected: ${profiles.join(', ')}.`);
  const { name, keys, runs } = optIn;
  if (!includes.includes(name))
    return say('opt-in', `The profile ${name} ${runs.because} and runs only with --include ${name}.`);
  if (keys === 'sacrificial' && !target.sacrificial)
    return say('no-key', 'The target has no key that may be banned (keys.sacrificial).');
  if (keys === 'one-plan' && tooLong !== null) {
    const requests = counted(requestsOfDay(figuresOf(target, tooLong)), 'request');
    const most = `a run sends at most ${count(MOST_OF_A_DAY)}`;
    return say('no-key', `The day of the ${tooLong} plan takes ${requests}; ${most}. Give the key of a smaller plan.`);
  }
  if (keys === 'one-plan' && isAnyKeyLeft) {
    return [about(row.id, unestablished('prerequisite', "The limit per minute is too low to use up any plan's day."))];
  }
  return say('no-key', 'No plan key was available for it.');
}
