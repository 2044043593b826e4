import { speaksOfMinute, wasServed } from './answers.js';
import { refilled } from './bounds.js';
import { plainInteger, readReset } from './headers/header-number.js';
import type { Sample } from './sample.js';
import type { Figures } from './series.js';

/** What a refilling limiter would have given back unseen: below this many refills the evidence is none. */
const LEAST_REFILLS_DUE = 2;
/** Reset stood still: it is rounded to whole seconds, now this way, now that. */
const STANDSTILL_SECONDS = 1;
/** In windows this short, a second may be the next window of a sliding counter, from which on it does give back. */
const SHORT_WINDOW_SECONDS = 2;

/** Beyond the time that a clump takes to come back: what was under way, and a part of a request that stood there. */
const BESIDES_DUE = 1.5;

/** Of a window: in so long a time whatever comes back bit by bit shows, also where it does so by a few beats. */
const LONG_SHARE = 0.4;

/** Proof that the allowance does not come back bit by bit. */
export interface NothingRefills {
  /** The refills that were due meanwhile, none of which came. */
  readonly due: number;
  /** The first request that is counted in the proof: what came back before it is not excluded. */
  readonly from: Sample;
  /** The sending of the request that was counted last in the proof: what came back later is not excluded. Unix ms. */
  readonly until: number;
}

/**
 * Whether, within one window, nothing refills: Remaining fell by one at every answer (as a set: concurrent answers come
 * in any order) and Reset stood still, over several refill intervals, or over so many that Reset need not be asked (a log
 * tells when its newest leaves), or over more than a clump of as many as were served too many takes: had one come unseen,
 * at the very end, another would have shown before. Null where that is not shown.
 * @param excess how many were served beyond the limit
 */
export function nothingRefills(samples: readonly Sample[], figures: Figures, excess = Infinity): NothingRefills | null {
  const served = samples.filter(wasServed);
  const left = served.flatMap((sample) => {
    const remaining = speaksOfMinute(sample, figures) ? plainInteger(sample.remaining) : null;
    return remaining === null ? [] : [{ remaining, sample }];
  });
  if (left.length < served.length) return null;
  // Once Remaining says 0 it cannot fall, so only the first 0 counts; and of those that say the most, the last.
  const zero = left.findIndex(({ remaining }) => remaining === 0);
  const top = left.reduce((best, { remaining }) => Math.max(best, remaining), -Infinity);
  const start = left.findLastIndex(({ remaining }) => remaining === top);
  const falling = left.filter(
    ({ remaining }, index) => (remaining > 0 || index === zero) && (remaining < top || index === start),
  );
  const sorted = falling.toSorted((one, other) => other.remaining - one.remaining);
  const [most, least] = [sorted[0], sorted.at(-1)];
  if (most === undefined || least === undefined) return null;
  const byOne = sorted.every(({ remaining }, index) => remaining === most.remaining - index);
  const resets = sorted.map(({ sample }) => readReset(sample.reset));
  const seconds = resets.flatMap((reset) => (reset?.unit === 'unix-seconds' ? [reset.unixMs / 1000] : []));
  const still =
    seconds.length === sorted.length &&
    spread(seconds) <= (figures.minuteSeconds > SHORT_WINDOW_SECONDS ? STANDSTILL_SECONDS : 0);
  const due = refilled(figures, least.sample.sentAt - most.sample.answeredAt);
  const isLong = due >= LONG_SHARE * figures.perMinute;
  return byOne && (isLong || due >= excess + BESIDES_DUE || (still && due >= LEAST_REFILLS_DUE))
    ? { due, from: most.sample, until: least.sample.sentAt }
    : null;
}

/** The difference between the largest and the smallest. */
function spread(values: readonly number[]): number {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return high - low;
}
