import { isUnselected, LIMITS } from './reasons.js';
import type { ReasonCode } from '../../judge/findings/finding.js';
import type { RequirementResult, Results } from '../results/results.js';
import { capital, count, counted, duration, grouped, listed } from '../../base/kernel/format.js';
import { type Part, partTitles, planNames } from '../../base/interface/names.js';
import { FULL_WINDOWS } from '../../base/interface/plans.js';
import { cannotStart, whatWasJudged, verdictClause } from './verdict-sentence.js';
import { ownBound } from './own.js';
import { partlyBound } from './outcomes.js';

/**
 * Bounds of a verdict: its scope, its conditions, and what was left out. Each is a clause without a full
 * stop, or null.
 */

export const hasFullWindows = ({ target: { windows } }: Pick<Results, 'target'>): boolean =>
  windows.minute === FULL_WINDOWS.minute && windows.day === FULL_WINDOWS.day;

export function selectionBound({ scope, requirements }: Results): string | null {
  const left = requirements.filter((row) => !isUnselected(row)).length;
  // A load run is not expected to judge the interface.
  if (scope.selection === null || scope.selection.scenario !== undefined) return null;
  const { plans, replay } = scope.selection;
  if (replay !== undefined) return `only the story ${replay} was replayed`;
  const some =
    left < requirements.length ? `${count(left)} of ${count(requirements.length)} requirements` : null;
  if (some === null && !plans) return 'only a part was selected';
  const one = some === null ? plans?.length === 1 : left === 1 && !plans;
  const parts = [...(some === null ? [] : [some]), ...(plans ? [planWords(plans)] : [])];
  return `only ${listed(parts)} ${one ? 'was' : 'were'} selected`;
}

/** "the plan Free", "the plans Free and Pro". */
export const planWords = (plans: readonly string[]): string =>
  `the ${plans.length === 1 ? 'plan' : 'plans'} ${listed(plans.map(capital))}`;

/** Plans that a run tested. A key that only preflight used does not count. */
export const plansTested = ({ scope, requests }: Results): readonly string[] =>
  scope.plans.filter(
    (plan) => (requests.byKey[plan] ?? 0) > 0 && (scope.selection?.plans?.includes(plan) ?? true),
  );

/**
 * Describes windows other than the interface's: the figures hold for them and prove nothing about a real
 * minute. Mentions the day where it was used, or is the only difference.
 */
export function windowsBound({ target: { windows }, requirements }: Results): string | null {
  const isMinuteReal = windows.minute === FULL_WINDOWS.minute;
  const isDayUsed = requirements.some(({ id, outcome }) => id === DAY_ROW && outcome !== 'not-applicable');
  const isDayNamed = windows.day !== FULL_WINDOWS.day && (isMinuteReal || isDayUsed);
  const changed = [
    isMinuteReal ? '' : `${inSeconds(windows.minute)} rate window, not the real 60 s`,
    isDayNamed ? `${inSeconds(windows.day)} day, not the real 24 h` : '',
  ].filter(Boolean);
  return changed.length === 0 ? null : `tested with ${changed.join(', and ')}`;
}

/** The only row that depends on the day's window. */
const DAY_ROW = 'rate-day-quota';

/** Returns a length before its noun, with its article: “a 2-second”, “an 8-minute”. */
function inSeconds(seconds: number): string {
  const [value, unit] =
    seconds % 3_600 === 0
      ? [seconds / 3_600, 'hour']
      : seconds % 60 === 0
        ? [seconds / 60, 'minute']
        : [seconds, 'second'];
  const article = /^(?:8|1[18]$)/.test(String(value)) ? 'an' : 'a';
  return `${article} ${count(value)}-${unit}`;
}

/** Runs of one night differ by a second or two, which would make each another sentence. */
const NEARLY_MS = 10_000;

/** Says that the target's clock is wrong by more than a minute; null where it is not. */
export function clockBound({ clockOffMs }: Pick<Results, 'clockOffMs'>): string | null {
  if (clockOffMs === undefined) return null;
  const off = duration(NEARLY_MS * Math.round(Math.abs(clockOffMs) / NEARLY_MS));
  return `the target's clock is ${off} ${clockOffMs > 0 ? 'ahead' : 'behind'}`;
}

export const remarksBound = ({ remarks }: Pick<Results, 'remarks'>): string | null =>
  remarks?.join('; ') ?? null;

/**
 * Rows that the selection left out, by part: the words of each and how many required behaviours, or which
 * one, the most first.
 */
function gapsOf({ requirements, scope }: Results): readonly string[] {
  const musts = requirements.filter(
    ({ id, level }) => level === 'must' && !OPT_INS.some(([ids]) => ids.test(id)),
  );
  const wordsOf = (part: Part): string => {
    if (part !== LIMITS) return partTitles[part].toLowerCase();
    const isPartial = musts.some((row) => row.part === part && !isUnselected(row));
    if (!isPartial) return 'the rate limit';
    return scope.selection?.quick ? 'the rate limit over several windows' : 'the rate limit under load';
  };
  return [...grouped(musts.filter(isUnselected), ({ part }) => part)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([part, rows]) => {
      const [only] = rows.length === 1 ? rows : [];
      return `${wordsOf(part)} (${only?.id ?? counted(rows.length, 'required behaviour')})`;
    });
}

/**
 * Names the largest part that a quick run, or one of only the suites or only the load, left out; empty for
 * another run. Of single requirements the selection's bound says how many there were.
 */
function largestGap(results: Results): readonly string[] {
  const { only, quick, requirements, lastFailed } = results.scope.selection ?? {};
  const isSingle = requirements !== undefined || lastFailed === true;
  const isPart = (only !== undefined || quick === true) && !isSingle;
  return isPart ? gapsOf(results).slice(0, 1) : [];
}

function notShownBound({ sides = [], requirements }: Results): string | null {
  const ofClient = new Set<string>(sides.flatMap((one) => (one.side === 'client' ? one.requirements : [])));
  const left = requirements.filter(({ id, reason }) => ofClient.has(id) && reason?.code === 'not-observed');
  return left.length === 0 ? null : `not shown: ${listed(left.map(({ id }) => id))}`;
}

const notTestedWords = (left: readonly string[]): string | null =>
  left.length === 0 ? null : `not tested: ${left.join(', ')}`;

export const gapBound = (results: Results): string | null => notTestedWords(largestGap(results));

export const notTestedBound = (results: Results): string | null =>
  notTestedWords([...largestGap(results), ...notTested(results)]);

/** A clause each. The selection's bound covers the rest. */
export function notTested(results: Results): readonly string[] {
  // A client chooses what it sends.
  if (results.capacity || results.sides) return [];
  const { notGiven, optIns, others } = leftOut(results);
  return [...notGiven, ...(optIns.length > 0 ? [`${listed(optIns)} (opt-in)`] : []), ...others];
}

function leftOut(results: Results) {
  const plans = plansWithoutKey(results);
  const aside = results.requirements.filter(({ outcome }) => outcome === 'not-applicable');
  const has = (code: ReasonCode, ids = /^/) =>
    aside.some(({ id, reason }) => reason?.code === code && ids.test(id));
  return {
    notGiven: [
      ...(plans.length > 0 ? [`${planWords(plans)} (no key)`] : []),
      ...(results.scope.writes ? [] : ['creations (writes were off)']),
    ],
    optIns: OPT_INS.flatMap(([ids, words]) => (has('opt-in', ids) ? [words] : [])),
    others: [...LEFT_OUT].flatMap(([code, words]) => (has(code) ? [words] : [])),
  };
}

/**
 * Returns what a run left out by what may go wrong there, in plain words, the largest gap first: parts that
 * were not selected, bans, the day's quota, the plans without a key, the removal of an operation. A clause
 * each.
 */
export function risksLeft(results: Results): readonly string[] {
  if (results.capacity || results.sides) return [];
  const { notGiven, optIns, others } = leftOut(results);
  const removal = results.requirements.flatMap(({ outcome, reason }) =>
    outcome === 'not-applicable' && reason?.code === 'removal-date'
      ? [`the removal of getPet, not due ${reason.text.replace(/\.$/, '')}`]
      : [],
  );
  return [...gapsOf(results), ...optIns, ...notGiven, ...others, ...removal];
}

const LEFT_OUT: ReadonlyMap<ReasonCode, string> = new Map([
  ['production', 'bursts (the target is production)'],
  ['keys-shared', 'requirements that need exclusive keys (the keys are shared)'],
  ['store-too-large', 'requirements that need a complete listing (the store is too large)'],
  [
    'listings-cut-short',
    'requirements that need a complete listing (listings hold fewer animals than their limit)',
  ],
]);

/** Requirements that an operator has to ask for, in a reader's words. */
export const OPT_INS: readonly (readonly [ids: RegExp, words: string])[] = [
  [/^ban-/, 'bans'],
  [/^rate-day-quota$/, "the day's quota"],
];

export const isListedAsNotTested = ({ id, reason }: Pick<RequirementResult, 'id' | 'reason'>): boolean =>
  reason !== undefined &&
  (reason.code === 'writes-off' ||
    LEFT_OUT.has(reason.code) ||
    (reason.code === 'opt-in' && OPT_INS.some(([ids]) => ids.test(id))));

/** The strongest first. */
export const boundsOf = (results: Results): readonly string[] =>
  [
    selectionBound,
    notShownBound,
    // A gap weighs more than the circumstances, and takes the rest of what was not tested with it.
    ...(largestGap(results).length > 0 ? [notTestedBound] : []),
    windowsBound,
    clockBound,
    remarksBound,
    ...(largestGap(results).length > 0 ? [] : [notTestedBound]),
    partlyBound,
    ownBound,
  ]
    .map((boundOf) => (results.obstacle ? null : boundOf(results)))
    .filter((bound) => bound !== null);

export const verdictText = (results: Results): string =>
  results.obstacle
    ? [cannotStart(results.obstacle), results.obstacle.hint, whatWasJudged(results)].join(' ')
    : [`${verdictClause(results)}.`, sentences(boundsOf(results))].join(' ').trimEnd();

export const sentences = (bounds: readonly (string | null)[]): string =>
  bounds.flatMap((bound) => (bound === null ? [] : [`${capital(bound)}.`])).join(' ');

function plansWithoutKey(results: Results): readonly string[] {
  const { plans, selection } = results.scope;
  const wanted = planNames.filter((plan) => selection?.plans?.includes(plan) ?? true);
  return asksForLoad(results)
    ? wanted.filter((plan) => !plans.includes(plan)).map((plan) => capital(plan))
    : [];
}

/** Only load uses the keys of several plans. */
function asksForLoad({ scope: { selection }, load }: Results): boolean {
  if (selection === null) return true;
  if (selection.scenario !== undefined || selection.replay !== undefined) return false;
  if (selection.only) return selection.only === 'load';
  return (
    selection.profiles?.some((profile) => profile !== 'explore') ||
    selection.plans !== undefined ||
    load.length > 0
  );
}
