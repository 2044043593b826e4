import { minuteMs, type Figures } from './bounds.js';
import { plainInteger, readReset } from '../../base/interface/rate-headers.js';
import { comesInTurn } from './own-allowance.js';
import {
  isLaterWindow,
  isSameWindow,
  resetJumps,
  returnsToEarlier,
  stillGoesOn,
  isOfWindow,
} from './reset-edges.js';
import { mayCount, describesMinute, wasServed, type Sample, leftBy } from './sample.js';

/**
 * Requests of one window, as far as the headers show it. `slack` counts those that may belong to the next or
 * previous window, because they were open when it changed.
 */
export interface WindowPiece {
  readonly samples: readonly Sample[];
  readonly slack: number;
}

/** Is true if, by a burst's first response, no earlier request counts except as many as the run knows of. */
export function beginsFresh(first: Sample, figures: Figures, known = 0): boolean {
  const left = leftBy(first, figures);
  return left !== null && left >= figures.perMinute - 1 - known && left < figures.perMinute;
}

/**
 * Returns the run's own earlier requests that used the window of a burst's first response. It takes as many
 * as that response shows as used. If more are used than are known here, it takes all. (Requests outside the
 * declared operations are in no series.)
 */
export function ownBefore(first: Sample, figures: Figures, earlier: readonly Sample[]): readonly Sample[] {
  const left = leftBy(first, figures);
  const before = left === null ? 0 : figures.perMinute - 1 - left;
  const own = earlier.filter(
    (old) => mayCount(old) && old.answeredAt <= first.sentAt && old.sentAt > first.sentAt - minuteMs(figures),
  );
  return before < 1 ? [] : own.slice(-Math.min(before, own.length));
}

/**
 * Returns when a burst's window began, Unix ms: with the first earlier request that used it, else with the
 * burst.
 */
export const windowBegan = (first: Sample, figures: Figures, earlier: readonly Sample[]): number =>
  (ownBefore(first, figures, earlier)[0] ?? first).sentAt;

/** Most last responses without the minute's headers for which a new window still shows. */
const MOST_UNREAD = 2;

/** True if the last responses still describe the minute's window. If the day's limit is tighter, they do not. */
function seesTheEnd(samples: readonly Sample[], figures: Figures): boolean {
  const served = samples.filter(wasServed);
  const last = served.findLastIndex((sample) => describesMinute(sample, figures));
  return served.length - 1 - last <= MOST_UNREAD;
}

/** Most restarts in one window's time for which Remaining is credible. */
const MOST_RESTARTS = 3;

/** Requests that were open at the same time as the one at `index`. */
function besides(samples: readonly Sample[], index: number): readonly Sample[] {
  const at = samples[index];
  if (at === undefined) return [];
  return samples.filter(
    (other) => other !== at && other.sentAt < at.answeredAt && other.answeredAt > at.sentAt,
  );
}

/** Counts the requests open as a window began at `place` whose Reset does not show their window. */
function mayBeEither(samples: readonly Sample[], place: number, figures: Figures): number {
  const [before, after] = [samples.slice(0, place), samples.slice(place)];
  const read = (sample: Sample): boolean => describesMinute(sample, figures);
  const [old, first] = [before.findLast(read), after.find(read)];
  const isOld = new Set(before);
  return besides(samples, place).filter((other) =>
    isOld.has(other) ? !isOfWindow(other, old, first, figures) : !isOfWindow(other, first, old, figures),
  ).length;
}

/** The minute's Remaining of an allowed request; null if it is missing or higher than the limit. */
function minuteLeft(sample: Sample, figures: Figures): number | null {
  const left = wasServed(sample) ? leftBy(sample, figures) : null;
  return left !== null && left <= figures.perMinute ? left : null;
}

/**
 * Places where, by Remaining, a request is the first of its window, although an earlier one had no more left.
 * (A limit that is one too high shows that twice too, but falling.) The first of concurrent requests may get
 * another's Remaining. Then it is the first with a later Reset and a higher Remaining.
 */
function restarts(samples: readonly Sample[], figures: Figures): readonly number[] {
  const places: number[] = [];
  let least = Infinity;
  let lowest: Sample | null = null;
  let unread = 0;
  for (const [index, sample] of samples.entries()) {
    const left = minuteLeft(sample, figures);
    if (left === null) {
      unread += mayCount(sample) || sample.status === 0 ? 1 : 0;
      continue;
    }
    // The first request of the window may be among those without a readable Remaining.
    const isFirst =
      (left >= figures.perMinute - 1 - unread && least <= left) ||
      (left > least && isLaterWindow(lowest, sample, figures));
    const isTheSame = isSameWindow(lowest, sample, figures) || stillGoesOn(lowest, sample);
    if (isFirst && !isTheSame && !returnsToEarlier(samples, index, figures)) {
      places.push(index);
      least = left;
    }
    lowest = left <= least ? sample : lowest;
    least = Math.min(least, left);
    unread = 0;
  }
  return places;
}

function cut(
  samples: readonly Sample[],
  places: readonly number[],
  figures: Figures,
): readonly WindowPiece[] {
  const edges = [0, ...places, samples.length];
  const slackAt = (edge: number): number =>
    edge === 0 || edge === samples.length ? 0 : mayBeEither(samples, edge, figures);
  return edges.slice(0, -1).map((from, index) => {
    const to = edges[index + 1] ?? samples.length;
    return { samples: samples.slice(from, to), slack: slackAt(from) + slackAt(to) };
  });
}

/**
 * Splits a series where a new window began: a clock-aligned window allows twice the limit across its edge.
 * Remaining shows it by a restart at one below the limit; Reset shows it if Remaining is not credible. An
 * extra cut never accuses a correct server: each piece of what it allows keeps within the bound. `visible` is
 * true if a new window would have shown.
 */
export function windowsSeen(samples: readonly Sample[], figures: Figures) {
  const last = samples.at(-1);
  const [first] = samples;
  const split = (places: readonly number[], visible = seesTheEnd(samples, figures)) => ({
    pieces: cut(samples, places, figures),
    visible,
  });
  if (first === undefined || last === undefined) return { pieces: [], visible: true };
  const readable = samples.filter((sample) => describesMinute(sample, figures));
  const mostOf = (count: number): boolean => count * 2 > samples.length;
  const windows = Math.floor((last.answeredAt - first.sentAt) / minuteMs(figures)) + 1;
  const byRemaining = comesInTurn(samples, figures) ? [] : restarts(samples, figures);
  const believable = byRemaining.length <= MOST_RESTARTS * windows;
  if (believable && mostOf(readable.filter(({ remaining }) => plainInteger(remaining) !== null).length))
    return split(byRemaining);
  if (mostOf(readable.filter(({ reset }) => readReset(reset) !== null).length))
    return split(resetJumps(samples, figures));
  return split([], false);
}
