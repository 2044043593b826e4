import { mayHaveRefilled, minuteMs, type Figures } from './bounds.js';
import { largestClump } from './clumps.js';
import type { Movement } from './remaining-moves.js';
import { isPlanAnswer, wasRefused, wasServed, describedWindow, mayHaveSlid, runsOf, type Sample } from './sample.js';
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

/**
 * Reads Remaining and splits it where a new count may begin: a window, a refill step, another Limit, or 0, below which it
 * cannot fall. If Remaining falls at no known operation, all count. Exempt operations may have their own counter.
 */
export function countsIn(samples: readonly Sample[], { counted, exempt }: OperationUse, figures: Figures) {
  const readings = samples.flatMap((sample, place): readonly Reading[] => {
    const isRead = isPlanAnswer(sample) && !wasRefused(sample) && !exempt.has(sample.operation);
    const left = isRead ? plainInteger(sample.remaining) : null;
    const isSure = wasServed(sample) && (counted.size === 0 || counted.has(sample.operation));
    return left === null ? [] : [{ sample, left, place, isSure }];
  });
  return runsOf(readings, (before, next) => {
    const gain = next.left - before.left + (next.isSure ? 1 : 0);
    const mayCome = mayHaveRefilled(figures, next.sample.answeredAt - before.sample.sentAt) + 1;
    const isSameFigure = plainInteger(before.sample.limit) === plainInteger(next.sample.limit);
    return isSameFigure && before.left > 0 && gain <= mayCome;
  });
}

/** Returns the movements of Remaining between any two certain requests of one count: pauses elsewhere affect none of them. */
export function movements(count: readonly Reading[], all: readonly Sample[], figures: Figures) {
  const [first, last] = [all[0], all.at(-1)];
  const isLong = first !== undefined && last !== undefined && last.answeredAt >= first.sentAt + minuteMs(figures);
  const clump = largestClump(all, figures).size;
  // Others' use before the run comes back at an unknown time.
  const unknown = first !== undefined && beginsFresh(first, figures) ? 0 : figures.perMinute;
  let sum = 0;
  const counted = count.map((reading, index) => {
    const before = count[index - 1];
    // An error counted if Remaining fell at it. It may also carry the Remaining before it, so no movement ends with one.
    const isSeen = before !== undefined && before.place === reading.place - 1 && reading.left < before.left;
    return { ...reading, sum: (sum += reading.isSure || isSeen ? 1 : 0) };
  });
  const ends = counted.filter(({ isSure }) => isSure);
  return ends.flatMap((from, index) =>
    ends.slice(index + 1).map((to) => {
      const surely = to.sum - from.sum;
      const elapsedMs = to.sample.answeredAt - from.sample.sentAt;
      const slid = isLong ? mayHaveSlid(all, figures, from.sample.sentAt, to.sample.answeredAt).length : 0;
      const usedByOthers = Math.max(0, Math.min(unknown, figures.perMinute - 1 - from.left - index));
      const back = mayHaveRefilled(figures, elapsedMs) + clump + slid + usedByOthers;
      // A day's window may drop another day's use at any time.
      const ofMinute = describedWindow(from.sample, figures) === 'minute';
      const move: Movement = {
        fall: from.left - to.left,
        least: ofMinute ? Math.ceil(surely - back) : -Infinity,
        most: to.place - from.place,
        requests: surely + 1,
        elapsedMs,
        slack: 0,
      };
      /** True if nothing else was sent between the two: the fall is known exactly. */
      return { from: from.sample, to: to.sample, move, isExact: surely === move.most };
    }),
  );
}
