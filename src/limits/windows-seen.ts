import { minuteMs } from './bounds.js';
import { plainInteger, readReset } from './headers/header-number.js';
import { comesInTurn } from './own-allowance.js';
import {
  isLaterWindow,
  isSameWindow,
  resetJumps,
  returnsToEarlier,
  stillGoesOn,
  tellsItsWindow,
} from './reset-edges.js';
import type { Figures } from './series.js';
import { mayHaveCounted, speaksOfMinute, wasServed, type Sample } from './sample.js';

/**
 * Requests of one window, as far as the headers show it. `slack`: how many of them may belong to the window beside it,
 * because they were under way when it rolled over.
 */
export interface WindowPiece {
  readonly samples: readonly Sample[];
  readonly slack: number;
}

/** The first answer of a burst says that nothing sent before it counts, but for as many requests as the run knows of. */
export function beginsFresh(first: Sample, figures: Figures, known = 0): boolean {
  const left = speaksOfMinute(first, figures) ? plainInteger(first.remaining) : null;
  return left !== null && left >= figures.perMinute - 1 - known && left < figures.perMinute;
}

/**
 * The run's own earlier requests that the first answer of a burst still counts: they used the same window. Only as many are
 * taken as that answer says have been used; where it says more than are known here (requests beside the declared operations
 * are in no series), all of them.
 */
export function ownBefore(first: Sample, figures: Figures, earlier: readonly Sample[]): readonly Sample[] {
  const left = speaksOfMinute(first, figures) ? plainInteger(first.remaining) : null;
  const before = left === null ? 0 : figures.perMinute - 1 - left;
  const own = earlier.filter(
    (old) => mayHaveCounted(old) && old.answeredAt <= first.sentAt && old.sentAt > first.sentAt - minuteMs(figures),
  );
  return before < 1 ? [] : own.slice(-Math.min(before, own.length));
}

/** When the window of a burst began, in our ms: with the first of the earlier requests that used it, else with the burst itself. */
export const windowBegan = (first: Sample, figures: Figures, earlier: readonly Sample[]): number =>
  (ownBefore(first, figures, earlier)[0] ?? first).sentAt;

/** So many answers at the end may lack the headers of the minute's window before one that begins there goes unseen. */
const MOST_UNREAD = 2;

/** Whether the last answers still speak of the minute's window: where the day's is the tighter, a new minute is not seen. */
function seesTheEnd(samples: readonly Sample[], figures: Figures): boolean {
  const served = samples.filter(wasServed);
  const last = served.findLastIndex((sample) => speaksOfMinute(sample, figures));
  return served.length - 1 - last <= MOST_UNREAD;
}

/** The pieces of a series, and whether a window that rolled over would have shown. */
export interface WindowsSeen {
  readonly pieces: readonly WindowPiece[];
  readonly visible: boolean;
}

/** More restarts than this in the time of one window, and Remaining is not to be believed. */
const MOST_RESTARTS = 3;

/** Requests that were under way at the same time as the one at `index`. */
export const underWay = (samples: readonly Sample[], index: number): number => besides(samples, index).length;

function besides(samples: readonly Sample[], index: number): readonly Sample[] {
  const at = samples[index];
  if (at === undefined) return [];
  return samples.filter((other) => other !== at && other.sentAt < at.answeredAt && other.answeredAt > at.sentAt);
}

/** Of those under way as a window began with the sample at `place`, how many do not tell by their Reset which window they are of. */
function mayBeEither(samples: readonly Sample[], place: number, figures: Figures): number {
  const [before, after] = [samples.slice(0, place), samples.slice(place)];
  const read = (sample: Sample): boolean => speaksOfMinute(sample, figures);
  const [old, first] = [before.findLast(read), after.find(read)];
  const isOld = new Set(before);
  return besides(samples, place).filter((other) =>
    isOld.has(other) ? !tellsItsWindow(other, old, first, figures) : !tellsItsWindow(other, first, old, figures),
  ).length;
}

/**
 * Where the window of the sample at `index` begins, in the order of sending, since requests that were sent later may be
 * counted sooner: at the first of those under way just before it that tell its Reset, or, where that tells no windows
 * apart, that had more left than `lowest`, the least of the window before.
 */
function overtaken(samples: readonly Sample[], index: number, lowest: Sample | null, figures: Figures): number {
  const first = samples[index];
  if (first === undefined || lowest === null) return index;
  const before = samples.findLastIndex((sample, at) => at < index && sample.answeredAt <= first.sentAt);
  const least = minuteLeft(lowest, figures) ?? 0;
  const isOfIts = isLaterWindow(lowest, first, figures)
    ? (sample: Sample) => speaksOfMinute(sample, figures) && isLaterWindow(lowest, sample, figures)
    : (sample: Sample) => (minuteLeft(sample, figures) ?? 0) > least;
  const risen = samples.findIndex((sample, at) => at > before && at < index && isOfIts(sample));
  return risen === -1 ? index : risen;
}

/** What is left of the minute's window by a served answer; null where it does not say, or more than there can be. */
function minuteLeft(sample: Sample, figures: Figures): number | null {
  const left = speaksOfMinute(sample, figures) && wasServed(sample) ? plainInteger(sample.remaining) : null;
  return left !== null && left <= figures.perMinute ? left : null;
}

/**
 * Places where Remaining says that this request is the first of its window, although a request before it had left no
 * more. (A limiter that allows one too many says so twice as well, but falling.) Of requests side by side the first may be
 * told what the others have left: then it is the first to tell a later Reset, and more than was left.
 */
function restarts(samples: readonly Sample[], figures: Figures): readonly number[] {
  const places: number[] = [];
  let least = Infinity;
  let lowest: Sample | null = null;
  let unread = 0;
  for (const [index, sample] of samples.entries()) {
    const left = minuteLeft(sample, figures);
    if (left === null) {
      unread += mayHaveCounted(sample) || sample.status === 0 ? 1 : 0;
      continue;
    }
    // The first of the window may be among those that did not say what was left.
    const isFirst =
      (left >= figures.perMinute - 1 - unread && least <= left) ||
      (left > least && isLaterWindow(lowest, sample, figures));
    const isTheSame = isSameWindow(lowest, sample, figures) || stillGoesOn(lowest, sample);
    if (isFirst && !isTheSame && !returnsToEarlier(samples, index, figures)) {
      places.push(overtaken(samples, index, lowest, figures));
      least = left;
    }
    lowest = left <= least ? sample : lowest;
    least = Math.min(least, left);
    unread = 0;
  }
  return places;
}

function cut(samples: readonly Sample[], places: readonly number[], figures: Figures): readonly WindowPiece[] {
  const edges = [0, ...places, samples.length];
  const slackAt = (edge: number): number =>
    edge === 0 || edge === samples.length ? 0 : mayBeEither(samples, edge, figures);
  return edges.slice(0, -1).map((from, index) => {
    const to = edges[index + 1] ?? samples.length;
    return { samples: samples.slice(from, to), slack: slackAt(from) + slackAt(to) };
  });
}

/**
 * Splits a series where a window rolled over in its midst: a clock-aligned window admits twice the limit across its edge.
 * It shows in Remaining, which starts again at one below the limit, and in Reset where Remaining cannot be believed.
 * A cut too many never accuses a sound server: each piece of what a sound limiter served keeps within its bound.
 */
export function windowsSeen(samples: readonly Sample[], figures: Figures): WindowsSeen {
  const last = samples.at(-1);
  const [first] = samples;
  if (first === undefined || last === undefined) return { pieces: [], visible: true };
  const readable = samples.filter((sample) => speaksOfMinute(sample, figures));
  const mostOf = (count: number): boolean => count * 2 > samples.length;
  const windows = Math.floor((last.answeredAt - first.sentAt) / minuteMs(figures)) + 1;
  const byRemaining = comesInTurn(samples, figures) ? [] : restarts(samples, figures);
  const believable = byRemaining.length <= MOST_RESTARTS * windows;
  if (believable && mostOf(readable.filter(({ remaining }) => plainInteger(remaining) !== null).length)) {
    return { pieces: cut(samples, byRemaining, figures), visible: seesTheEnd(samples, figures) };
  }
  if (mostOf(readable.filter(({ reset }) => readReset(reset) !== null).length)) {
    return { pieces: cut(samples, resetJumps(samples, figures), figures), visible: seesTheEnd(samples, figures) };
  }
  return { pieces: cut(samples, [], figures), visible: false };
}
