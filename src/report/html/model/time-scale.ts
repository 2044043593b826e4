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

/** How finely occupied time is told from idle time. */
const SLOTS = 2_000;

/** An idle stretch is folded when it would take more than this share of the width. */
const WORTH_FOLDING = 0.12;

/** The width of a folded stretch: room for the words that say how long it was. */
const FOLDED = 0.1;

/**
 * A scale on which waiting takes little room: a burst of four seconds is not lost beside the fifty-six that the run
 * then waits for.
 * @param events ms since the beginning, of all drawings that share the scale, in any order
 */
export function timeScale(events: Iterable<number>, span: number): TimeScale {
  const occupied = new Uint8Array(SLOTS);
  for (const event of events) occupied[Math.min(SLOTS - 1, Math.max(0, Math.floor((event / span) * SLOTS)))] = 1;
  const gaps = idleGaps(occupied).map(([from, to]) => [(from / SLOTS) * span, (to / SLOTS) * span] as const);
  const busy = span - gaps.reduce((sum, [from, to]) => sum + to - from, 0);
  const room = 1 - gaps.length * FOLDED;
  const stretches: Stretch[] = [];
  const push = (from: number, to: number, idle: boolean) => {
    const start = stretches.at(-1)?.end ?? 0;
    // Shares that are added up may pass 1 by a rounding error.
    const end = Math.min(1, start + (idle ? FOLDED : ((to - from) / busy) * room));
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

/** Runs of empty slots that are worth folding, a slot's breadth of both ends left out of the fold. */
function idleGaps(occupied: Uint8Array): readonly (readonly [number, number])[] {
  const gaps: (readonly [number, number])[] = [];
  let from = 0;
  for (let slot = 0; slot <= SLOTS; slot += 1)
    if (slot === SLOTS || occupied[slot] === 1) {
      if (slot - from > SLOTS * WORTH_FOLDING && gaps.length < MOST_FOLDS) gaps.push([from + 1, slot - 1]);
      from = slot + 1;
    }
  return gaps;
}

/** Folds enough for every profile's wait; more would leave no room for what happened. */
const MOST_FOLDS = 6;
