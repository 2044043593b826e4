import { sum } from '../../../base/kernel/format.js';
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

/** Idle periods are folded. */
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
/**
 * Least width of a part: a burst of a second stays visible next to a run of two minutes, with room for its
 * name.
 */
const LEAST_PART = 0.14;
/** Visible time on each side of a fold, so that its edge does not look like an event. */
const MARGIN = 0.01;

/**
 * Returns a scale that shortens waits: a burst of one second stays visible next to a wait of 59.
 *
 * @param events ms since the beginning, in any order
 * @param options `folded`: share of the width that each fold takes; `parts`: periods that must all be seen,
 *   ms since the beginning
 */
export function timeScale(
  events: Iterable<number>,
  span: number,
  { folded = FOLDED, parts = [] }: { readonly folded?: number; readonly parts?: readonly Gap[] } = {},
): TimeScale {
  const all = [...events];
  const within = parts.map(([from, to]): Gap => [Math.max(0, from), Math.min(span, to)]);
  const gaps = withMargins(worthFolding(all, span), span, within);
  const pieces = [...gaps, [span, span] as const].flatMap(([from, to], at) => [
    ...partsIn([gaps[at - 1]?.[1] ?? 0, from], all, within).map((gap) => ({ gap, idle: false })),
    { gap: [from, to] as const, idle: true },
  ]);
  const busy = sum(pieces, ({ gap, idle }) => (idle ? 0 : lengthOf(gap)));
  const widthOf = (gap: Gap): number =>
    Math.max(lengthOf(gap) / busy, within.some(([from]) => from >= gap[0] && from < gap[1]) ? LEAST_PART : 0);
  const widths = sum(pieces, ({ gap, idle }) => (idle ? 0 : widthOf(gap)));
  const room = 1 - gaps.length * folded;
  const stretches: Stretch[] = [];
  for (const { gap, idle } of pieces) {
    const [from, to] = gap;
    const start = stretches.at(-1)?.end ?? 0;
    // Shares may add up to more than 1 by a rounding error.
    const end = Math.min(1, start + (idle ? folded : (widthOf(gap) / widths) * room));
    if (to > from) stretches.push({ from, to, start, end, idle });
  }
  const scale = scaleLinear(
    [0, ...stretches.map(({ to }) => to)],
    [0, ...stretches.map(({ end }) => end)],
  ).clamp(true);
  return { span, stretches, at: scale };
}

export const plainScale = (span: number): TimeScale => ({
  span,
  stretches: [{ from: 0, to: span, start: 0, end: 1, idle: false }],
  at: scaleLinear([0, span], [0, 1]).clamp(true),
});

type Gap = readonly [from: number, to: number];

const lengthOf = ([from, to]: Gap): number => to - from;

/** Splits a busy period where a part begins or ends with events before and after it. */
function partsIn([from, to]: Gap, events: readonly number[], parts: readonly Gap[]): readonly Gap[] {
  const cuts = [...new Set(parts.flat())]
    .filter(
      (cut) => events.some((at) => at >= from && at < cut) && events.some((at) => at >= cut && at <= to),
    )
    .toSorted((one, other) => one - other);
  return to > from ? [from, ...cuts].map((start, at): Gap => [start, cuts[at] ?? to]) : [];
}

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
  return gaps.slice(0, amount).sort(([one], [other]) => one - other);
}

/** Leaves some time on each side of a fold, a share of all busy time, or of the part next to it. */
function withMargins(gaps: readonly Gap[], span: number, parts: readonly Gap[]): readonly Gap[] {
  const busy = span - sum(gaps, lengthOf);
  const least = (span / 1_000) * MARGIN;
  return gaps.map(([from, to], at) => {
    const begins = Math.max(
      gaps[at - 1]?.[1] ?? 0,
      ...parts.flatMap(([start]) => (start <= from ? [start] : [])),
    );
    const ends = Math.min(
      gaps[at + 1]?.[0] ?? span,
      ...parts.flatMap(([start]) => (start > to ? [start] : [])),
    );
    const beside = (ms: number): number =>
      Math.min((to - from) / 10, Math.max((parts.length > 0 ? ms : busy) * MARGIN, least));
    return [from + beside(from - begins), to - beside(ends - to)];
  });
}
