import type { Finding, ReasonCode } from '../checks/finding.js';
import { planNames } from '../contract/plans.js';
import type { PlanName, Requirement, RequirementId } from '../contract/types.js';
import { estimate } from '../limits/decisions/estimate.js';
import type { ProfileName } from '../limits/decisions/estimate.js';
import { counted, figure, inconclusive, notApplicable } from '../limits/say.js';
import type { Figures, KeyName } from '../limits/series.js';
import { planOf } from '../target/target.js';
import type { Target } from '../target/target.js';

/** What load was asked for. */
export interface LoadRequest {
  readonly target: Target;
  /** The ledger's rows. */
  readonly rows: readonly Requirement[];
  /** The ids that a selection leaves; null when nothing was selected away. */
  readonly selected: readonly RequirementId[] | null;
  /** The plans that a selection leaves; null for all that have a key. */
  readonly plans: readonly PlanName[] | null;
  /** The profiles that were asked for by name; null for those that the rows need. */
  readonly profiles: readonly ProfileName[] | null;
  /** What was opted in to. */
  readonly includes: readonly ('ban' | 'day-quota')[];
  readonly allowLoadOnProduction: boolean;
  /** From sending to answer, as far as it is known, ms. */
  readonly latencyMs?: number;
  /** Requests that the run has sent already, by key. */
  readonly spent?: Readonly<Partial<Record<KeyName, number>>>;
}

/** One profile of one key, before it runs. */
export interface PlannedProfile {
  readonly profile: ProfileName;
  readonly key: KeyName;
  readonly requests: number;
  readonly seconds: number;
  /** Runs only where what came before leaves it to this one. */
  readonly ifNeeded: boolean;
}

/** What load will send, and what it will not and why. */
export interface LoadPlan {
  readonly profiles: readonly PlannedProfile[];
  /** At most, without what runs only if needed. */
  readonly requests: number;
  /** The longest of the keys, which run side by side; without what runs only if needed. */
  readonly seconds: number;
  /** On rows that nothing will be sent for: not applicable, or not established, with the reason. */
  readonly findings: readonly Finding[];
  /** Whether a steady run was asked for by name. */
  readonly steadyAskedFor: boolean;
}

/** What a profile cannot do without. */
const NEEDS: Readonly<Record<ProfileName, readonly ProfileName[]>> = {
  burst: [],
  recovery: ['burst'],
  window: ['burst', 'recovery'],
  concurrent: ['burst', 'recovery'],
  steady: [],
  ban: [],
  'day-quota': [],
};

/** Of a target on this machine or beside it, ms; of a farther one it has to be measured. */
const USUAL_LATENCY_MS = 2;

/** In the order in which a key goes through them. */
const ORDER: readonly ProfileName[] = ['burst', 'recovery', 'window', 'concurrent', 'steady', 'day-quota', 'ban'];

/**
 * Plans the load: what will be sent with which key, and what is left out. Pure. Nothing is sent where a production
 * target has not been released for it, where a key is missing, or where a day's allowance is too small.
 */
export function planLoad(request: LoadRequest): LoadPlan {
  const { target, rows, selected } = request;
  const inScope = rows.filter(
    ({ id, judgedBy }) => judgedBy.kind === 'load' && (selected === null || selected.includes(id)),
  );
  const wanted = wantedProfiles(request, inScope);
  const steadyAskedFor = request.profiles?.includes('steady') ?? false;
  const nothing = { profiles: [], requests: 0, seconds: 0, steadyAskedFor };
  if (target.production && !request.allowLoadOnProduction) {
    const why = 'The target is production, and no load was allowed on it (--allow-load-on-production).';
    return { ...nothing, findings: inScope.map(({ id }) => notApplicable(id, 'production', why)) };
  }
  const keys = planNames.filter((plan) => target.keys[plan] && (request.plans?.includes(plan) ?? true));
  const planned = keys.map((key) => plannedFor(key, request, wanted));
  const fitting = planned.filter(({ excess }) => excess === null);
  const dayKey = fitting.find(({ key }) => endsWithinItsDay(figuresOf(target, key)))?.key;
  const profiles = [
    ...fitting.flatMap(({ key, profiles: of }) =>
      of.filter(({ profile }) => profile !== 'day-quota' || key === dayKey),
    ),
    ...(wanted.has('ban') && target.sacrificial ? [banOf(target)] : []),
  ];
  const ran = new Set(profiles.map(({ profile }) => profile));
  const refused = planned.flatMap(({ excess, of }) => (excess === null ? [] : [{ why: excess, touched: of(inScope) }]));
  const spokenOf = new Set(refused.flatMap(({ touched }) => touched));
  const certain = profiles.filter(({ ifNeeded }) => !ifNeeded);
  return {
    profiles,
    requests: certain.reduce((sum, { requests }) => sum + requests, 0),
    seconds: Math.max(0, ...[...new Set(certain.map(({ key }) => key))].map((key) => secondsOf(certain, key))),
    steadyAskedFor,
    findings: [
      ...inScope.flatMap((row) => (spokenOf.has(row) ? [] : leftOut(row, ran, request, fitting.length > 0))),
      ...inScope.flatMap((row) => withoutKey(row, keys, request, ran)),
      ...refused.flatMap(({ why, touched }) => touched.map(({ id }) => inconclusive(id, 'prerequisite', why))),
    ],
  };
}

/** The profiles that the rows in scope need, or those asked for by name, with what these cannot do without. */
function wantedProfiles({ profiles, includes }: LoadRequest, rows: readonly Requirement[]): ReadonlySet<ProfileName> {
  const all = profiles ?? rows.flatMap(({ judgedBy }) => (judgedBy.kind === 'load' ? judgedBy.profiles : []));
  const opted = (all as readonly ProfileName[]).filter(
    (profile) => (profile !== 'ban' && profile !== 'day-quota') || includes.includes(profile),
  );
  return new Set(opted.flatMap((profile) => [...NEEDS[profile], profile]));
}

/** Whether a day's allowance can be used up before it comes back: with windows set for tests it may not be. */
const endsWithinItsDay = (figures: Figures): boolean => estimate('day-quota', figures).seconds < figures.daySeconds;

/** The figures of a plan's key on this target. */
export const figuresOf = (target: Target, plan: PlanName): Figures => {
  const { perMinute, perDay } = planOf(target, plan);
  return { perMinute, perDay, minuteSeconds: target.windows.minute, daySeconds: target.windows.day };
};

function plannedFor(key: PlanName, request: LoadRequest, wanted: ReadonlySet<ProfileName>) {
  const figures = figuresOf(request.target, key);
  const profiles = ORDER.filter((profile) => profile !== 'ban' && wanted.has(profile)).map(
    (profile): PlannedProfile => ({
      profile,
      key,
      ...estimate(profile, figures, request.latencyMs ?? USUAL_LATENCY_MS),
      ifNeeded: profile === 'steady' && !(request.profiles?.includes('steady') ?? false),
    }),
  );
  const spent = request.spent?.[key] ?? 0;
  const sum = profiles
    .filter(({ profile, ifNeeded }) => !ifNeeded && profile !== 'day-quota')
    .reduce((total, { requests }) => total + requests, spent);
  const excess =
    sum <= figures.perDay
      ? null
      : `The profiles would take the ${key} key to ${counted(sum, 'request')}, and its plan allows ${figure(figures.perDay)} a day: nothing was sent with it.`;
  // Rows that judge nothing of a plan's own profiles are not touched by a plan that is left out.
  const of = (rows: readonly Requirement[]): readonly Requirement[] =>
    rows.filter(
      ({ judgedBy }) =>
        judgedBy.kind === 'load' &&
        judgedBy.profiles.some((profile) => profiles.some((each) => each.profile === profile)),
    );
  return { key, profiles: excess === null ? profiles : [], excess, of };
}

function banOf(target: Target): PlannedProfile {
  const figures = figuresOf(target, target.sacrificial?.plan ?? 'free');
  const { maxRequests, maxSeconds } = target.ban;
  return {
    profile: 'ban',
    key: 'sacrificial',
    ...estimate('ban', figures, undefined, { maxRequests, maxSeconds: maxSeconds ?? null }),
    ifNeeded: false,
  };
}

const secondsOf = (profiles: readonly PlannedProfile[], key: KeyName): number =>
  profiles.filter((each) => each.key === key).reduce((sum, { seconds }) => sum + seconds, 0);

/** Rows none of whose profiles will run. */
function leftOut(
  { id, judgedBy }: Requirement,
  ran: ReadonlySet<ProfileName>,
  { includes, target }: LoadRequest,
  isAnyKeyLeft: boolean,
): readonly Finding[] {
  if (judgedBy.kind !== 'load') return [];
  const profiles = judgedBy.profiles as readonly ProfileName[];
  if (profiles.some((profile) => ran.has(profile))) return [];
  const [optIn] = profiles.filter((profile) => profile === 'ban' || profile === 'day-quota');
  const say = (code: ReasonCode, text: string): readonly Finding[] => [notApplicable(id, code, text)];
  if (optIn === undefined) return say('not-selected', `None of its profiles was selected: ${profiles.join(', ')}.`);
  if (!includes.includes(optIn)) {
    const what = optIn === 'ban' ? 'may get a key banned' : "uses up a plan's day";
    return say('opt-in', `The profile ${optIn} ${what} and runs only with --include ${optIn}.`);
  }
  if (optIn === 'ban' && !target.sacrificial) return say('no-key', 'No key was given up for a ban (keys.sacrificial).');
  if (optIn === 'day-quota' && isAnyKeyLeft) {
    return [inconclusive(id, 'prerequisite', "No plan's day can be used up at the pace that its minute allows.")];
  }
  return say('no-key', 'No key of a plan was left for it.');
}

/** A plan without a key is always listed. */
function withoutKey(
  { id, judgedBy }: Requirement,
  keys: readonly PlanName[],
  { plans: wanted }: LoadRequest,
  ran: ReadonlySet<ProfileName>,
): readonly Finding[] {
  const isOfPlans =
    judgedBy.kind === 'load' &&
    judgedBy.profiles.some(
      (profile) => profile !== 'ban' && profile !== 'day-quota' && ran.has(profile as ProfileName),
    );
  const missing = planNames.filter((plan) => !keys.includes(plan) && (wanted?.includes(plan) ?? true));
  if (!isOfPlans || missing.length === 0) return [];
  const plans = missing.length === 1 ? 'plan' : 'plans';
  return [notApplicable(id, 'no-key', `the ${plans} ${missing.join(', ')} (no key was given)`)];
}
