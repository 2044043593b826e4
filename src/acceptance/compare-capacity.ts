import type { CapacityResults, PhaseResult } from '../capacity/results.js';
import type { ThresholdResult } from '../capacity/thresholds.js';
import { valueText } from '../report/words/capacity.js';
import { count, latencyText, trimmed } from '../format/format.js';

/** One figure of a phase before and now, in words. */
export interface FigureChange {
  readonly phase: string;
  readonly figure: string;
  readonly before: string;
  readonly after: string;
  /** By how much it grew, e.g. "+12 %"; empty where there is nothing to compare with. */
  readonly change: string;
}

/** A threshold that came out otherwise. */
export interface ThresholdChange {
  readonly text: string;
  readonly before: string;
  readonly after: string;
  readonly isNewlyMissed: boolean;
}

/** Two load runs side by side. */
export interface CapacityComparison {
  readonly figures: readonly FigureChange[];
  readonly thresholds: readonly ThresholdChange[];
}

const FIGURES: readonly (readonly [
  name: string,
  value: (phase: PhaseResult) => number,
  text: (value: number) => string,
])[] = [
  ['p50', ({ latencyMs }) => latencyMs.p50, latencyText],
  ['p90', ({ latencyMs }) => latencyMs.p90, latencyText],
  ['p99', ({ latencyMs }) => latencyMs.p99, latencyText],
  ['p99.9', ({ latencyMs }) => latencyMs.p999, latencyText],
  ['longest', ({ latencyMs }) => latencyMs.max, latencyText],
  ['served a second', ({ perSecond }) => perSecond, (value) => trimmed(value, 1)],
  ['errors', ({ errors }) => errors, count],
  ['violations', ({ violations }) => violations, count],
  ['dropped', ({ dropped }) => dropped, count],
];

/** Counts that are 0 on both sides say nothing. */
const QUIET: ReadonlySet<string> = new Set(['errors', 'violations', 'dropped']);

/** Holds a load run against an earlier one, phase by phase. Pure. */
export function compareCapacity(before: CapacityResults, after: CapacityResults): CapacityComparison {
  const figures = after.phases.flatMap((now) => {
    const then = before.phases.find(({ name }) => name === now.name);
    return then === undefined
      ? []
      : FIGURES.flatMap(([figure, value, text]): FigureChange[] => {
          const [one, other] = [value(then), value(now)];
          if (QUIET.has(figure) && one === 0 && other === 0) return [];
          return [{ phase: now.name, figure, before: text(one), after: text(other), change: changeText(one, other) }];
        });
  });
  const thresholds = after.thresholds.flatMap((now): ThresholdChange[] => {
    const then = before.thresholds.find(({ text }) => text === now.text);
    if (then?.outcome === now.outcome) return [];
    return [
      {
        text: now.text,
        before: then ? outcomeText(then) : 'not there',
        after: outcomeText(now),
        isNewlyMissed: now.outcome === 'missed',
      },
    ];
  });
  const gone = before.thresholds
    .filter(({ text }) => !after.thresholds.some((now) => now.text === text))
    .map((then) => ({ text: then.text, before: outcomeText(then), after: 'not there any more', isNewlyMissed: false }));
  return { figures, thresholds: [...thresholds, ...gone] };
}

const outcomeText = (threshold: ThresholdResult): string =>
  `${threshold.outcome === 'inconclusive' ? 'not established' : threshold.outcome} (${valueText(threshold)})`;

function changeText(before: number, after: number): string {
  if (before === 0 || before === after) return '';
  const percent = Math.round(((after - before) / before) * 100);
  return percent === 0 ? '' : `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`;
}
