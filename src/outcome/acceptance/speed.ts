import type { CapacityResults, PhaseResult } from '../../loadkit/results.js';
import { counted, duration, trimmed } from '../../base/kernel/format.js';
import { differenceOf, type Difference } from './difference.js';

/** Figures that two runs are compared by. For a throughput, less is slower. */
const SPEEDS = ['p50', 'p90', 'p99', 'throughput'] as const;
export type Speed = (typeof SPEEDS)[number];

/** Whether a phase got slower. Shares of the earlier run: 0.09 is 9 % slower; negative is faster. */
export interface SpeedChange {
  readonly phase: string;
  readonly figure: Speed;
  readonly answer: 'slower' | 'faster' | 'same' | 'unknown';
  /** 95 % interval of the slowdown; null where unknown. */
  readonly low: number | null;
  readonly high: number | null;
  /** Smallest slowdown that these runs would have shown in 9 of 10 cases; null where unknown. */
  readonly shown: number | null;
  readonly words: string;
}

/** Returns for each shared phase whether it got slower, with an interval, or why that is unknown. Pure. */
export function speedChanges(
  before: CapacityResults,
  after: CapacityResults,
  scenariosDiffer: boolean,
): readonly SpeedChange[] {
  return after.phases.flatMap((now): readonly SpeedChange[] => {
    const then = before.phases.find(({ name }) => name === now.name);
    if (then === undefined) return [];
    const why = whyUnknown(then, now, scenariosDiffer);
    if (why !== null)
      return [
        {
          phase: now.name,
          figure: 'p99',
          answer: 'unknown',
          low: null,
          high: null,
          shown: null,
          words: `cannot tell: ${why}`,
        },
      ];
    return SPEEDS.map((figure) => changeOf(figure, then, now));
  });
}

function whyUnknown(then: PhaseResult, now: PhaseResult, scenariosDiffer: boolean): string | null {
  if (scenariosDiffer) return 'the scenarios differ';
  if (then.saturated || now.saturated || then.exhausted || now.exhausted) return 'the generator was the bottleneck';
  if (!then.blocks || !now.blocks)
    return then.whole && now.whole ? 'the phase is too short, or its rate changes' : 'a run was cut short';
  return null;
}

function changeOf(figure: Speed, then: PhaseResult, now: PhaseResult): SpeedChange {
  const found = differenceOf(then.blocks?.[figure] ?? [], now.blocks?.[figure] ?? []);
  if (found === null)
    return {
      phase: now.name,
      figure,
      answer: 'unknown',
      low: null,
      high: null,
      shown: null,
      words: 'cannot tell: too few responses',
    };
  const { low, high } = figure === 'throughput' ? lessIsSlower(found) : found;
  const answer = low > 0 ? 'slower' : high < 0 ? 'faster' : 'same';
  const seconds = Math.min(...[then, now].map(({ blocks }) => (blocks ? blocks.seconds * blocks.p99.length : 0)));
  const words =
    answer === 'same'
      ? `no difference; ${duration(seconds * 1000)} could have shown ${percent(found.shown)} %`
      : `${rangeText(low, high)} % ${answer}`;
  return { phase: now.name, figure, answer, low, high, shown: found.shown, words };
}

/** Half the throughput is 100 % slower: each response takes twice as long. */
const lessIsSlower = ({ low, high }: Difference) => ({ low: 1 / (1 + high) - 1, high: 1 / (1 + low) - 1 });

const percent = (share: number): string => trimmed(Math.abs(share) * 100, Math.abs(share) < 0.1 ? 1 : 0);

function rangeText(low: number, high: number): string {
  const [least = '', most = ''] = [low, high].toSorted((a, b) => Math.abs(a) - Math.abs(b)).map(percent);
  return least === most ? least : `${least} to ${most}`;
}

/** A condition on how much slower a later run may be. */
export interface SlowerRule {
  readonly figure: Speed;
  /** Largest slowdown, as a share. */
  readonly most: number;
  readonly text: string;
}

/** Parses `p99 slower than 5%`; null if it is none. Pure. */
export function parseSlower(text: string): SlowerRule | null {
  const [, name, bound] = /^\s*(\w+)\s+slower\s+than\s+(\d+(?:\.\d+)?)\s*%\s*$/.exec(text) ?? [];
  const figure = SPEEDS.find((known) => known === name);
  return figure === undefined || bound === undefined ? null : { figure, most: Number(bound) / 100, text: text.trim() };
}

/**
 * Result of a rule: `failed` if the slowdown is surely larger, `kept` if it is surely not, or if these runs would have
 * shown it; otherwise `unknown`. Runs too short to show a slowdown are no reason to pass. Pure.
 */
export function judgeSlower(rule: SlowerRule, changes: readonly SpeedChange[]) {
  const own = changes.filter(({ figure, answer }) => figure === rule.figure || answer === 'unknown');
  const failed = own.filter(({ low }) => low !== null && low > rule.most);
  const unknown = own.filter(
    ({ high, shown }) => high === null || shown === null || (high > rule.most && shown > rule.most),
  );
  const outcome =
    failed.length > 0
      ? ('failed' as const)
      : unknown.length > 0 || own.length === 0
        ? ('unknown' as const)
        : ('kept' as const);
  const named = outcome === 'failed' ? failed : outcome === 'unknown' ? unknown : own;
  const words = named.map(({ phase, words: text }) => `${phase}: ${text}`).join('; ');
  return { outcome, words: own.length === 0 ? `cannot tell: ${counted(0, 'phase')} in both runs` : words };
}
