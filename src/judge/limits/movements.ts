import { mayHaveRefilled, minuteMs, refilled, refillIntervalMs, type Figures } from './bounds.js';
import { mostAtOnce, type Clump } from './clumps.js';
import { countWhile } from '../../base/kernel/sorted.js';
import { cameBack, longestBetween, type Counted, type Reading } from './remaining-readings.js';
import { resetMoved } from './reset-edges.js';
import { mayHaveSlid, slidBetween, timesOf, type Sample } from './sample.js';

/* How Remaining moved, between any two responses of one count. */

/** Requests of slack: a part of one may be rounded. */
export const ROUNDING = 1;

/** What came back between two responses of a count, and what may have. */
export interface Movement {
  readonly from: Sample;
  readonly to: Sample;
  /** Fall of Remaining. */
  readonly fall: number;
  /** Requests that came back; negative ones are somebody else's. */
  readonly back: Counted;
  /** Most that may have come back. */
  readonly may: number;
  /** The same if nobody else used the key: others' requests, and their return, are unknown. */
  readonly mayIfUnused: number;
  readonly elapsedMs: number;
}

/** Is true if Remaining fell by more than its requests explain. */
export const isTooFast = ({ back }: Pick<Movement, 'back'>): boolean => back.most < -ROUNDING;
/** Is true if Remaining fell by less than its requests explain. */
export const isTooSlow = ({ back, may }: Pick<Movement, 'back' | 'may'>): boolean =>
  back.least > may + ROUNDING;

/** Returns the least and the most by which Remaining falls if it counts correctly. */
export const correctFall = ({ fall, back, may }: Movement): Counted => ({
  least: Math.ceil(fall + back.least - may),
  most: fall + back.most,
});

/** What may have come back in a count. */
export interface Returns {
  readonly figures: Figures;
  /** Samples of the count. */
  readonly own: readonly Sample[];
  /** All other samples of the key. */
  readonly past: readonly Sample[];
  readonly clump: Clump;
  /** Time before which others' requests are unknown, Unix ms. */
  readonly aloneSince: number;
  /** Most that the limiter is known to hold, at most the plan's limit. */
  readonly holds: number;
  /** Requests that may belong to another count: they were open as the window changed. */
  readonly slack: number;
}

const SECOND_MS = 1000;

/**
 * Most that a refill may bring in `elapsedMs`. A step may fall into any span, however short; rounding leaves
 * room for one. A clock of whole seconds that brings parts of a request leaves up to one more.
 */
function mayHaveRefilledBy({ figures, clump }: Returns, elapsedMs: number): number {
  const step = mostAtOnce(clump);
  const partly = Number.isInteger(refilled(figures, SECOND_MS)) ? 0 : 1;
  return mayHaveRefilled(figures, elapsedMs) + (step > 1 ? step : partly);
}

/**
 * Returns the most that may come back between two readings: by a refill, and by requests that leave a sliding
 * window. Those counted at the first reading, or are later ones of the count. `ofRun` is without those that
 * no request of the run in the last window explains: somebody else's from before the run, or some that count
 * for longer than a window. They come back at an unknown time.
 */
export function mayComeBack(returns: Returns, from: Reading, to: Reading) {
  const { figures, own, past, slack } = returns;
  const { sentAt } = from.sample;
  const slidOf = (some: readonly Sample[]): number =>
    slidBetween(some, figures, sentAt, to.sample.answeredAt);
  const used = Math.max(0, figures.perMinute - 1 - from.left);
  const ofRun = Math.min(used, slidOf(past));
  const known = mayHaveRefilledBy(returns, longestBetween(from, to)) + slidOf(own) + slack;
  const unexplained = Math.max(0, used + 1 - from.sure.least - explained(returns, from));
  return { ofRun: known + ofRun, all: known + Math.min(used, ofRun + unexplained) };
}

/**
 * Requests before the count that explain what its reading shows as used. What a limiter never held was not
 * used.
 */
function explained({ figures, past, aloneSince, holds }: Returns, { sample: { sentAt } }: Reading): number {
  const since = sentAt - minuteMs(figures);
  if (aloneSince > since) return 0;
  const { sent, answered } = timesOf(past);
  const recent = countWhile(sent, (at) => at < sentAt) - countWhile(answered, (at) => at <= since);
  return figures.perMinute - holds + recent;
}

/** Measures what came back between two readings of the same count. */
export function movement(from: Reading, to: Reading, returns: Returns): Movement {
  const { least, most } = cameBack(from, to);
  const { ofRun, all } = mayComeBack(returns, from, to);
  return {
    from: from.sample,
    to: to.sample,
    fall: from.left - to.left,
    back: { least, most: most + returns.slack },
    may: all,
    mayIfUnused: ofRun,
    elapsedMs: longestBetween(from, to),
  };
}

/**
 * Returns the movements of one count that tell most. One that falls too fast shows from the largest allowance
 * on. One that falls too slowly shows over all of the count, and from the reading after which the allowance
 * could rise least. That one follows the last rise that may be a step: between concurrent responses a step of
 * any size is possible.
 *
 * @param readings in order of sending
 */
export function movements(readings: readonly Reading[], returns: Returns): readonly Movement[] {
  const rate = 1 / refillIntervalMs(returns.figures);
  const answered = readings.toSorted((one, other) => one.sample.answeredAt - other.sample.answeredAt);
  const [first] = answered;
  const [emptiest] = readings.toReversed().toSorted((one, other) => one.left - other.left);
  const until = answered.at(-1)?.sample.answeredAt ?? 0;
  const slidBy = (some: readonly Sample[]) => mayHaveSlid(some, returns.figures, -Infinity, until);
  const within = { ...returns, own: slidBy(returns.own) };
  const lowest = ({ left, sure, sample }: Reading): number => left + sure.most - rate * sample.sentAt;
  let place = 0;
  let largest = first;
  let least = first;
  return readings.flatMap((to) => {
    const came = countWhile(answered, ({ sample }) => sample.answeredAt <= to.sample.sentAt);
    for (; place < came; place += 1) {
      const [before, one] = [answered[place - 1], answered[place]];
      if (one === undefined || largest === undefined || least === undefined) continue;
      if (one.left + one.all.least >= largest.left + largest.all.least) largest = one;
      if (mayHaveStepped(before, one, within) || lowest(one) < lowest(least)) least = one;
    }
    if (came === 0 || first === undefined || largest === undefined || least === undefined) return [];
    const isSteady = answered[came] === to && !mayHaveStepped(answered[came - 1], to, within);
    // A Reset that stands still shows that no step came: it names the next one, or when all is back.
    const isOver = to === emptiest || (to === readings.at(-1) && resetMoved(first.sample, to.sample) === 0);
    const slowly = new Set([...(isSteady ? [least] : []), ...(isOver ? [first] : [])]);
    return [
      { ...movement(largest, to, within), may: Infinity, mayIfUnused: Infinity },
      ...[...slowly].map((from) => movement(from, to, within)),
    ];
  });
}

/**
 * True if more came back between two responses than a refill brings, or if they were concurrent, so that it
 * does not show.
 */
export function mayHaveStepped(before: Reading | undefined, next: Reading, returns: Returns): boolean {
  const isConcurrent = before === undefined || before.sample.answeredAt > next.sample.sentAt;
  return (
    isConcurrent ||
    cameBack(before, next).least > mayHaveRefilledBy(returns, longestBetween(before, next)) + ROUNDING
  );
}

/** Requests by which a fall is outside its bounds. */
const missedBy = ({ back, may }: Movement): number => Math.max(-back.most, Math.ceil(back.least - may));

/** Returns the movement that is furthest outside its bounds. */
export const worstOf = (moves: readonly Movement[]): Movement | undefined =>
  moves.toSorted((one, other) => missedBy(other) - missedBy(one))[0];
