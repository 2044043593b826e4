import type { FindRecord } from '../../log/capacity-record.js';
import type { FindStep } from '../../log/load-shapes.js';
import { highestHeld } from '../../loadkit/find/search.js';
import { count, latencyText, listed, trimmed } from '../../base/kernel/format.js';

type Find = Omit<FindRecord, 'type'>;

export const stepRate = (perSecond: number): string =>
  `${perSecond >= 100 ? count(Math.round(perSecond)) : trimmed(perSecond, 2)}/s`;

/**
 * Returns the step that confirmed the rate that a search names: the steps beyond it say nothing about that
 * rate.
 */
export const confirmedStep = ({ steps, answer }: Pick<Find, 'steps' | 'answer'>): FindStep | undefined =>
  steps.findLast(
    ({ role, outcome, perSecond }) =>
      role === 'confirm' && outcome === 'holds' && perSecond === answer.perSecond,
  );

/** Without a full stop. */
export function findSentence(find: Find): string {
  const { answer, steps, mostIs } = find;
  const conditions = listed(find.conditions);
  const rate = rateOf(answer.perSecond);
  const held = highestHeld(steps);
  const times = steps.filter(
    ({ role, outcome, perSecond }) => role !== 'warm' && outcome === 'holds' && perSecond === held,
  );
  const atLeast =
    `carries at least ${rateOf(held)} with ${conditions}` +
    (times.length > 1 ? `, which held in ${count(times.length)} steps` : '');
  switch (answer.kind) {
    case 'found':
      return [`carries ${rate} with ${conditions}`, ...limitsAbove(find), ...fewIn(find)].join('; ');
    case 'bound': {
      const end =
        mostIs === 'plan'
          ? 'the plan ends before the server does'
          : `--find-most ends the search at ${stepRate(find.most)}`;
      return [`${end}: it carries at least ${rate} with ${conditions}`, ...fewIn(find)].join('; ');
    }
    case 'none':
      return `does not hold ${conditions} even at ${rate}${reasonOf(lowestMiss(steps))}`;
    case 'worse': {
      const at = steps.filter(
        ({ role, outcome, perSecond }) =>
          role !== 'warm' && outcome !== 'generator' && perSecond === answer.perSecond,
      );
      const [first, last] = [at[0], at.at(-1)];
      const change = `${figures(first)} at first, ${figures(last)} at the end`;
      return `the server got worse during the search, so no rate can be named: at ${stepRate(answer.perSecond)} ${change}`;
    }
    case 'unsteady': {
      const reason = reasonOf(steps.findLast(({ outcome }) => outcome === 'misses'));
      const last = `the last try, at ${stepRate(answer.perSecond)}, missed${reason}`;
      return held === 0
        ? `no rate held ${conditions} for long: ${last}`
        : `${atLeast}; no higher rate held for long: ${last}`;
    }
    case 'generator': {
      const bottleneck = `the generator was the bottleneck at ${stepRate(answer.perSecond)}`;
      return held === 0
        ? `${bottleneck}, so the search found nothing about the server`
        : `${atLeast}; ${bottleneck}, so the search cannot name the highest rate`;
    }
    case 'stopped': {
      const at = steps.findLastIndex(({ stopped }) => stopped === undefined) + 1;
      const { perSecond = 0, stopped } = steps[at] ?? {};
      const before = held === 0 ? '' : `; ${stepRate(held)} held before`;
      return (
        `the server stopped responding ${stopped?.afterMs === 0 ? 'before the step' : 'in the step'} at ` +
        `${stepRate(perSecond)} (${stopped?.cause ?? 'no response'}), so no rate can be named${before}`
      );
    }
    case 'ended':
      return answer.perSecond === 0
        ? 'the search ended before any rate held'
        : [
            `the search ended early; ${stepRate(answer.perSecond)} held so far`,
            ...limitsAbove(find).slice(0, 1),
          ].join('; ');
  }
}

/** Rates between which a capacity lies, arrivals per second. */
export interface FoundRange {
  readonly low: number;
  /** Lowest rate that missed; Infinity where none did. */
  readonly high: number;
  /** True if the search was not allowed any higher rate. */
  readonly isBound: boolean;
}

/** Null where the search names no rate. */
export function rangeOf({
  answer: { kind, perSecond },
  steps,
}: Pick<Find, 'answer' | 'steps'>): FoundRange | null {
  const miss = lowestMiss(steps, perSecond)?.perSecond ?? Infinity;
  const held = highestHeld(steps);
  switch (kind) {
    case 'found':
    case 'bound':
      return { low: perSecond, high: miss, isBound: kind === 'bound' };
    case 'ended':
      return perSecond === 0 ? null : { low: perSecond, high: miss, isBound: false };
    case 'none':
      return { low: 0, high: perSecond, isBound: false };
    case 'unsteady':
    case 'generator':
      return held === 0 ? null : { low: held, high: Infinity, isBound: false };
    case 'worse':
    case 'stopped':
      return null;
  }
}

/** “82/s”, “at least 320/s”, “no rate can be named”. */
export function rateWords(find: Pick<Find, 'answer' | 'steps'>): string {
  const range = rangeOf(find);
  if (range === null) return 'no rate can be named';
  if (find.answer.kind === 'none') return `below ${stepRate(range.high)}`;
  return `${find.answer.kind === 'found' ? '' : 'at least '}${stepRate(range.low)}`;
}

const rateOf = (perSecond: number): string =>
  stepRate(perSecond).replace('/s', perSecond === 1 ? ' request/s' : ' requests/s');

/** Formats the latency of a step; without any, 0, what was wrong. */
const figures = (step: FindStep | undefined): string =>
  step && step.p50 > 0
    ? `p50 was ${latencyText(step.p50)} and p99 ${latencyText(step.p99)}`
    : (step?.reasons[0] ?? 'nothing was measured');

const reasonOf = (step: FindStep | undefined): string => (step?.reasons[0] ? `: ${step.reasons[0]}` : '');

const lowestMiss = (steps: readonly FindStep[], above = 0): FindStep | undefined =>
  missesAbove(steps, above)[0];

const missesAbove = (steps: readonly FindStep[], above: number): readonly FindStep[] =>
  steps
    .filter(({ outcome, perSecond }) => outcome === 'misses' && perSecond > above)
    .toSorted((one, other) => one.perSecond - other.perSecond);

/** What a limit is, without its figures: two p99 are one limit. */
const kindOf = (reason: string): string => reason.replaceAll(/[\d.,]+ ?(?:ms|s|%|µs)?/g, '').trim();

/** Names the first limit above the found rate, and the next of another kind. */
function limitsAbove({ steps, answer }: Find): readonly string[] {
  const misses = missesAbove(steps, answer.perSecond);
  const [first] = misses;
  if (first === undefined) return [];
  const [reason = 'the conditions missed'] = first.reasons;
  const seen = misses.flatMap(({ reasons, perSecond }) => reasons.map((text) => ({ text, perSecond })));
  const next = seen.find(({ text }) => kindOf(text) !== kindOf(reason));
  return [
    `at ${stepRate(first.perSecond)} ${reason}`,
    ...(next ? [`the next limit seen: ${next.text} at ${stepRate(next.perSecond)}`] : []),
  ];
}

/** Says where the decisive step had too few requests for its conditions. */
function fewIn({ steps, answer, samples }: Find): readonly string[] {
  const last = confirmedStep({ steps, answer });
  return last && last.sent < samples
    ? [`judged by ${count(last.sent)} requests, of the ${count(samples)} that this needs`]
    : [];
}
