import { mayHaveRefilled, minuteMs, type Figures } from './bounds.js';
import { largestClump } from './clumps.js';
import type { Movement } from './remaining-movement.js';
import { isPlanAnswer, wasRefused, wasServed, describedWindow, mayHaveSlid, type Sample } from './sample.js';
import { plainInteger } from './headers/header-number.js';
import type { OperationUse } from './operation-use.js';
import { beginsFresh } from './windows-seen.js';

/* How Remaining moved over the suites' traffic, between any two of its responses. */

/** A response with Remaining, and its place among all requests. */
interface Reading {
  readonly sample: Sample;
  readonly left: number;
  readonly place: number;
  /** True if the request certainly counted: allowed, by an operation at which Remaining falls. */
  readonly isSure: boolean;
}

/** If Remaining falls at no known operation, all count. Exempt operations may have their own counter. */
export const readingsOf = (
  samples: readonly Sample[],
  { counted: falling, exempt }: OperationUse,
): readonly Reading[] =>
  samples.flatMap((sample, place): readonly Reading[] => {
    const isRead = isPlanAnswer(sample) && !wasRefused(sample) && !exempt.has(sample.operation);
    const left = isRead ? plainInteger(sample.remaining) : null;
    const isSure = wasServed(sample) && (falling.size === 0 || falling.has(sample.operation));
    return left === null ? [] : [{ sample, left, place, isSure }];
  });

/**
 * True if two consecutive readings belong to one count: no more came back than an even refill brings. A window may begin
 * otherwise, and clumps may come. A count ends at 0, as Remaining cannot fall further.
 */
export function goesOn(before: Reading, next: Reading, figures: Figures): boolean {
  const refillSeen = next.left - before.left + (next.isSure ? 1 : 0);
  const mayCome = mayHaveRefilled(figures, next.sample.answeredAt - before.sample.sentAt) + 1;
  const isSameFigure = plainInteger(before.sample.limit) === plainInteger(next.sample.limit);
  return isSameFigure && before.left > 0 && refillSeen <= mayCome;
}

/** Refills between two readings beyond even ones. */
export function comesBack(all: readonly Sample[], figures: Figures) {
  const [first, last] = [all[0], all.at(-1)];
  const isLong = first !== undefined && last !== undefined && last.answeredAt >= first.sentAt + minuteMs(figures);
  return {
    /** With refill steps, one clump more than evenly. */
    clump: largestClump(all, figures).size,
    /** Others' use before the run; it comes back at an unknown time. */
    unknown: first !== undefined && beginsFresh(first, figures) ? 0 : figures.perMinute,
    /** Own requests that may have left a sliding window between the two. In less than a window, none leaves. */
    forgotten: (from: Sample, to: Sample): number =>
      isLong ? mayHaveSlid(all, figures, from.sentAt, to.answeredAt).length : 0,
  };
}

/**
 * Movements between any two readings of a stretch: pauses and refills elsewhere affect none of them. `inRow` is the
 * movement over requests that directly follow one of their own kind.
 */
export function movements(
  stretch: readonly Reading[],
  { clump, unknown, forgotten }: ReturnType<typeof comesBack>,
  figures: Figures,
) {
  // An error may carry the Remaining before it: it shows its own cost, and no more.
  const ends = sumsOf(stretch).filter(({ at }) => at.isSure);
  return ends.flatMap((before, index) =>
    ends.slice(index + 1).map((after) => {
      const [from, to] = [before.at, after.at];
      const elapsedMs = to.sample.answeredAt - from.sample.sentAt;
      const surely = after.sure - before.sure;
      const back = mayHaveRefilled(figures, elapsedMs) + clump + forgotten(from.sample, to.sample);
      const used = Math.max(0, Math.min(unknown, figures.perMinute - 1 - from.left - before.sure));
      // A day's window may drop another day's use at any time.
      const ofMinute = describedWindow(from.sample, figures) === 'minute';
      const least = ofMinute ? Math.ceil(surely - back - used) : -Infinity;
      const most = to.place - from.place - (after.told - before.told);
      const fall = from.left - to.left - (after.fallen - before.fallen);
      const move: Movement = { fall, least, most, requests: surely + 1, elapsedMs, slack: 0 };
      const fallInRow = after.inRowFallen - before.inRowFallen;
      const inRow: Movement = { ...move, fall: fallInRow, least: -Infinity, most: after.inRow - before.inRow };
      return { from: from.sample, to: to.sample, move, inRow };
    }),
  );
}

/**
 * Sums up to each reading: requests that certainly counted, others with a known cost, and that cost; then certain requests
 * that directly follow another, and the fall of Remaining at them.
 */
function sumsOf(stretch: readonly Reading[]) {
  let sums = { sure: 0, told: 0, fallen: 0, inRow: 0, inRowFallen: 0 };
  return stretch.map((at, index) => {
    const before = stretch[index - 1];
    if (before === undefined) return { at, ...sums };
    const { sure, told, fallen, inRow, inRowFallen } = sums;
    const follows = before.place === at.place - 1;
    const cost = before.left - at.left;
    if (at.isSure) sums = { ...sums, sure: sure + 1 };
    if (at.isSure && before.isSure && follows) sums = { ...sums, inRow: inRow + 1, inRowFallen: inRowFallen + cost };
    // An error counts once or not at all, never twice.
    if (!at.isSure && follows) sums = { ...sums, told: told + 1, fallen: fallen + Math.min(1, Math.max(0, cost)) };
    return { at, ...sums };
  });
}
