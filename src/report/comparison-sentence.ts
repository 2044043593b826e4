import { hasNewFailure, whyNotCompared, type Comparison } from '../outcome/acceptance/compare.js';
import type { CapacityComparison } from '../outcome/acceptance/compare-capacity.js';
import { isBackwards } from '../outcome/acceptance/comparison-remarks.js';
import { partText, subjectText } from '../outcome/acceptance/speed.js';
import { clip } from '../base/kernel/visible.js';
import { count, counted, grouped, listed, minute } from '../base/kernel/format.js';
import { CHANGE_KINDS, CHANGES, changeLabel } from '../outcome/words/changes.js';
import { ofBuild } from '../outcome/words/verdict-sentence.js';

const MOST_NAMED = 3;

/** Trends between two runs: headline, words behind the target's name, and outcome that glyph and colour show. */
export const TRENDS = {
  worse: { word: 'Worse', clause: 'is worse than', glyph: 'failed', tone: 'failed' },
  'less-known': {
    word: 'Less certain',
    clause: 'is less certain than',
    glyph: 'inconclusive',
    tone: 'inconclusive',
  },
  better: { word: 'Better', clause: 'is better than', glyph: 'passed', tone: 'passed' },
  different: { word: 'Different', clause: 'differs from', glyph: 'observed', tone: null },
  alike: { word: 'Unchanged', clause: 'is the same as', glyph: 'passed', tone: null },
  'same-outcomes': {
    word: 'Speed unknown',
    clause: 'has the same outcomes as',
    glyph: 'inconclusive',
    tone: null,
  },
  unknown: {
    word: 'Nothing to compare',
    clause: 'cannot be compared with',
    glyph: 'inconclusive',
    tone: 'inconclusive',
  },
} as const;

const THRESHOLD_TRENDS = { missed: 'worse', inconclusive: 'less-known', met: 'better' } as const;

/** The worst change decides. */
export function trendOf(comparison: Comparison): keyof typeof TRENDS {
  const { changes, capacity, environments } = comparison;
  if (whyNotCompared(comparison) !== null) return 'unknown';
  const { thresholds = [], speeds = [], differences = [], found } = capacity ?? {};
  const trends = new Set<keyof typeof TRENDS>([
    ...changes.map(({ kind }) => CHANGES[kind].trend ?? 'different'),
    // One that is new and missed shows no change of the target.
    ...thresholds.map(({ outcome, wasAsked }) =>
      outcome === 'missed' && !wasAsked ? 'different' : THRESHOLD_TRENDS[outcome],
    ),
    ...speeds.filter(isChanged).map(() => 'different' as const),
    ...(found ? FOUND_TRENDS[found.answer] : []),
  ]);
  if (trends.size + differences.length === 0) return unchanged(comparison);
  // Two environments differ; none of them came before the other.
  if (environments !== null || trends.size === 0) return 'different';
  const isBetter = trends.has('better') && !hasNewFailure(comparison);
  // Something fixed, and something newly warned or less certain, is neither.
  if (trends.has('worse')) return isBetter ? 'different' : 'worse';
  if (trends.has('less-known')) return isBetter ? 'different' : 'less-known';
  return isBetter ? 'better' : 'different';
}

const FOUND_TRENDS = {
  higher: ['different'],
  lower: ['different'],
  same: [],
  lost: ['less-known'],
  unknown: [],
} as const;

/** Without a change, load runs whose speed is not known to be the same have only the same thresholds. */
const unchanged = (comparison: Comparison): 'alike' | 'same-outcomes' =>
  whyNoSpeed(comparison) === null ? 'alike' : 'same-outcomes';

/**
 * Returns why the speed of a phase as a whole could not be compared; null where all of them could, for
 * searches, whose capacity is compared, and for other runs.
 */
function whyNoSpeed({ capacity }: Comparison): string | null {
  if (capacity?.found) return null;
  const open = (capacity?.speeds ?? []).find(
    (change) => change.answer === 'unknown' && (change.figure === null || partText(change) === ''),
  );
  if (open === undefined) return null;
  const what = open.figure === null ? 'it' : `${open.figure} of ${subjectText(open)}`;
  return open.words.replace('cannot tell', `cannot tell whether ${what} got slower`);
}

const isChanged = ({ answer }: CapacityComparison['speeds'][number]): boolean =>
  answer === 'slower' || answer === 'faster';

/** Slower figures come first. */
function speedClauses({ capacity }: Comparison): readonly string[] {
  const changed = (capacity?.speeds ?? []).filter(isChanged);
  const slowerFirst = changed.toSorted(
    (one, other) => Number(other.answer === 'slower') - Number(one.answer === 'slower'),
  );
  const shown = slowerFirst
    .slice(0, MOST_NAMED)
    .map((change) => `${change.figure} of ${subjectText(change)} ${change.words}`);
  const rest = changed.length - shown.length;
  return rest > 0 ? [...shown, `${count(rest)} other ${rest === 1 ? 'figure' : 'figures'} changed`] : shown;
}

/** Targets' names are not escaped. */
export function comparisonSentence(comparison: Comparison): string {
  const { against, run, capacity, environments } = comparison;
  const { name } = run.target;
  if (run.obstacle)
    return `${name} could not be tested, so there is nothing to compare: ${run.obstacle.message}`;
  if (against.obstacle)
    return `${name} was tested now, but ${other(comparison)} never started, so there is nothing to compare.`;
  const why = whyNotCompared(comparison);
  const trend = trendOf(comparison);
  const what = [
    ...(why === null ? [] : [why]),
    ...thresholdClauses(comparison),
    ...foundClauses(comparison),
    ...speedClauses(comparison),
    ...(why === null ? (capacity?.differences ?? []).map(briefDifference) : []),
    ...kindClauses(comparison, trend),
  ];
  const who = environments !== null && against.target.name === name ? environments[1] : name;
  const alike = what.length > 0 ? '' : sameOutcomes(comparison);
  const { scope, rest } = coverageClauses(comparison);
  const said = [...what, alike].filter(Boolean).join('; ');
  const isOnlyScope = said === '' && scope !== '';
  const order = isBackwards(against, run, environments) ? 'The older run was given second: ' : '';
  return (
    `${order}${who}${ofBuild(run)} ${TRENDS[trend].clause} ${other(comparison)}` +
    `${isOnlyScope ? ` in ${scope}` : ''}${said === '' ? '' : `: ${said}`}` +
    `${rest.map((clause) => `; ${clause}`).join('')}.`
  );
}

/** Names the rows where they are few, otherwise their number. */
function kindClauses({ changes, environments }: Comparison, trend: keyof typeof TRENDS): readonly string[] {
  // What made it better comes before what is not sure.
  const kinds = CHANGE_KINDS.toSorted(
    (one, other) => Number(CHANGES[other].trend === trend) - Number(CHANGES[one].trend === trend),
  );
  return (trend === 'better' ? kinds : CHANGE_KINDS).flatMap((kind) => {
    const own = changes.filter((change) => change.kind === kind);
    if (own.length === 0) return [];
    const label = changeLabel(kind, environments);
    if (!CHANGES[kind].namesRows || own.length > MOST_NAMED) return [`${count(own.length)} ${label}`];
    const alike = [...grouped(own, ({ why = '' }) => why)].map(([why, rows]) => {
      const ids = listed(rows.map(({ id }) => id));
      return why === '' ? ids : `${ids} (${clip(why, LONGEST_WHY)})`;
    });
    return [`${label}: ${alike.join('; ')}`];
  });
}

/** Characters of a reason in the sentence; the list below has it whole. */
const LONGEST_WHY = 120;

function coverageClauses({ covered, environments, capacity }: Comparison) {
  const { both, onlyBefore, onlyAfter } = covered;
  const isNarrow = !capacity && onlyBefore.all + onlyAfter.all > 0;
  if (!isNarrow) return { scope: '', rest: [] };
  const [one, other] = environments ?? ['', ''];
  const amount = ({ all, required }: typeof onlyBefore): string =>
    required > 0 ? counted(required, 'required behaviour') : counted(all, 'requirement');
  return {
    scope: `the ${counted(both, 'requirement')} judged in both`,
    rest: [
      ...(onlyBefore.all > 0
        ? [`${amount(onlyBefore)} ${environments ? `tested on ${one} only` : 'no longer tested'}`]
        : []),
      ...(onlyAfter.all > 0
        ? [`${amount(onlyAfter)} ${environments ? `tested on ${other} only` : 'tested now only'}`]
        : []),
    ],
  };
}

function foundClauses({ capacity, environments }: Comparison): readonly string[] {
  const { found } = capacity ?? {};
  if (!found) return [];
  const [one, other] = environments ? environments.map((name) => `on ${name}`) : ['before', 'now'];
  const rates = `capacity ${found.before} ${one}, ${found.after} ${other}`;
  return [found.answer === 'same' ? `${rates} (${found.words})` : rates];
}

/** Shortens the sentence about a difference between scenarios: “the thresholds differ”. */
const briefDifference = (sentence: string): string => sentence.replace(/:.*$/s, '').replace(/^The /, 'the ');

function sameOutcomes(comparison: Comparison): string {
  const { capacity } = comparison;
  if (!capacity || capacity.found) return '';
  return ['every threshold has the same outcome', whyNoSpeed(comparison) ?? ''].filter(Boolean).join('; ');
}

function thresholdClauses({ capacity, environments }: Comparison): readonly string[] {
  const thresholds = capacity?.thresholds ?? [];
  const missed = thresholds.filter(({ outcome, wasAsked }) => outcome === 'missed' && wasAsked).length;
  const changed = thresholds.filter(({ wasAsked }) => wasAsked).length;
  const first = thresholds.length - changed;
  const newly =
    missed === 0
      ? ''
      : environments
        ? `, ${count(missed)} missed on ${environments[1]} only`
        : `, ${count(missed)} newly missed`;
  const where = environments
    ? `on ${environments[1]}, not tested on ${environments[0]}`
    : 'when first tested';
  return [
    changed === 0 ? '' : `${counted(changed, 'threshold')} with another outcome${newly}`,
    first === 0 ? '' : `${counted(first, 'threshold')} missed ${where}`,
  ].filter(Boolean);
}

/**
 * Names the earlier run: by its target where different, otherwise by build or time. What other runs show is
 * no change since it.
 */
function other({ against, run, environments, isOfOthers }: Comparison): string {
  const { name } = against.target;
  if (isOfOthers) return 'earlier runs';
  const who =
    name !== run.target.name ? name : (environments?.[0] ?? `the run on ${minute(against.startedAt)}`);
  return `${who}${ofBuild(against)}`;
}
