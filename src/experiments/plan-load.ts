import type { ReasonCode } from '../findings/reason-codes.js';
import { outOfScope, about, unestablished, type Finding } from '../findings/finding.js';
import type { PlanName, Requirement, RequirementId } from '../contract/types.js';
import { dayQuota } from './day-quota/experiment.js';
import type { CostGiven, Experiment } from './experiment.js';
import { EXPERIMENTS, experimentOf, OPT_IN } from './index.js';
import type { Figures } from '../limits/series.js';
import { count, counted } from '../format/format.js';
import { planOf, type Target } from '../targets/target.js';
import { type ProfileName, type KeyName, planNames } from '../contract/names.js';

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
  /** The profiles that showed a failure before; needed besides those that the rows need. */
  readonly retried?: readonly ProfileName[];
  /** What was opted in to. */
  readonly includes: readonly ProfileName[];
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
  /** On rows that nothing will be sent for: not applicable, or inconclusive, with the reason. */
  readonly findings: readonly Finding[];
  /** Whether a steady run was asked for by name. */
  readonly steadyAskedFor: boolean;
}

/** A target on this machine or beside it; of a farther one the latency has to be measured, and of its ban somebody has to tell. */
const GIVEN: CostGiven = { latencyMs: 2, ban: { maxRequests: 60, maxSeconds: null } };

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
    return { ...nothing, findings: inScope.map(({ id }) => about(id, outOfScope('production', why))) };
  }
  const keys = planNames.filter((plan) => target.keys[plan] && (request.plans?.includes(plan) ?? true));
  const planned = keys.map((key) => plannedFor(key, request, wanted));
  const fitting = planned.filter(({ excess }) => excess === null);
  const dayKey = fitting.find(({ key }) => endsWithinItsDay(figuresOf(target, key)))?.key;
  const profiles = [
    ...fitting.flatMap(({ key, profiles: of }) =>
      of.filter(({ profile }) => experimentOf(profile).keys !== 'one-plan' || key === dayKey),
    ),
    ...sacrificed(request, wanted),
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
      ...refused.flatMap(({ why, touched }) => touched.map(({ id }) => about(id, unestablished('prerequisite', why)))),
    ],
  };
}

/** The profiles that the rows in scope need, or those asked for by name, with what these cannot do without. */
function wantedProfiles(
  { profiles, retried = [], includes }: LoadRequest,
  rows: readonly Requirement[],
): ReadonlySet<ProfileName> {
  const needed = rows.flatMap(({ judgedBy }) => (judgedBy.kind === 'load' ? judgedBy.profiles : []));
  const all = profiles ?? [...needed, ...retried];
  const opted = all.filter((profile) => !OPT_IN.has(profile) || includes.includes(profile));
  return new Set(opted.flatMap((profile) => [...experimentOf(profile).after, profile]));
}

/** Whether a day's allowance can be used up before it comes back: with windows set for tests it may not be. */
const endsWithinItsDay = (figures: Figures): boolean => dayQuota.cost(figures, GIVEN).seconds < figures.daySeconds;

/** The figures of a plan's key on this target. */
export const figuresOf = (target: Target, plan: PlanName): Figures => {
  const { perMinute, perDay } = planOf(target, plan);
  return { perMinute, perDay, minuteSeconds: target.windows.minute, daySeconds: target.windows.day };
};

function plannedFor(key: PlanName, request: LoadRequest, wanted: ReadonlySet<ProfileName>) {
  const figures = figuresOf(request.target, key);
  const profiles = EXPERIMENTS.filter(({ name, keys }) => keys !== 'sacrificial' && wanted.has(name)).map(
    (experiment): PlannedProfile => ({
      ...planned(experiment, key, figures, request),
      ifNeeded: experiment.runs.kind === 'if-needed' && !(request.profiles?.includes(experiment.name) ?? false),
    }),
  );
  const spent = request.spent?.[key] ?? 0;
  const sum = profiles
    .filter(({ profile, ifNeeded }) => !ifNeeded && experimentOf(profile).keys === 'each-plan')
    .reduce((total, { requests }) => total + requests, spent);
  const excess =
    sum <= figures.perDay
      ? null
      : `The profiles would take the ${key} key to ${counted(sum, 'request')}, and its plan allows ${count(figures.perDay)} a day: nothing was sent with it.`;
  // Rows that judge nothing of a plan's own profiles are not touched by a plan that is left out.
  const of = (rows: readonly Requirement[]): readonly Requirement[] =>
    rows.filter(
      ({ judgedBy }) =>
        judgedBy.kind === 'load' &&
        judgedBy.profiles.some((profile) => profiles.some((each) => each.profile === profile)),
    );
  return { key, profiles: excess === null ? profiles : [], excess, of };
}

/** The experiments of the key that was given up, where there is one. */
function sacrificed(request: LoadRequest, wanted: ReadonlySet<ProfileName>): readonly PlannedProfile[] {
  const { sacrificial } = request.target;
  return sacrificial
    ? EXPERIMENTS.filter(({ name, keys }) => keys === 'sacrificial' && wanted.has(name)).map((experiment) => ({
        ...planned(experiment, 'sacrificial', figuresOf(request.target, sacrificial.plan), request),
        ifNeeded: false,
      }))
    : [];
}

/** What an experiment will send with a key. */
function planned({ name, cost }: Experiment, key: KeyName, figures: Figures, { target, latencyMs }: LoadRequest) {
  const { maxRequests, maxSeconds } = target.ban;
  const given: CostGiven = {
    latencyMs: latencyMs ?? GIVEN.latencyMs,
    ban: { maxRequests, maxSeconds: maxSeconds ?? null },
  };
  return { profile: name, key, ...cost(figures, given) };
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
  const profiles = judgedBy.profiles;
  if (profiles.some((profile) => ran.has(profile))) return [];
  const optIn = EXPERIMENTS.find(({ name }) => OPT_IN.has(name) && profiles.includes(name));
  const say = (code: ReasonCode, text: string): readonly Finding[] => [about(id, outOfScope(code, text))];
  if (optIn?.runs.kind !== 'opt-in')
    return say('not-selected', `None of its profiles was selected: ${profiles.join(', ')}.`);
  const { name, keys, runs } = optIn;
  if (!includes.includes(name))
    return say('opt-in', `The profile ${name} ${runs.because} and runs only with --include ${name}.`);
  if (keys === 'sacrificial' && !target.sacrificial)
    return say('no-key', 'No key was given up for a ban (keys.sacrificial).');
  if (keys === 'one-plan' && isAnyKeyLeft) {
    return [
      about(id, unestablished('prerequisite', "No plan's day can be used up at the pace that its minute allows.")),
    ];
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
    judgedBy.profiles.some((profile) => experimentOf(profile).keys === 'each-plan' && ran.has(profile));
  const missing = planNames.filter((plan) => !keys.includes(plan) && (wanted?.includes(plan) ?? true));
  if (!isOfPlans || missing.length === 0) return [];
  const plans = missing.length === 1 ? 'plan' : 'plans';
  return [about(id, outOfScope('no-key', `the ${plans} ${missing.join(', ')} (no key was given)`))];
}
