import { mayHaveRefilled, minuteMs } from './bounds.js';
import { cameBack, type Clump } from './came-back.js';
import { plainInteger } from './headers/header-number.js';
import type { Figures, KeySeries } from './series.js';
import { wasServed, type Sample } from './sample.js';

/** Rounding down may hide or show one request. */
const ROUNDING = 1;
/** Below it a series says nothing about counting. */
const LEAST_ANSWERS = 3;

/** How Remaining moved from one answer to a later one, and how far it may have. */
export interface Movement {
  readonly fall: number;
  /** The least that it has to fall: what was surely counted between, less all that may have come back. */
  readonly least: number;
  /** The most that it may fall: what may have been counted between. */
  readonly most: number;
  readonly requests: number;
  readonly elapsedMs: number;
  /** Requests that may have been counted in the window beside this one. */
  readonly slack: number;
}

/** The same of a series, before which others may have used the key. */
export interface SeriesMovement extends Movement {
  /** The least that it has to fall where nobody has: what others sent is unknown, and so is when it comes back. */
  readonly leastIfUnused: number;
}

/** Remaining fell by more than its requests explain. */
export const isTooFast = ({ fall, most, slack }: Movement): boolean => fall > most + ROUNDING + slack;
/** Remaining fell by less than its requests explain. */
export const isTooSlow = ({ fall, least, slack }: Movement): boolean => fall < least - ROUNDING - slack;

/** Remaining fell by less than its requests explain, unless what others sent before the run came back just then. */
export const mayBeTooSlow = ({ fall, leastIfUnused, slack }: SeriesMovement): boolean =>
  fall < leastIfUnused - ROUNDING - slack;

/** An answer with its Remaining. */
interface Reading {
  readonly sample: Sample;
  readonly left: number;
}

/** Those of some samples whose time in a sliding window may have ended between two moments, Unix ms. */
export const mayHaveSlid = (
  samples: readonly Sample[],
  figures: Figures,
  from: number,
  to: number,
): readonly Sample[] =>
  samples.filter((old) => old.answeredAt + minuteMs(figures) >= from && old.sentAt + minuteMs(figures) <= to);

/** What may come back at once: own requests whose time in a sliding window ended meanwhile, and all others' of unknown past. */
function slid(key: KeySeries, past: readonly Sample[], first: Reading, last: Reading) {
  const used = Math.max(0, key.figures.perMinute - 1 - first.left);
  const window = minuteMs(key.figures);
  const { sentAt } = first.sample;
  const own = Math.min(used, mayHaveSlid(past, key.figures, sentAt, last.sample.answeredAt).length);
  return { own, all: key.aloneSince > sentAt - window ? used : own };
}

/**
 * How Remaining moved over the answers of one window and one Limit; null where too few of them have it. Concurrent
 * answers come in any order: it is read from the highest of those that no other preceded to the lowest of those that none
 * followed, or, for the fall, to the first that says 0, since from there on it cannot fall.
 */
export function movement(
  key: KeySeries,
  samples: readonly Sample[],
  past: readonly Sample[],
  slack: number,
  clump: Clump,
): SeriesMovement | null {
  const served = samples.filter(wasServed);
  const readings = served.flatMap((sample): readonly Reading[] => {
    const left = plainInteger(sample.remaining);
    return left === null ? [] : [{ sample, left }];
  });
  if (readings.length < LEAST_ANSWERS) return null;
  const earliest = readings.reduce((least, { sample }) => Math.min(least, sample.answeredAt), Infinity);
  const latest = readings.reduce((most, { sample }) => Math.max(most, sample.sentAt), -Infinity);
  const first = readings
    .filter(({ sample }) => sample.sentAt <= earliest)
    .reduce((best, one) => (one.left > best.left ? one : best));
  const last = readings
    .filter(({ sample }) => sample.answeredAt >= latest)
    .reduce((best, one) => (one.left < best.left ? one : best));
  const lowest = readings.find(({ left }) => left === 0) ?? last;
  const maybe = served.filter(
    (one) => one !== first.sample && one.answeredAt > first.sample.sentAt && one.sentAt < lowest.sample.answeredAt,
  ).length;
  const surely = served.filter(
    (one) => one === last.sample || (one.sentAt >= first.sample.answeredAt && one.answeredAt <= last.sample.sentAt),
  ).length;
  const elapsedMs = last.sample.answeredAt - first.sample.sentAt;
  // Evenly, or at a beat as Remaining itself shows it.
  const atBeats = cameBack(served, key.figures, clump);
  const back = Math.max(mayHaveRefilled(key.figures, elapsedMs), atBeats === null ? 0 : atBeats.most + atBeats.unseen);
  const ofLog = slid(key, past, first, last);
  const least = (slidOut: number): number => Math.ceil(surely - back - slidOut - (last.left - lowest.left));
  return {
    // To the first 0 for the most, to the end for the least: where there is no 0, both are the same.
    fall: first.left - lowest.left,
    least: least(ofLog.all),
    leastIfUnused: least(ofLog.own),
    most: maybe,
    requests: served.length,
    elapsedMs,
    slack,
  };
}
