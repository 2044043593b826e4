import { scaleLinear } from 'd3-scale';

/** A stretch of time, in ms since the drawing's beginning, and the share of the width that it takes. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  /** Nothing happened in it, so it is drawn narrower than it lasted. */
  readonly idle: boolean;
}

/** Where a moment stands across a drawing, idle stretches folded. */
export interface TimeScale {
  /** Milliseconds in all. */
  readonly span: number;
  readonly stretches: readonly Stretch[];
  /** From ms since the beginning to 0..1. */
  readonly at: (offset: number) => number;
}

/** A wait is folded when it would take more than this share of the width that the longer ones have left. */
const WORTH_FOLDING = 0.15;

/** Beside waits of a minute nobody wants to be told of one of a tenth of a second: less than this share of all is none. */
const LEAST_WAIT = 0.02;

/** The width of a folded stretch: room for the words that say how long it was. */
export const FOLDED = 0.1;

/** Folds enough for every profile's wait; more would leave no room for what happened. */
const MOST_FOLDS = 5;

/** What of the drawn time stays visible on each side of a fold, so that nobody takes an edge for an event. */
const MARGIN = 0.01;

/**
 * A scale on which waiting takes little room: a burst of one second is not lost beside the fifty-nine that the run then
 * waits for, nor are three of them.
 * @param events ms since the beginning, in any order
 * @param folded share of the width that each fold takes
 */
export function timeScale(events: Iterable<number>, span: number, folded = FOLDED): TimeScale {
  const gaps = worthFolding(events, span);
  const busy = span - gaps.reduce((sum, [from, to]) => sum + to - from, 0);
  const room = 1 - gaps.length * folded;
  const stretches: Stretch[] = [];
  const push = (from: number, to: number, idle: boolean) => {
    const start = stretches.at(-1)?.end ?? 0;
    // Shares that are added up may pass 1 by a rounding error.
    const end = Math.min(1, start + (idle ? folded : ((to - from) / busy) * room));
    if (to > from) stretches.push({ from, to, start, end, idle });
  };
  for (const [from, to] of gaps) {
    push(stretches.at(-1)?.to ?? 0, from, false);
    push(from, to, true);
  }
  push(stretches.at(-1)?.to ?? 0, span, false);
  const scale = scaleLinear([0, ...stretches.map(({ to }) => to)], [0, ...stretches.map(({ end }) => end)]).clamp(true);
  return { span, stretches, at: scale };
}

type Gap = readonly [from: number, to: number];

const lengthOf = ([from, to]: Gap): number => to - from;

/** The waits to fold, in the order of time: the longest first are taken out, as long as the next one still dominates. */
function worthFolding(events: Iterable<number>, span: number): readonly Gap[] {
  const moments = Float64Array.from([0, ...events, span]).sort();
  const gaps: Gap[] = [];
  for (let index = 1; index < moments.length; index += 1) {
    const [from = 0, to = 0] = moments.subarray(index - 1, index + 1);
    if (to > from) gaps.push([from, to]);
  }
  gaps.sort((one, other) => lengthOf(other) - lengthOf(one));
  let left = span;
  let amount = 0;
  for (const gap of gaps.slice(0, MOST_FOLDS)) {
    if (lengthOf(gap) <= Math.max(left * WORTH_FOLDING, span * LEAST_WAIT)) break;
    left -= lengthOf(gap);
    amount += 1;
  }
  return gaps
    .slice(0, amount)
    .map(([from, to]): Gap => {
      const margin = Math.min((to - from) / 10, Math.max(left, span / 1_000) * MARGIN);
      return [from + margin, to - margin];
    })
    .sort(([one], [other]) => one - other);
}
