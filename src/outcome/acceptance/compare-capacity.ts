import type { CapacityResults, PhaseResult, ThresholdResult } from '../../loadkit/capacity-shape.js';
import { knownP999 } from '../../loadkit/thresholds.js';
import { subjectOf } from '../../loadkit/subjects.js';
import {
  ASKED_SIZE,
  partText,
  speedChanges,
  subjectsIn,
  type Compared,
  type SlowerRule,
  type Speed,
  type SpeedChange,
  type SpeedSubject,
} from './speed.js';
import { compareFound } from './compare-found.js';
import { percentileText } from '../words/capacity.js';
import { valueText } from '../../wire/scenario/threshold.js';
import { count, trimmed } from '../../base/kernel/format.js';

export type CapacityComparison = ReturnType<typeof compareCapacity>;

/** `speed`: the figure has an interval, which is its change. */
const FIGURES: readonly (readonly [
  name: string,
  value: (phase: PhaseResult) => number,
  text: (value: number) => string,
  speed?: Speed,
])[] = [
  ['p50', ({ latencyMs }) => latencyMs.p50, percentileText, 'p50'],
  ['p95', ({ latencyMs }) => latencyMs.p95, percentileText, 'p95'],
  ['p99', ({ latencyMs }) => latencyMs.p99, percentileText, 'p99'],
  ['p99.9', knownP999, percentileText],
  ['longest', ({ latencyMs }) => latencyMs.max, percentileText],
  ['throughput, per second', ({ perSecond }) => perSecond, (value) => trimmed(value, 1), 'throughput'],
  ['errors', ({ errors }) => errors, count],
  ['violations', ({ violations }) => violations, count],
  ['dropped', ({ dropped }) => dropped, count],
];

const SHOWN_OF_JOURNEYS = ['p50', 'p95', 'p99'] as const;

const journeyFigures = (before: PhaseResult, now: PhaseResult, speeds: readonly SpeedChange[]) =>
  subjectsIn(now).flatMap(({ resultIn, ...subject }) => {
    const [one, other] = [before, now].map((phase) => resultIn(phase)?.latencyMs);
    if (subjectOf(subject).journey === undefined || one === undefined || other === undefined) return [];
    return SHOWN_OF_JOURNEYS.map((figure) => ({
      phase: now.name,
      figure: `${figure} of ${partText(subject)}`,
      before: percentileText(one[figure]),
      after: percentileText(other[figure]),
      change: latencyChange(one[figure], other[figure], speedText(speeds, subject, figure)),
    }));
  });

/**
 * Returns the change of a figure that has an interval: two measured values differ in every pair of runs, and
 * only the interval shows whether the server does.
 */
function speedText(speeds: readonly SpeedChange[], subject: SpeedSubject, figure: Speed): string {
  const change = speeds.find(
    (one) => one.phase === subject.phase && one.figure === figure && partText(one) === partText(subject),
  );
  if (change === undefined || change.answer === 'unknown') return 'cannot tell';
  return change.words.split(';', 1)[0] ?? '';
}

/** Figures that are omitted where both are 0. */
const QUIET: ReadonlySet<string> = new Set(['errors', 'violations', 'dropped']);

/**
 * Compares a load run with an earlier one, phase by phase. Pure.
 *
 * @param baseline more earlier runs, which also show how much runs of one server differ
 * @param rules conditions on the speed, whose bounds are to be distinguished from no difference
 */
export function compareCapacity(
  before: CapacityResults,
  after: CapacityResults,
  baseline: readonly CapacityResults[] = [],
  rules: readonly SlowerRule[] = [],
) {
  const speeds = speedChanges(comparedRuns([before, ...baseline], after), rules);
  const figures = after.phases.flatMap((now) => {
    const then = before.phases.find(({ name }) => name === now.name);
    return then === undefined
      ? []
      : [
          ...FIGURES.flatMap(([figure, value, text, speed]) => {
            const [one, other] = [value(then), value(now)];
            if (QUIET.has(figure) && one === 0 && other === 0) return [];
            const change = speed
              ? speedText(speeds, { phase: now.name, operation: null }, speed)
              : changeText(one, other);
            return [
              {
                phase: now.name,
                figure,
                before: text(one),
                after: text(other),
                change: text === percentileText ? latencyChange(one, other, change) : change,
              },
            ];
          }),
          ...journeyFigures(then, now, speeds),
        ];
  });
  const thresholds = after.thresholds.flatMap((now) => {
    const then = before.thresholds.find(({ text }) => text === now.text);
    if (then ? then.outcome === now.outcome : now.outcome !== 'missed') return [];
    return [
      {
        text: now.text,
        before: then ? outcomeText(then) : 'not set',
        after: outcomeText(now),
        /** One that is new and missed shows no change of the target. */
        outcome: now.outcome,
        wasAsked: then !== undefined,
      },
    ];
  });
  const found = compareFound(before.find, after.find, ASKED_SIZE);
  const judgedBefore = new Set(before.thresholds.filter(isJudged).map(({ text }) => text));
  const isCompared =
    found !== undefined ||
    thresholds.some(({ outcome }) => outcome === 'missed') ||
    speeds.some(({ answer }) => answer !== 'unknown') ||
    after.thresholds.some((now) => isJudged(now) && judgedBefore.has(now.text));
  return {
    figures,
    thresholds,
    differences: scenarioDifferences(before, after),
    /** Why neither thresholds nor speed can be compared, as a clause; null where they can. */
    whyNot: whyNotOf(sentDifferences(before, after).length > 0, isCompared),
    speeds,
    ...(found && { found }),
  };
}

const isJudged = ({ outcome }: ThresholdResult): boolean => outcome !== 'inconclusive';

function whyNotOf(scenariosDiffer: boolean, isCompared: boolean): string | null {
  if (scenariosDiffer) return 'the scenarios differ';
  return isCompared ? null : 'no threshold was judged in both';
}

/** A sentence each. */
export const scenarioDifferences = (before: CapacityResults, after: CapacityResults): readonly string[] => [
  ...(before.scenario === after.scenario
    ? []
    : [`The scenarios have different names: ${before.scenario} before, ${after.scenario} now.`]),
  ...askedDifferences(ASKED, before, after),
];

const comparedRuns = (before: readonly CapacityResults[], after: CapacityResults): Compared => ({
  before,
  after,
  // Other thresholds or another name change nothing that is sent.
  scenariosDiffer: before.some((one) => sentDifferences(one, after).length > 0),
});

const sentDifferences = (before: CapacityResults, after: CapacityResults): readonly string[] =>
  askedDifferences(
    ASKED.filter(([what]) => what !== 'thresholds'),
    before,
    after,
  );

const askedDifferences = (
  asked: typeof ASKED,
  before: CapacityResults,
  after: CapacityResults,
): readonly string[] =>
  asked.flatMap(([what, of]) => {
    // Results of older kits do not contain the scenario.
    const hasAsked = before.asked !== undefined && after.asked !== undefined;
    const [then, now] = [of(before, hasAsked), of(after, hasAsked)];
    const sides = [
      ['only before', then.filter((text) => !now.includes(text))],
      ['only now', now.filter((text) => !then.includes(text))],
    ] as const;
    const named = sides.flatMap(([side, texts]) =>
      texts.length === 0 ? [] : [`${side} ${texts.join('; ')}`],
    );
    return named.length === 0 ? [] : [`The ${what} differ: ${named.join(' | ')}.`];
  });

const ASKED: readonly (readonly [
  what: string,
  of: (results: CapacityResults, hasAsked: boolean) => readonly string[],
])[] = [
  [
    'phases',
    ({ asked, phases }, hasAsked) => (hasAsked && asked ? asked.phases : phases.map(({ name }) => name)),
  ],
  ...(['operations', 'keys', 'rules'] as const).map(
    (what) =>
      [
        what,
        ({ asked }: CapacityResults, hasAsked: boolean) => (hasAsked && asked ? asked[what] : []),
      ] as const,
  ),
  ['thresholds', ({ thresholds }) => thresholds.map(({ text }) => text)],
];

const outcomeText = (threshold: ThresholdResult): string => `${threshold.outcome} (${valueText(threshold)})`;

/** Describes a change in percent; empty for none, and where it began at 0. */
function changeText(before: number, after: number): string {
  if (before === 0 || before === after) return '';
  const percent = Math.round(((after - before) / before) * 100);
  return percent === 0 ? '' : `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`;
}

/** Describes the change of a latency: none where a run got no response, whose latency is 0. */
const latencyChange = (before: number, after: number, change: string): string =>
  before === 0 || after === 0 ? percentileText(0) : change;
