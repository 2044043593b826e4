import { mayHaveRefilled, minuteMs } from './bounds.js';
import { refillSeen } from './refill-steps.js';
import { type Clump } from './clumps.js';
import { plainInteger } from './headers/header-number.js';
import type { KeySeries } from './series.js';
import { mayHaveSlid, wasServed, type Left, type Sample } from './sample.js';

const ROUNDING = 1;
/** Fewest responses that say anything about counting. */
const LEAST_ANSWERS = 3;

/** Fall of Remaining from one response to a later one, with its bounds. */
export interface Movement {
  readonly fall: number;
  /** Least correct fall: requests certainly counted between, minus all that may have come back. */
  readonly least: number;
  /** Most correct fall: requests that may have been counted between. */
  readonly most: number;
  readonly requests: number;
  readonly elapsedMs: number;
  /** Other requests that may have counted in this window. */
  readonly slack: number;
}

/** Is true if Remaining fell by more than its requests explain. */
export const isTooFast = ({ fall, most, slack }: Movement): boolean => fall > most + ROUNDING + slack;
/** Is true if Remaining fell by less than its requests explain. */
export const isTooSlow = ({ fall, least, slack }: Movement): boolean => fall < least - ROUNDING - slack;

/** Is true if Remaining fell by too little, unless earlier requests of others came back in that time. */
export const mayBeTooSlow = ({ fall, leastIfUnused, slack }: NonNullable<ReturnType<typeof movement>>): boolean =>
  fall < leastIfUnused - ROUNDING - slack;

/** Requests that may have left a sliding window meanwhile: our own, and all others if the past is unknown. */
function slid(key: KeySeries, past: readonly Sample[], first: Left, last: Left) {
  const used = Math.max(0, key.figures.perMinute - 1 - first.left);
  const window = minuteMs(key.figures);
  const { sentAt } = first.sample;
  const own = Math.min(used, mayHaveSlid(past, key.figures, sentAt, last.sample.answeredAt).length);
  return { own, all: key.aloneSince > sentAt - window ? used : own };
}

/**
 * Measures how Remaining fell over responses of one window and one Limit; null if too few carry it. Concurrent
 * responses come in any order. So it reads from the highest Remaining that none preceded to the lowest that none
 * followed. For the fall it stops at the first 0, as Remaining cannot fall further.
 */
export function movement(
  key: KeySeries,
  samples: readonly Sample[],
  past: readonly Sample[],
  slack: number,
  clump: Clump,
): (Movement & { readonly leastIfUnused: number }) | null {
  const served = samples.filter(wasServed);
  const readings = served.flatMap((sample): readonly Left[] => {
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
  // Even refills, or clumps if Remaining shows them.
  const atBeats = refillSeen(served, key.figures, clump);
  // A step of a refill may fall into any span, however short.
  const evenly = mayHaveRefilled(key.figures, elapsedMs) + (clump.isSooner ? clump.size : 0);
  const back = Math.max(evenly, atBeats === null ? 0 : atBeats.most + atBeats.unseen);
  const ofLog = slid(key, past, first, last);
  const least = (slidOut: number): number => Math.ceil(surely - back - slidOut - (last.left - lowest.left));
  return {
    // `fall` and `most` end at the first 0, `least` at the end. Without a 0 both ends are equal.
    fall: first.left - lowest.left,
    least: least(ofLog.all),
    // If nobody else used the key: others' requests, and their return, are unknown.
    leastIfUnused: least(ofLog.own),
    most: maybe,
    requests: served.length,
    elapsedMs,
    slack,
  };
}
