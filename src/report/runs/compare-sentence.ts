import { count, counted, listed, moment } from '../../format/format.js';
import { CHANGE_KINDS, CHANGE_LABELS, type ChangeKind } from '../../words/changes.js';
import { verdictLabel } from '../../words/outcomes.js';
import type { ComparedRun, Comparison } from '../../acceptance/compare.js';

/** Most requirements of a kind that a sentence names; more are counted. */
const MOST_NAMED = 3;

/** Kinds that list names; the others show a number. */
const NAMED: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  'newly-failing',
  'first-failing',
  'newly-open',
  'newly-passing',
]);

/** Trend between two runs, in one word; the worst change decides. */
export type Trend = 'worse' | 'less-known' | 'better' | 'different' | 'alike' | 'unknown';

/** Returns the trend between two runs, by their worst change. */
export function trendOf({ against, run, changes, capacity }: Comparison): Trend {
  if (against.obstacle !== null || run.obstacle !== null) return 'unknown';
  const has = (...kinds: readonly ChangeKind[]) => changes.some(({ kind }) => kinds.includes(kind));
  const thresholds = capacity?.thresholds ?? [];
  if (
    has('newly-failing', 'newly-warned') ||
    thresholds.some(({ isNewlyMissed, wasAsked }) => isNewlyMissed && wasAsked)
  )
    return 'worse';
  if (has('newly-open', 'newly-untested') || thresholds.some(({ after }) => after.startsWith('inconclusive')))
    return 'less-known';
  if (has('newly-passing') || thresholds.some(({ after }) => after.startsWith('met'))) return 'better';
  const differences = capacity?.differences ?? [];
  return changes.length + thresholds.length + differences.length > 0 ? 'different' : 'alike';
}

/** Returns the change as one quotable sentence; targets' names are not escaped. */
export function comparisonSentence(comparison: Comparison): string {
  const { against, run, changes, capacity } = comparison;
  if (run.obstacle !== null) return `${run.name} could not be tested, so there is nothing to compare: ${run.obstacle}`;
  if (against.obstacle !== null)
    return `${run.name} was tested now, but the run ${other(comparison)} never started, so there is nothing to compare.`;
  const kinds = CHANGE_KINDS.flatMap((kind) => {
    const ids = changes.flatMap((change) => (change.kind === kind ? [change.id] : []));
    if (ids.length === 0) return [];
    return NAMED.has(kind) && ids.length <= MOST_NAMED
      ? [`${CHANGE_LABELS[kind]}: ${listed(ids)}`]
      : [`${count(ids.length)} ${CHANGE_LABELS[kind]}`];
  });
  const what = [
    ...thresholdClauses(comparison),
    ...(capacity && capacity.differences.length > 0 ? ['the scenarios differ'] : []),
    ...kinds,
  ];
  return `${run.name}${buildOf(run)} ${TREND_WORDS[trendOf(comparison)]} ${other(comparison)}${
    what.length > 0 ? `: ${what.join('; ')}` : capacity ? ': every threshold has the same outcome' : ''
  }.`;
}

function thresholdClauses({ capacity }: Comparison): readonly string[] {
  const thresholds = capacity?.thresholds ?? [];
  if (thresholds.length === 0) return [];
  const missed = thresholds.filter(({ isNewlyMissed, wasAsked }) => isNewlyMissed && wasAsked).length;
  const changed = thresholds.filter(({ wasAsked }) => wasAsked).length;
  const first = thresholds.length - changed;
  return [
    ...(changed === 0
      ? []
      : [
          `${counted(changed, 'threshold')} with another outcome${missed > 0 ? `, ${count(missed)} newly missed` : ''}`,
        ]),
    ...(first === 0 ? [] : [`${counted(first, 'threshold')} missed when first tested`]),
  ];
}

/** Words that follow the target's name. */
const TREND_WORDS: Readonly<Record<Trend, string>> = {
  worse: 'is worse than',
  'less-known': 'is less certain than',
  better: 'is better than',
  different: 'differs from',
  alike: 'is the same as',
  unknown: 'cannot be compared with',
};

/** Names the earlier run: by its target where different, otherwise by build or time. */
const other = ({ against, run }: Comparison): string =>
  against.name === run.name
    ? `on ${moment(against.startedAt).replace(/:\d\d UTC$/, ' UTC')}${buildOf(against)}`
    : `${against.name}${buildOf(against)}`;

const buildOf = ({ label }: ComparedRun): string => (label === null ? '' : ` (build ${label})`);

/** Returns a run's verdict in words, with its reservations. */
export const verdictOf = ({ verdict, isLoad, complete, obstacle }: ComparedRun): string =>
  obstacle === null
    ? `${verdictLabel(verdict, isLoad).toLowerCase()}${complete ? '' : ', cut short'}`
    : 'never started';
