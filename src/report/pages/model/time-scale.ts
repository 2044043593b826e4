import { scaleLinear } from 'd3-scale';

/** A period, in ms since the chart's start, and its share of the width. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  /** Idle periods are drawn narrower than they lasted. */
  readonly idle: boolean;
}

/** Maps times to positions in a chart, with idle periods folded. */
export interface TimeScale {
  /** Total milliseconds. */
  readonly span: number;
  readonly stretches: readonly Stretch[];
  /** Converts ms since the start to 0..1. */
  readonly at: (offset: number) => number;
}

/** A wait is folded when it takes more than this share of the width that longer ones leave. */
const WORTH_FOLDING = 0.15;
/** Shortest wait that counts, as a share of all: a tenth of a second does not matter next to a minute. */
const LEAST_WAIT = 0.02;
/** Width of a folded period: room for the text with its length. */
export const FOLDED = 0.1;
/** Most folds: enough for every profile's wait, with room left for events. */
const MOST_FOLDS = 5;
/** Visible time on each side of a fold, so that its edge does not look like an event. */
const MARGIN = 0.01;

/**
 * Returns a scale that shortens waits: a burst of one second stays visible next to a wait of 59.
 *
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
    // Shares may add up to more than 1 by a rounding error.
    const end = Math.min(1, start + (idle ? folded : ((to - from) / busy) * room));
    if (to > from) stretches.push({ from, to, start, end, idle });
  };
  for (const [from, to] of gaps) {
    push(stretches.at(-1)?.to ?? 0, from, false);
    push(from, to, true);
  }
  push(stretches.at(-1)?.to ?? 0, span, false);
  const scale = scaleLinear(
    [0, ...stretches.map(({ to }) => to)],
    [0, ...stretches.map(({ end }) => end)],
  ).clamp(true);
  return { span, stretches, at: scale };
}

/** Returns a scale without folds. */
export const plainScale = (span: number): TimeScale => ({
  span,
  stretches: [{ from: 0, to: span, start: 0, end: 1, idle: false }],
  at: scaleLinear([0, span], [0, 1]).clamp(true),
});

type Gap = readonly [from: number, to: number];

const lengthOf = ([from, to]: Gap): number => to - from;

/** Returns the waits to fold, in order of time: the longest ones, while the next one still dominates. */
function worthFolding(events: Iterable<number>, span: number): readonly Gap[] {
  const moments = Float64Array.from([0, ...events, span]).sort();
  const gaps: Gap[] = [];
  let from = 0;
  for (const to of moments) {
    if (to - from > span * LEAST_WAIT) gaps.push([from, to]);
    from = to;
  }
  gaps.sort((one, other) => lengthOf(other) - lengthOf(one));
  let left = span;
  let amount = 0;
  for (const gap of gaps.slice(0, MOST_FOLDS)) {
    if (lengthOf(gap) <= left * WORTH_FOLDING) break;
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
